import type { Static } from 'typebox';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { isoMilliseconds } from '../../foundation/instant.ts';
import type { RecordReader, recorded } from '../../record/index.ts';
import { recordCacheTags } from '../../record/index.ts';
import { apiPath } from '../addresses.ts';
import { jsonBody } from '../json-body.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { InstantSchema, Nullable, SchemaVersion } from '../nullable-schema.ts';
import { LogEntrySchema } from './proof-schema.ts';
import type { Provable, ProvableDeps } from './provable.ts';
import { notLogged, requireProvable, revisable } from './provable.ts';

const RevisionSchema = Type.Object(
  {
    revision: Type.Integer({ minimum: 1 }),
    action: LogEntrySchema.properties.action,
    at: InstantSchema,
    leafIndex: Nullable(
      Type.Integer({
        description: 'Index in the public log; null until a signed checkpoint contains it.',
      }),
    ),
    content: Nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'Content, as in the proof; null if it was withdrawn, or if its text has been erased since.',
        },
      ),
    ),
    erasedAt: Nullable(
      Type.String({
        ...InstantSchema,
        description: 'Time when text was erased because of a withdrawal or correction.',
      }),
    ),
    correction: Type.Unsafe<{ action: string; reason: string } | null>({
      type: ['object', 'null'],
      required: ['action', 'reason'],
      properties: {
        action: { type: 'string', enum: ['withdrawn', 'corrected', 'merged', 'split'] },
        reason: { type: 'string' },
      },
      description:
        'The public correction that caused the revision; null for routine changes by the newsroom.',
    }),
  },
  { title: 'Revision' },
);

const HistoryResponseSchema = Type.Object(
  {
    schemaVersion: SchemaVersion,
    revisions: Type.Array(RevisionSchema, { maxItems: 100, description: 'Newest first, at most 100.' }),
  },
  { title: 'HistoryResponse' },
);

const example: Static<typeof HistoryResponseSchema> = {
  schemaVersion: 1,
  revisions: [
    {
      revision: 1,
      action: 'published',
      at: '2026-11-14T09:12:44.120Z',
      leafIndex: 48,
      content: { id: '019a83c0-7777-7888-8999-aaaabbbbcccc', title: 'Halden Labs opens its weights' },
      erasedAt: null,
      correction: null,
    },
  ],
};

const subjects: Readonly<Record<recorded.HistoryKind, string>> = {
  item: 'an item',
  story: 'a story',
  daily: 'a daily report',
  weekly: 'a weekly report',
  monthly: 'a monthly report',
};

export function historyRoutes(tools: NewsRouteTools, deps: ProvableDeps): readonly RouteDeclaration[] {
  return revisable.map((one) =>
    defineNewsRoute(tools, {
      path: `${apiPath}/${one.path}/{${one.param}}/history`,
      operationId: `get${one.name}History`,
      tag: 'proofs',
      summary: `List the revisions of ${subjects[one.kind]}, with the content of each.`,
      description:
        'Every change of the public content since the public log began. Text that a withdrawal or correction removed is omitted from all revisions.',
      params: one.params,
      ok: { description: 'The revisions.', schema: HistoryResponseSchema, example },
      problems: [notFound],
      freshness: 'minute',
      resource: ({ params }) =>
        historyResource(deps, one, (params as Record<string, string>)[one.param] ?? ''),
    }),
  );
}

function historyResource(deps: ProvableDeps, one: Provable<recorded.HistoryKind>, id: string) {
  requireProvable(one, id, deps);
  return {
    key: `history ${one.kind} ${id}`,
    cacheTags: tagsOf[one.kind],
    edgeTags: [...one.edgeTags(id), ...tagsOf[one.kind]],
    build: async () => {
      const revisions = await deps.record.history(one.kind, id);
      if (revisions === null) throw notLogged();
      return jsonBody(JSON.stringify({ schemaVersion: 1, revisions: revisions.map(presentRevision) }));
    },
  };
}

/** A withdrawal or a correction erases text from the history of every subject that repeated it. */
const tagsOf: Readonly<Record<recorded.HistoryKind, readonly string[]>> = {
  item: [recordCacheTags.items],
  story: [recordCacheTags.stories],
  daily: [recordCacheTags.editions],
  weekly: [recordCacheTags.editions],
  monthly: [recordCacheTags.editions],
};

type Revision = NonNullable<Awaited<ReturnType<RecordReader['history']>>>[number];

function presentRevision(revision: Revision) {
  const { at, erasedAt, ...rest } = revision;
  return { ...rest, at: isoMilliseconds(at), erasedAt: erasedAt === null ? null : isoMilliseconds(erasedAt) };
}
