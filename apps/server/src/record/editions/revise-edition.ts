import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { Work } from '../decision.ts';
import { recordTopics } from '../topics.ts';
import { insertCorrection, insertRevision, lockEdition, readContents } from './edition-store.ts';
import type { EditionContents, EditionKey } from './edition.ts';
import type { HeldContentsFault } from './issue-edition.ts';
import { holdContents } from './issue-edition.ts';

export type ReviseEditionFault = HeldContentsFault | 'unknown_edition';

/** Better words or another choice, without anything having been wrong. */
export async function reviseEdition(
  work: Work,
  { kind, period, contents }: EditionKey & { readonly contents: EditionContents },
): Promise<Result<{ readonly revision: number }, ReviseEditionFault>> {
  const key: EditionKey = { kind, period };
  const fault = await holdContents(work, contents);
  if (fault !== null) return refused(fault);
  const current = await lockEdition(work.database, key);
  if (current === null) return refused('unknown_edition');
  const revision = current + 1;
  await insertRevision(work.database, key, { number: revision, at: work.now, contents });
  work.topics.add(recordTopics.reports);
  return accepted({ revision });
}

export interface EditionCorrection extends EditionKey {
  /** Said below the report for good. */
  readonly note: string;
  /** Without them only the note is added. */
  readonly contents?: EditionContents;
}

/** Something was wrong: the note says what, and copies of the report may not be shown any more. */
export async function correctEdition(
  work: Work,
  { kind, period, note, contents }: EditionCorrection,
): Promise<Result<{ readonly revision: number }, ReviseEditionFault>> {
  const key: EditionKey = { kind, period };
  const fault = contents === undefined ? null : await holdContents(work, contents);
  if (fault !== null) return refused(fault);
  const current = await lockEdition(work.database, key);
  if (current === null) return refused('unknown_edition');
  const revision = current + 1;
  const corrected = contents ?? (await readContents(work.database, key, current));
  await insertRevision(work.database, key, { number: revision, at: work.now, contents: corrected });
  await insertCorrection(work.database, key, { id: work.ids.next(), revision, at: work.now, note });
  work.topics.add(recordTopics.reports);
  work.purges = true;
  return accepted({ revision });
}
