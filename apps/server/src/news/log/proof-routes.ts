import { Type } from 'typebox';

import type { Clock } from '../../foundation/clock.ts';
import { closedObject } from '../../foundation/closed-object.ts';
import { invalidRequest, notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { ProblemError } from '../../foundation/problem.ts';
import { apiPath } from '../addresses.ts';
import { jsonBody } from '../json-body.ts';
import { parseMoment } from '../moments/moment-resource.ts';
import type { NewsRouteTools, UncachedResource } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { logUnsigned, noCheckpoint, notInCheckpoint, pendingEntry } from './log-problems.ts';
import { ProofResponseSchema, proofExample } from './proof-schema.ts';
import type { Provable, ProvableDeps } from './provable.ts';
import { notLogged, provable, requireProvable } from './provable.ts';

interface ProofDeps extends ProvableDeps {
  readonly clock: Clock;
}

const proofQuery = closedObject({
  revision: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'Number of the revision. Default: the newest.',
    }),
  ),
  at: Type.Optional(
    Type.String({
      maxLength: 40,
      description: 'Selects the entry that was the newest at this time in the past (ISO 8601).',
    }),
  ),
  since: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The size of a checkpoint that you saved. The response then also proves that the log has only grown since.',
    }),
  ),
});

interface ProofQuery {
  readonly revision?: number;
  readonly at?: string;
  readonly since?: number;
}

export function proofRoutes(tools: NewsRouteTools, deps: ProofDeps): readonly RouteDeclaration[] {
  return provable.map((one) =>
    defineNewsRoute(tools, {
      path: `${apiPath}/${one.path}/{${one.param}}/proof`,
      operationId: `get${one.name}Proof`,
      tag: 'proofs',
      summary: 'Get an entry in the public log, with its proof.',
      description:
        'Returns the newest entry, or the entry that `revision` or `at` selects. The proof contains the published content, or states that it was withdrawn, and proves that the entry is in the log. Content published before the log began has no entry. `body` and `salt` are null if the content was withdrawn, or if its text was erased by a later withdrawal or correction.',
      params: one.params,
      query: proofQuery,
      ok: { description: 'The proof.', schema: ProofResponseSchema, example: proofExample },
      problems: [notFound, notInCheckpoint, logUnsigned],
      freshness: 'minute',
      resource: ({ params, query }) =>
        proofResource(deps, one, { id: (params as Record<string, string>)[one.param] ?? '', query }),
    }),
  );
}

function proofResource(
  deps: ProofDeps,
  one: Provable,
  { id, query }: { readonly id: string; readonly query: ProofQuery },
): UncachedResource {
  requireProvable(one, id, deps);
  const { at, ...wanted } = query;
  const moment = at === undefined ? {} : { at: parseMoment(at, deps.clock.now()) };
  return {
    key: `proof ${one.kind} ${id} ${JSON.stringify(query)}`,
    cacheTags: [],
    edgeTags: one.edgeTags(id),
    uncached: true,
    build: async () => {
      const outcome = await deps.record.proof(one.kind, id, { ...wanted, ...moment });
      if (outcome.state === 'unlogged') throw notLogged();
      if (outcome.state === 'unsigned') throw noCheckpoint();
      if (outcome.state === 'pending') throw pendingEntry();
      if (outcome.state === 'shorter') throw shorterLog();
      return jsonBody(JSON.stringify({ schemaVersion: 1, proof: outcome.proof }));
    },
  };
}

function shorterLog(): ProblemError {
  const message = 'is larger than the newest checkpoint';
  return new ProblemError(invalidRequest, `since ${message}`, {
    errors: [{ in: 'query', name: 'since', message }],
  });
}
