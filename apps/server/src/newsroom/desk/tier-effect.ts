import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { EntryId, Source } from '../../ingest/index.ts';
import { judgeInPlace } from '../publication/group-representative.ts';
import { readItemStanding } from '../publication/item-standing-store.ts';
import { judgeEntry } from '../publication/prepare-entry.ts';
import { readPublishedEntry } from '../publication/unpublished-entry-store.ts';
import { readRecentEntries } from './source-reading-store.ts';

/** Items of one week that are judged again; of a source with more, the newest. */
const judgedMax = 200;

export interface JudgedTwice {
  readonly id: EntryId;
  readonly title: string;
  readonly score: { readonly before: number; readonly after: number };
  /** Whether the rules may select it. */
  readonly selectable: { readonly before: boolean; readonly after: boolean };
}

/** How the rules would judge the items of the last week if the source had another tier. Nothing is changed. */
export async function readTierEffect(
  { database, language }: { readonly database: Database; readonly language: ReaderLanguage },
  source: Pick<Source, 'id' | 'tier'>,
  { tier, now }: { readonly tier: Source['tier']; readonly now: EpochMicroseconds },
): Promise<readonly JudgedTwice[]> {
  const ids = await readRecentEntries(database, source.id, { now, countMax: judgedMax });
  return database.transaction().execute(async (transaction) => {
    const judged: JudgedTwice[] = [];
    for (const id of ids) {
      const entry = await readPublishedEntry(transaction, id);
      const standing = await readItemStanding(transaction, id);
      if (entry === null || standing === null) continue;
      const judgedAs = (as: Source['tier']) =>
        judgeInPlace(judgeEntry({ ...entry, source: { ...entry.source, tier: as } }), standing, language);
      const [before, after] = [judgedAs(source.tier), judgedAs(tier)];
      judged.push({
        id,
        title: entry.title,
        score: { before: before.score.value, after: after.score.value },
        selectable: { before: before.selectable, after: after.selectable },
      });
    }
    return judged;
  });
}
