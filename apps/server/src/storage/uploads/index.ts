export { storeContent } from './receive-content.ts';
export { tusRoutes } from './tus-routes.ts';
/** For wiring: the files that scheduled questions write. */
export {
  isLiveProject,
  requireWritableProject,
  reserveWrittenFile,
  settleWrittenFile,
  storeWrittenFile,
} from './written-files.ts';
