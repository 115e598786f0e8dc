import type { Resource } from '../../foundation/cache/representation-cache.ts';
import type { Clock } from '../../foundation/clock.ts';
import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { idForm } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader, recorded } from '../../record/index.ts';
import { recordCacheTags } from '../../record/index.ts';
import { apiPath } from '../addresses.ts';
import { spanOf } from '../items/items-query.ts';
import { jsonBody, formatInstant } from '../json-body.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { SourcesQuerySchema, SourcesResponseSchema, sourcesExample } from './sources-schema.ts';

export interface SourcesDeps {
  readonly record: RecordReader;
  readonly clock: Clock;
}

type Position = NonNullable<recorded.SourcesRequest['after']>;

export function sourcesRoutes(tools: NewsRouteTools, deps: SourcesDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/sources`,
      operationId: 'listSources',
      tag: 'sources',
      summary: 'List sources, sorted by name.',
      query: SourcesQuerySchema,
      ok: { description: 'One page.', schema: SourcesResponseSchema, example: sourcesExample },
      problems: [invalidCursor],
      freshness: 'five-minutes',
      resource: ({ query: { limit, cursor } }) => sourcesResource(deps, limit, cursor),
    }),
  ];
}

function sourcesResource({ record, clock }: SourcesDeps, limit: number, cursor?: string): Resource {
  const after = cursor === undefined ? null : readCursor(cursor);
  return {
    key: `sources ${limit} ${cursor ?? ''}`,
    cacheTags: [recordCacheTags.sources],
    build: async () => {
      const since = spanOf('7d', clock.now()).after;
      const found = await record.sources({ since, after, rowsMax: limit + 1 });
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const nextCursor = found.length > limit && last !== undefined ? writeCursor(last) : null;
      return jsonBody(
        JSON.stringify({
          schemaVersion: 1,
          sources: shown.map(presentSource),
          page: { count: shown.length, hasMore: nextCursor !== null, nextCursor },
        }),
      );
    },
  };
}

function presentSource(source: recorded.RecordedSource): object {
  const { id, name, owner, firstParty, language, state, homepageUrl } = source;
  return {
    id,
    name,
    owner,
    firstParty,
    language,
    state,
    links: { homepage: homepageUrl },
    contributed: {
      items: source.itemCount,
      selected: source.selectedCount,
      latestAt: formatInstant(source.latestAt),
    },
  };
}

/** The last source of a page; opaque, but not secret. */
function writeCursor({ name, id }: Position): string {
  return Buffer.from(JSON.stringify([name, id])).toString('base64url');
}

function readCursor(cursor: string): Position {
  const unreadable = new ProblemError(invalidCursor, 'The cursor is malformed.');
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (!Array.isArray(parsed) || parsed.length !== 2) throw unreadable;
    const [name, id] = parsed as unknown[];
    if (typeof name !== 'string' || typeof id !== 'string' || !idForm.test(id)) throw unreadable;
    if (writeCursor({ name, id }) !== cursor) throw unreadable;
    return { name, id };
  } catch {
    throw unreadable;
  }
}
