export { linkDays, linkPasswordCharsMin } from '../storage-deps.ts';
export { createLink, revokeLink } from './change-links.ts';
export { selectLinksMadeBy } from './link-store.ts';
export type { Link } from './link.ts';
export type { LinkDetails } from './open-links.ts';
export { describeLink, enterLinkPassword } from './open-links.ts';
export { listLinks, listProjectLinks } from './read-links.ts';
export { sharedPagePath, sharedPath, unlisted } from './shared-routes.ts';
