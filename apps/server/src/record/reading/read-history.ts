import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { Database } from '../../foundation/database/database.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { CorrectionAction } from '../corrections/correction.ts';
import type { EditionKind } from '../editions/edition.ts';
import type { LoggedAction } from '../log/log-entry.ts';
import { readEntries, readLogHead, readReasons } from './log-reading-store.ts';
import { readContent } from './read-content.ts';

export type HistoryKind = 'item' | 'story' | EditionKind;

/** One entry of the public log about something, with the content that it had. */
export interface RecordedRevision {
  readonly revision: number;
  readonly action: LoggedAction;
  readonly at: EpochMicroseconds;
  /** Null until a signed checkpoint contains it. */
  readonly leafIndex: number | null;
  /** As in the log; null if it was withdrawn, or its words were erased since. */
  readonly content: JsonValue;
  /** When words of it were erased, because they were withdrawn or corrected. */
  readonly erasedAt: EpochMicroseconds | null;
  /** Of a public correction; null for routine changes by the newsroom. */
  readonly correction: { readonly action: CorrectionAction; readonly reason: string } | null;
}

const revisionsMax = 100;

/** Newest first; null if the log has none. */
export async function readHistory(
  database: Database,
  kind: HistoryKind,
  subject: string,
): Promise<readonly RecordedRevision[] | null> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const entries = await readEntries(snapshot, kind, subject, revisionsMax);
      if (entries.length === 0) return null;
      const { checkpointSize } = await readLogHead(snapshot);
      const reasons = await readReasons(snapshot, kind, subject);
      const revisions: RecordedRevision[] = [];
      for (const { entry, leafIndex, salt, erasedAt } of entries)
        revisions.push({
          revision: entry.revision,
          action: entry.action,
          at: entry.at,
          leafIndex: leafIndex !== null && leafIndex < checkpointSize ? leafIndex : null,
          content: salt === null ? null : await readContent(snapshot, entry),
          erasedAt,
          correction: reasons.get(entry.at) ?? null,
        });
      return revisions;
    });
}
