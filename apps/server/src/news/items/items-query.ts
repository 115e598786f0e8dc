import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { CursorPosition } from '../../foundation/cursor.ts';
import { decodeCursor } from '../../foundation/cursor.ts';
import { invalidCursor, invalidRequest } from '../../foundation/http/http-problems.ts';
import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { epochMicroseconds, hourMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { searchTermsOf } from '../../foundation/search-text.ts';
import type { recorded } from '../../record/index.ts';
import type { RawItemsQuery } from './items-schema.ts';
import { queryCodePoints } from './items-schema.ts';

/** The normalized query, independent of its spelling. */
export interface ItemsQuery {
  readonly mode: RawItemsQuery['mode'];
  readonly category: string | null;
  readonly source: Id<'source'> | null;
  readonly language: string | null;
  readonly window: RawItemsQuery['window'];
  readonly by: RawItemsQuery['by'];
  readonly q: string | null;
}

export type ItemPosition = CursorPosition<'item'>;

const windowHours: Readonly<Record<ItemsQuery['window'], bigint>> = { '24h': 24n, '7d': 168n };

export function readItemsQuery({ mode, window, by, ...raw }: RawItemsQuery): ItemsQuery {
  return {
    mode,
    category: raw.category ?? null,
    source: (raw.source ?? null) as Id<'source'> | null,
    language: raw.language ?? null,
    window,
    by,
    q: raw.q === undefined ? null : readSearch(raw.q),
  };
}

export function filterOf({ mode, category, source, language, by }: ItemsQuery): recorded.ItemFilter {
  return { mode, category, sourceId: source, language, by };
}

export function readSearch(raw: string): string {
  const q = raw.trim();
  const length = Array.from(q).length;
  if (length >= queryCodePoints.min && length <= queryCodePoints.max && searchTermsOf(q).length > 0) return q;
  const message = `must have ${queryCodePoints.min} to ${queryCodePoints.max} characters after trimming`;
  throw new ProblemError(invalidRequest, `q ${message}`, { errors: [{ in: 'query', name: 'q', message }] });
}

export function spanOf(window: ItemsQuery['window'], now: EpochMicroseconds): recorded.ItemSpan {
  return { after: epochMicroseconds(now - windowHours[window] * hourMicroseconds), until: now };
}

/** The parameters that a cursor is bound to: all but the page size. */
export function bindingOf({ mode, category, source, language, window, by, q }: ItemsQuery): JsonValue {
  const further = source === null && language === null ? [] : [source, language];
  return ['items', mode, category, window, by, q, ...further];
}

export function readPosition(cursor: string, query: ItemsQuery, span: recorded.ItemSpan): ItemPosition {
  const decoded = decodeCursor<'item'>(cursor, bindingOf(query));
  if (!decoded.ok) {
    const detail =
      decoded.reason === 'foreign' ? 'The cursor belongs to another query.' : 'The cursor is malformed.';
    throw new ProblemError(invalidCursor, detail);
  }
  const { key } = decoded.value;
  if (key <= span.after || key > span.until)
    throw new ProblemError(invalidCursor, 'The cursor has expired: its item has left the 7-day window.');
  return decoded.value;
}
