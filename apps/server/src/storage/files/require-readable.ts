import type { callers } from '../../access/index.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { FileContent } from '../folders/entry.ts';
import type { StorageSettings } from '../storage-deps.ts';
import { infectedContent, notScanned, unscannableContent } from '../storage-problems.ts';

type ScannedContent = Pick<FileContent, 'scanState' | 'storedBy'>;
type ReadSettings = Pick<StorageSettings, 'unscannableFor'>;

/** Content without a complete scan is readable only by its uploader; infected content is not readable. */
export function isReadableBy(
  { scanState, storedBy }: ScannedContent,
  /** Null for an anonymous reader. */
  accountId: string | null,
  { unscannableFor }: ReadSettings,
): boolean {
  const isUploaders =
    scanState === 'waiting' || (scanState === 'unscannable' && unscannableFor === 'uploader');
  return isUploaders ? storedBy === accountId : scanState !== 'infected';
}

/** A visitor of a link is not the uploader, also if the uploader created the link. */
export function readerOf({ accountId, credential }: callers.Caller): string | null {
  return credential.kind === 'link' ? null : accountId;
}

export function requireReadable(
  content: ScannedContent,
  accountId: string | null,
  settings: ReadSettings,
): void {
  if (isReadableBy(content, accountId, settings)) return;
  if (content.scanState === 'infected')
    throw new ProblemError(infectedContent, 'The scanner found malware in this content.');
  if (content.scanState === 'unscannable')
    throw new ProblemError(unscannableContent, 'The scanner could not read all of this content.');
  throw new ProblemError(notScanned, 'This content has not been scanned for malware yet.');
}

/** Errors of every operation that returns or references content. */
export const scanProblems = [notScanned, infectedContent, unscannableContent];
