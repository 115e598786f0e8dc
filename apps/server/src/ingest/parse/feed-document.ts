import type { EpochMicroseconds } from '../../foundation/instant.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { AssembleOptions } from './assemble-feed.ts';
import type { BlockedPage } from './blocked-page.ts';
import { decodeDocument } from './decode-document.ts';

/** A publisher's response, to be parsed as a list of entries. */
export interface FeedDocument {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** The address of the response, after redirects. */
  readonly url: string;
  readonly receivedAt: EpochMicroseconds;
  /** The language of the source, for documents that state none. */
  readonly language?: string | null;
  /** `+08:00`: the offset of dates without a zone. */
  readonly assumedOffset?: string | null;
}

/** Why the document is no list. None of these means that the list is empty. */
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
