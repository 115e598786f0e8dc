import { sql } from 'kysely';

import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { Id } from '../../foundation/ids.ts';
import { loggedCorrection } from '../corrections/correction-store.ts';
import { loggedEdition } from '../editions/add-revision.ts';
import { readContents } from '../editions/edition-store.ts';
import type { EditionKind } from '../editions/edition.ts';
import { readItemFrom } from '../items/item-store.ts';
import { loggedItem } from '../items/logged-item.ts';
import { rowAtRevision } from '../items/record-view.ts';
import type { LogEntry } from '../log/log-entry.ts';
import { loggedRanking } from '../rankings/publish-ranking.ts';
import { readStoredRankings } from '../rankings/stored-ranking-store.ts';
import { loggedStory } from '../stories/logged-story.ts';
import { readStoryFrom } from '../stories/story-store.ts';
import { readCorrectionToLog, readEditionRevisionOf } from './log-reading-store.ts';

/** The content that an entry of the public log has the hash of, composed again; null if it is not stored any more. */
export async function readContent(
  database: Database,
  { kind, subject, revision }: Pick<LogEntry, 'kind' | 'subject' | 'revision'>,
): Promise<JsonValue | null> {
  const id = sql`${subject}::uuid`;
  if (kind === 'item') {
    const item = await readItemFrom(database, subject, rowAtRevision('item', id, revision));
    return item === null || item.withdrawnAt !== null ? null : loggedItem(item);
  }
  if (kind === 'story') {
    const story = await readStoryFrom(database, subject, rowAtRevision('story', id, revision));
    return story === null ? null : loggedStory(story);
  }
  if (kind === 'ranking') {
    const [ranking] = await readStoredRankings(database, [subject as Id<'ranking'>]);
    return ranking === undefined ? null : loggedRanking(ranking);
  }
  if (kind === 'correction') {
    const correction = await readCorrectionToLog(database, subject);
    return correction === null ? null : loggedCorrection(correction);
  }
  return readEditionContent(database, { kind, period: subject }, revision);
}

async function readEditionContent(
  database: Database,
  key: { readonly kind: EditionKind; readonly period: string },
  revision: number,
): Promise<JsonValue | null> {
  const number = await readEditionRevisionOf(database, key, revision);
  return number === null ? null : loggedEdition(key, number, await readContents(database, key, number));
}
