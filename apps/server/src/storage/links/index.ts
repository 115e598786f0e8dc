export { linkDays, linkDaysMax } from '../storage-deps.ts';
export { createLink, revokeLink } from './change-links.ts';
export { selectLinksMadeBy } from './link-store.ts';
export type { Link } from './link.ts';
export { listLinks, listProjectLinks } from './read-links.ts';
export { sharedPath } from './shared-routes.ts';
