import type { Source } from '../../ingest/index.ts';
import { versionOf } from './journal.ts';

/** Sources as the pages of the desk read them. */
export { feedAddressOf, settingsFor } from '../../ingest/index.ts';
export type { Source, SourceDesk, SourceSettings } from '../../ingest/index.ts';
export { readOwnerNames, readSourceHabits } from './source-reading-store.ts';
export type { SourceHabits } from './source-reading-store.ts';
export { readTierEffect } from './tier-effect.ts';
export type { JudgedTwice } from './tier-effect.ts';

export function versionOfSource({ name, state, tier, holds, owner, syndicate }: Source): string {
  return versionOf({ kind: 'source', title: name, state, tier, holds, owner, syndicate });
}
