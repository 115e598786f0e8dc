export { createUsageCleanup } from './usage-cleanup.ts';
