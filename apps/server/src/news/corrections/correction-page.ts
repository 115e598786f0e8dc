import type { CursorPosition } from '../../foundation/cursor.ts';
import { decodeCursor, encodeCursor } from '../../foundation/cursor.ts';
import { invalidCursor } from '../../foundation/http/http-problems.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { RecordReader, recorded } from '../../record/index.ts';
import { corrections as records, publicPaths } from '../../record/index.ts';
import type { Addresses } from '../addresses.ts';
import { formatInstant } from '../json-body.ts';

export interface CorrectionsDeps {
  readonly record: RecordReader;
  readonly addresses: Addresses;
  readonly storyLayer: boolean;
  /** Of the installation. */
  readonly language: ReaderLanguage;
}

type Position = CursorPosition<'correction'>;
const binding = ['corrections'];

export function readCorrectionPosition(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const decoded = decodeCursor<'correction'>(cursor, binding);
  if (!decoded.ok) throw new ProblemError(invalidCursor, 'The cursor is malformed.');
  return decoded.value;
}

/** Reads one row more than shown, to detect a next page. */
export async function readCorrectionPage(
  { record, storyLayer }: Pick<CorrectionsDeps, 'record' | 'storyLayer'>,
  after: Position | null,
  limit: number,
): Promise<{
  readonly corrections: readonly recorded.RecordedCorrection[];
  readonly nextCursor: string | null;
}> {
  const found = await record.corrections({ after, rowsMax: limit + 1, withStories: storyLayer });
  const corrections = found.slice(0, limit);
  const last = corrections.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { corrections, nextCursor: hasMore ? encodeCursor({ key: last.at, id: last.id }, binding) : null };
}

export function presentCorrection(
  correction: recorded.RecordedCorrection,
  { addresses, language }: Pick<CorrectionsDeps, 'addresses' | 'language'>,
): object {
  const { id, action, subject, otherStoryId, beforeHash, editions } = correction;
  const path = correctedPath(correction);
  return {
    id,
    at: formatInstant(correction.at),
    action,
    subject,
    otherStory: otherStoryId,
    ...records.wordCorrectionReason(correction.reason, language),
    beforeHash,
    reports: editions.map(({ kind, period, revision }) => ({
      kind,
      period,
      revision,
      links: { report: addresses.edition({ kind, period }) },
    })),
    links: { subject: path === null ? null : `${addresses.baseUrl}${path}` },
  };
}

/** The page of the corrected subject, or of the story it was merged into; null if it has none. */
export function correctedPath({
  action,
  subject: { kind, id },
  otherStoryId,
  stands,
}: recorded.RecordedCorrection): string | null {
  if (!stands) return null;
  if (kind === 'item') return publicPaths.itemPath(id);
  if (kind !== 'story') return publicPaths.editionPath({ kind, period: id });
  return publicPaths.storyPath(action === 'merged' && otherStoryId !== null ? otherStoryId : id);
}
