import type { QueuedChunk } from '../queue/queued-chunk.ts';

export interface ProvenanceStamp {
  readonly at: string;
  readonly run: string;
}

/** Where a piece of text came from, as a comment that nothing in a file name or heading can close. */
export function provenanceComment(
  chunk: Pick<QueuedChunk, 'id' | 'source' | 'headings'>,
  { at, run }: ProvenanceStamp,
): string {
  const section = chunk.headings.length === 0 ? '' : `; section: ${commentText(chunk.headings.join(' › '))}`;
  return `<!-- source: ${commentText(chunk.source)}${section}; migrated: ${at}; chunk: ${chunk.id}; run: ${run} -->`;
}

/** Escaped so that `-->`, `--!>`, a new line or another separator can neither end nor forge the comment. */
export function commentText(value: string): string {
  return value
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/;(?<!&(?:amp|lt|gt);)/g, '&#59;')
    .replace(/--/g, '-&#45;')
    .replace(/-$/, '&#45;')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
