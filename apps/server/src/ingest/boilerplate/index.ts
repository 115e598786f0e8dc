export { withoutBlocks } from './blocks.ts';
export { readRepeatedBlocks } from './source-block-store.ts';
