export { withBaseUrl } from './items/item-body.ts';
export type { Source } from './items/item.ts';
export type { ItemToPublish } from './items/publish-item.ts';
export { gramsOfTerms, searchTermsOf } from './items/search-text.ts';
export { rollWindow } from './items/window-store.ts';
export { setVersion } from './ledger/item-digest.ts';
export { createPublisher } from './publish.ts';
export type { Publisher } from './publish.ts';
export { recordTopics } from './topics.ts';
