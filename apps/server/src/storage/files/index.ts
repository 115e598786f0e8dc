export { archiveProblems, archiveResponses, sendArchive } from './archive-routes.ts';
export { contentProblems, contentStream, sendFile, sendPreview } from './file-routes.ts';
export { previewOf } from './preview.ts';
export type { ArchivedPlace } from './read-archive.ts';
export { listVersions, readOrganizationUsage, readPreview } from './read-files.ts';
export { isReadableBy, scanProblems } from './require-readable.ts';
export { restoreVersion } from './reuse-content.ts';
