import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { AssembleOptions } from './assemble-feed.ts';
import type { BlockedPage } from './blocked-page.ts';
import { decodeDocument } from './decode-document.ts';

/** What a publisher sent, to be read as a list of entries. */
export interface FeedDocument {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** Where the bytes came from, after redirects. */
  readonly url: string;
  readonly receivedAt: EpochMicroseconds;
  /** What the source is known to be written in, for documents that do not say. */
  readonly language?: string | null;
  /** `+08:00`: what its dates without a zone are meant in. */
  readonly assumedOffset?: string | null;
}

/** Why there is no list. None of these means that the list is empty. */
export type NotAFeed =
  | BlockedPage
  | 'empty'
  | 'web page'
  | 'malformed'
  | 'unknown format'
  | 'too large'
  | 'no entries found'
  | 'unreadable selector';

const bytesMax = 8 * 1024 * 1024;

export interface OpenedDocument {
  readonly text: string;
  readonly options: Omit<AssembleOptions, 'format'>;
}

export function openDocument(document: FeedDocument): Result<OpenedDocument, 'empty' | 'too large'> {
  if (document.bytes.length > bytesMax) return refused('too large');
  const { text, encoding } = decodeDocument(document.bytes, document.contentType);
  if (text.trim() === '') return refused('empty');
  return accepted({
    text,
    options: {
      encoding,
      receivedAt: document.receivedAt,
      assumedOffset: document.assumedOffset ?? null,
      language: document.language ?? null,
      endedEarly: false,
      entriesBeyondBound: 0,
    },
  });
}
