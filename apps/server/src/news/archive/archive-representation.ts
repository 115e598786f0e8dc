import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { CalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { addDays, parseCalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { shanghaiInstant } from '../../foundation/calendar/shanghai-time.ts';
import type { JsonValue } from '../../foundation/canonical-json.ts';
import type { CursorPosition } from '../../foundation/cursor.ts';
import { decodeCursor, encodeCursor } from '../../foundation/cursor.ts';
import { invalidCursor, invalidRequest } from '../../foundation/http/http-problems.ts';
import type { Id } from '../../foundation/ids.ts';
import { epochMicroseconds } from '../../foundation/instant.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { readSearch } from '../items/items-query.ts';
import type { ItemsDeps } from '../items/items-representation.ts';
import { itemCacheTags, sentItem, wordingOf } from '../items/items-representation.ts';
import { jsonBody } from '../json-body.ts';
import type { RawArchiveQuery } from './archive-schema.ts';

/** The normalized query, independent of its spelling. */
export interface ArchiveQuery {
  readonly category: string | null;
  readonly source: Id<'source'> | null;
  readonly language: string | null;
  readonly story: Id<'story'> | null;
  readonly from: CalendarDate | null;
  readonly to: CalendarDate | null;
  readonly q: string | null;
}

export type ArchivePage = Awaited<ReturnType<RecordReader['archive']>>;

export function readArchiveQuery(raw: Omit<RawArchiveQuery, 'limit' | 'cursor'>): ArchiveQuery {
  return {
    category: raw.category ?? null,
    source: (raw.source ?? null) as Id<'source'> | null,
    language: raw.language ?? null,
    story: (raw.story ?? null) as Id<'story'> | null,
    from: readDate('from', raw.from),
    to: readDate('to', raw.to),
    q: raw.q === undefined ? null : readSearch(raw.q),
  };
}

function readDate(name: 'from' | 'to', text: string | undefined): CalendarDate | null {
  if (text === undefined) return null;
  const parsed = parseCalendarDate(text);
  if (parsed.ok) return parsed.value;
  const message = 'is not a valid date';
  throw new ProblemError(invalidRequest, `${name} ${message}`, { errors: [{ in: 'query', name, message }] });
}

/** Validates the whole request before any lookup. */
export function archiveResource(deps: ItemsDeps, raw: RawArchiveQuery): Resource {
  const query = readArchiveQuery(raw);
  const position = raw.cursor === undefined ? null : readArchivePosition(raw.cursor, query);
  return {
    key: `archive ${JSON.stringify([archiveBindingOf(query), raw.limit, raw.cursor ?? null])}`,
    cacheTags: itemCacheTags,
    build: async () => {
      const { items, next } = await readArchive(deps, query, position, raw.limit);
      const worded = { ...deps, language: wordingOf(deps, query) };
      const nextCursor = next === null ? null : encodeCursor(next, archiveBindingOf(query));
      const page = JSON.stringify({ count: items.length, hasMore: next !== null, nextCursor });
      const bodies = items.map((item) => sentItem(worded, item)).join(',');
      return jsonBody(
        `{"schemaVersion":1,"query":${JSON.stringify(query)},"items":[${bodies}],"page":${page}}`,
      );
    },
  };
}

export function readArchive(
  { record, clock }: Pick<ItemsDeps, 'record' | 'clock'>,
  { category, source, language, story, from, to, q }: ArchiveQuery,
  position: CursorPosition<'item'> | null,
  limit: number,
): Promise<ArchivePage> {
  // A span excludes its first instant and includes its last.
  const justBefore = (date: CalendarDate) => epochMicroseconds(shanghaiInstant(date, midnight) - 1n);
  return record.archive({
    filter: { category, sourceId: source, language, storyId: story },
    q,
    span: {
      after: from === null ? epochMicroseconds(0n) : justBefore(from),
      until: to === null ? clock.now() : justBefore(addDays(to, 1)),
    },
    position,
    limit,
  });
}

const midnight = { hour: 0, minute: 0 };

export function archiveBindingOf({
  category,
  source,
  language,
  story,
  from,
  to,
  q,
}: ArchiveQuery): JsonValue {
  return ['archive', category, source, language, story, from, to, q];
}

export function readArchivePosition(cursor: string, query: ArchiveQuery): CursorPosition<'item'> {
  const decoded = decodeCursor<'item'>(cursor, archiveBindingOf(query));
  if (decoded.ok) return decoded.value;
  const detail =
    decoded.reason === 'foreign' ? 'The cursor belongs to another query.' : 'The cursor is malformed.';
  throw new ProblemError(invalidCursor, detail);
}
