export { bundleModule } from './bundle-module.ts';
export { bundlePrograms, findBundle } from './bundle-programs.ts';
