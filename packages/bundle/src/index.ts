export { bundleModule } from './bundle-module.ts';
export { bundlePrograms, bundleTree, findBundle } from './bundle-programs.ts';
