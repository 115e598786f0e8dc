export type { VerifiedCheckpoint } from './checkpoint.ts';
export { verifyCheckpoint } from './checkpoint.ts';
export type { InclusionClaim } from './merkle.ts';
export { isConsistent, isIncluded, leafHash } from './merkle.ts';
export type { VerifierKey } from './signed-note.ts';
export { parseVerifierKey } from './signed-note.ts';
export type { ReadTile, Tile } from './tiles.ts';
export { bundlePath, readBundle, tileOf, tilePath, TileTree } from './tiles.ts';
