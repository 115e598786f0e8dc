export { bundlePrograms } from './bundle-programs.ts';
