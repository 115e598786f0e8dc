export { createFeedAddress, deleteFeedAddress } from './change-feed-address.ts';
export { selectFeedAddresses } from './feed-address-store.ts';
export { feedAddressesOf } from './feed-routes.ts';
