import type { TObject } from 'typebox';
import { Type } from 'typebox';

import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { idForm } from '../../foundation/ids.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { editionTag, itemTag, storyTag } from '../../record/index.ts';
import { apiPath } from '../addresses.ts';
import { editionDefinitions } from '../editions/edition-kinds.ts';
import { ItemParamsSchema } from '../items/items-schema.ts';
import { jsonBody } from '../json-body.ts';
import type { NewsRouteTools, UncachedResource } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { StoryParamsSchema } from '../stories/story-schema.ts';
import { logUnsigned, noCheckpoint, notInCheckpoint, pendingEntry } from './log-problems.ts';
import { ProofResponseSchema, proofExample } from './proof-schema.ts';

interface ProofDeps {
  readonly record: RecordReader;
  readonly storyLayer: boolean;
}

type LoggedKind = Parameters<RecordReader['proof']>[0];

/** Something published whose newest state can be proved. */
interface Provable {
  readonly name: string;
  readonly path: string;
  readonly params: TObject;
  readonly param: string;
  readonly kind: LoggedKind;
  readonly isId: (id: string) => boolean;
  /** Purges copies of the proof together with copies of the content. */
  readonly edgeTags: (id: string) => readonly string[];
}

const isUuid = (id: string): boolean => idForm.test(id);

const items: Provable = {
  name: 'Item',
  path: 'items',
  params: ItemParamsSchema,
  param: 'id',
  kind: 'item',
  isId: isUuid,
  edgeTags: (id) => [itemTag(id)],
};
const stories: Provable = {
  name: 'Story',
  path: 'stories',
  params: StoryParamsSchema,
  param: 'publicId',
  kind: 'story',
  isId: isUuid,
  edgeTags: (id) => [storyTag(id)],
};
const corrections: Provable = {
  name: 'Correction',
  path: 'corrections',
  params: Type.Object({ id: Type.String({ maxLength: 128, description: 'Id of a correction.' }) }),
  param: 'id',
  kind: 'correction',
  isId: isUuid,
  edgeTags: () => [],
};
const editions: readonly Provable[] = editionDefinitions.map(
  ({ kind, plural, label, labelSchema, isLabel }) => ({
    name: `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    path: plural,
    params: Type.Object({ [label]: labelSchema }),
    param: label,
    kind,
    isId: isLabel,
    edgeTags: (period: string) => [editionTag({ kind, period })],
  }),
);

export function proofRoutes(tools: NewsRouteTools, deps: ProofDeps): readonly RouteDeclaration[] {
  return [items, stories, ...editions, corrections].map((provable) =>
    defineNewsRoute(tools, {
      path: `${apiPath}/${provable.path}/{${provable.param}}/proof`,
      operationId: `get${provable.name}Proof`,
      tag: 'proofs',
      summary: 'Get the newest entry in the public log, with its proof.',
      description:
        'Contains the published content, or states that it was withdrawn, and proves that the entry is in the log. Content from before the log is not in it.',
      params: provable.params,
      ok: { description: 'The proof.', schema: ProofResponseSchema, example: proofExample },
      problems: [notFound, notInCheckpoint, logUnsigned],
      freshness: 'minute',
      resource: ({ params }) =>
        proofResource(deps, provable, (params as Record<string, string>)[provable.param] ?? ''),
    }),
  );
}

function proofResource({ record, storyLayer }: ProofDeps, provable: Provable, id: string): UncachedResource {
  const { kind, isId, edgeTags } = provable;
  if (!isId(id) || (kind === 'story' && !storyLayer)) throw notLogged();
  return {
    key: `proof ${kind} ${id}`,
    cacheTags: [],
    edgeTags: edgeTags(id),
    uncached: true,
    build: async () => {
      const outcome = await record.proof(kind, id);
      if (outcome.state === 'unlogged') throw notLogged();
      if (outcome.state === 'unsigned') throw noCheckpoint();
      if (outcome.state === 'pending') throw pendingEntry();
      return jsonBody(JSON.stringify({ schemaVersion: 1, proof: outcome.proof }));
    },
  };
}

function notLogged(): ProblemError {
  return new ProblemError(notFound, 'The public log has no entry for this subject.');
}
