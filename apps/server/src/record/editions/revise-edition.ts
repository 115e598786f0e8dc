import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import { refused } from '../../foundation/result.ts';
import { editionTag, purge, recordCacheTags, stale } from '../cache-tags.ts';
import { recordCorrection } from '../corrections/correction-store.ts';
import type { ReasonFault } from '../corrections/correction.ts';
import { isReason } from '../corrections/correction.ts';
import type { DecisionContext, DecisionResult } from '../decision.ts';
import { decided } from '../decision.ts';
import { lockEdition } from '../locking.ts';
import { eraseEditionSalts } from '../log/log-content-store.ts';
import { addRevision } from './add-revision.ts';
import { eraseReplacedText, insertCorrection, readContents, readRevisionByKey } from './edition-store.ts';
import type { EditionContents, EditionKey } from './edition.ts';
import type { HeldContentsFault } from './issue-edition.ts';
import { holdContents } from './issue-edition.ts';
import type { EditorsWords } from './word-edition.ts';
import { withEditorsWords } from './word-edition.ts';

export type ReviseEditionFault = HeldContentsFault | 'unknown_edition';

/** Passed by callers that retry after a crash: the revision that was created with this key is returned again. */
interface Repeatable {
  readonly idempotencyKey?: string;
}

/** Changes text or selection without a correction. */
export async function reviseEdition(
  context: DecisionContext,
  {
    kind,
    period,
    contents,
    idempotencyKey,
  }: EditionKey & Repeatable & { readonly contents: EditionContents },
): Promise<DecisionResult<{ readonly revision: number }, ReviseEditionFault>> {
  const key: EditionKey = { kind, period };
  const fault = await holdContents(context, contents);
  if (fault !== null) return refused(fault);
  const current = await lockEdition(context, key);
  if (current === null) return refused('unknown_edition');
  const repeated = await findRepeated(context, key, idempotencyKey);
  if (repeated !== null) return decided({ revision: repeated });
  const revision = current + 1;
  await addRevision(context, key, { number: revision, contents, idempotencyKey });
  return decided({ revision }, stale(recordCacheTags.editions));
}

async function findRepeated(
  context: DecisionContext,
  key: EditionKey,
  idempotencyKey: string | undefined,
): Promise<number | null> {
  return idempotencyKey === undefined ? null : readRevisionByKey(context.database, key, idempotencyKey);
}

export interface EditionCorrection extends EditionKey, Repeatable {
  /** The reason, shown below the edition permanently. */
  readonly note: string;
  /** Without contents and without words only the note is added. */
  readonly contents?: EditionContents;
  /** Replaces the current text; written from the same items. */
  readonly words?: EditorsWords;
  /** Of the words; by default that of the edition's own headline. */
  readonly language?: ReaderLanguage;
}

/** Corrects an error: the note describes it, and copies of the edition must no longer be shown. */
export async function correctEdition(
  context: DecisionContext,
  { kind, period, note, contents, words, language, idempotencyKey }: EditionCorrection,
): Promise<DecisionResult<{ readonly revision: number }, ReviseEditionFault | ReasonFault>> {
  if (!isReason(note)) return refused('invalid_reason');
  const key: EditionKey = { kind, period };
  const fault = contents === undefined ? null : await holdContents(context, contents);
  if (fault !== null) return refused(fault);
  const current = await lockEdition(context, key);
  if (current === null) return refused('unknown_edition');
  const repeated = await findRepeated(context, key, idempotencyKey);
  if (repeated !== null) return decided({ revision: repeated });
  const revision = current + 1;
  const before = await readContents(context.database, key, current);
  const corrected = withEditorsWords(contents ?? before, { words, language });
  const revisions = await eraseReplacedText(context.database, key, { before, after: corrected });
  await eraseEditionSalts(context.database, { ...key, revision: current }, { revisions, at: context.now });
  await addRevision(context, key, { number: revision, contents: corrected, idempotencyKey });
  const correctionId = await recordCorrection(context, {
    action: 'corrected',
    subject: { kind, id: period },
    reason: note,
  });
  await insertCorrection(context.database, key, {
    id: context.ids.next(),
    revision,
    at: context.now,
    note,
    correctionId,
  });
  return decided({ revision }, purge(recordCacheTags.editions, recordCacheTags.corrections, editionTag(key)));
}
