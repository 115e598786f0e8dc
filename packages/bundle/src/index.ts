export { bundlePrograms, findBundle } from './bundle-programs.ts';
