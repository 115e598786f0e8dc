import type { callers } from '../../access/index.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { FileContent } from '../folders/entry.ts';
import { infectedContent, notScanned } from '../storage-problems.ts';

type ScannedContent = Pick<FileContent, 'scanState' | 'storedBy'>;

/** What a scanner has yet to look into is for whoever stored it alone; what is infected, for nobody. */
export function isReadableBy(
  { scanState, storedBy }: ScannedContent,
  /** Null: whoever comes by. */
  accountId: string | null,
): boolean {
  return scanState === 'waiting' ? storedBy === accountId : scanState !== 'infected';
}

/** Whoever opens a link is not who stored what it leads to, also where that one made the link. */
export function readerOf({ accountId, credential }: callers.Caller): string | null {
  return credential.kind === 'link' ? null : accountId;
}

export function requireReadable(content: ScannedContent, accountId: string | null): void {
  if (isReadableBy(content, accountId)) return;
  if (content.scanState === 'infected')
    throw new ProblemError(infectedContent, 'The scanner found malware in this content.');
  throw new ProblemError(notScanned, 'This content has not been scanned for malware yet.');
}

/** Of whatever gives content, or refers to it once more. */
export const scanProblems = [notScanned, infectedContent];
