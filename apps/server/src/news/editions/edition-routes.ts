import { Type } from 'typebox';

import { closedObject } from '../../foundation/closed-object.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { RecordReader } from '../../record/index.ts';
import { apiPath } from '../addresses.ts';
import { momentQuery } from '../moments/as-of-schema.ts';
import type { MomentDeps, MomentSubject } from '../moments/moment-resource.ts';
import { atMoment } from '../moments/moment-resource.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { languageQuery } from '../reader-language-query.ts';
import { indexExample, editionExample } from './edition-examples.ts';
import type { EditionDefinition } from './edition-kinds.ts';
import { editionDefinitions } from './edition-kinds.ts';
import type { EditionDeps } from './edition-representation.ts';
import { editionIndexResource, editionResource, jsonEdition } from './edition-representation.ts';

export function editionRoutes(
  tools: NewsRouteTools,
  deps: EditionDeps & MomentDeps,
): readonly RouteDeclaration[] {
  return editionDefinitions.flatMap((definition) => [
    indexRoute(tools, deps, definition),
    latestRoute(tools, deps, definition),
    datedRoute(tools, deps, definition),
  ]);
}

function indexRoute(
  tools: NewsRouteTools,
  deps: EditionDeps & MomentDeps,
  definition: EditionDefinition,
): RouteDeclaration {
  const { limits, plural, kind } = definition;
  return defineNewsRoute(tools, {
    path: `${apiPath}/${plural}`,
    operationId: `list${capital(plural)}`,
    tag: 'reports',
    summary: `List ${kind} reports, newest first.`,
    query: closedObject({
      limit: Type.Integer({ minimum: 1, maximum: limits.max, default: limits.default }),
      ...languageQuery.properties,
    }),
    ok: { description: 'The index.', schema: definition.indexSchema, example: indexExample(definition) },
    freshness: definition.indexFreshness,
    resource: ({ query }) => editionIndexResource(deps, definition, query),
  });
}

function latestRoute(
  tools: NewsRouteTools,
  deps: EditionDeps & MomentDeps,
  definition: EditionDefinition,
): RouteDeclaration {
  const { plural, kind } = definition;
  return defineNewsRoute(tools, {
    path: `${apiPath}/${plural}/latest`,
    operationId: `getLatest${capital(kind)}`,
    tag: 'reports',
    summary: `Get the latest ${kind} report.`,
    query: momentQuery,
    ok: { description: 'The report.', schema: definition.editionSchema, example: editionExample(definition) },
    problems: [notFound],
    freshness: definition.latestFreshness,
    resource: ({ query: { at, ...query } }) =>
      atMoment(deps, { at, subject: (then) => newestOf(then, kind), proof: null }, (then) =>
        editionResource(then, definition, query, jsonEdition),
      ),
  });
}

function datedRoute(
  tools: NewsRouteTools,
  deps: EditionDeps & MomentDeps,
  definition: EditionDefinition,
): RouteDeclaration {
  const { plural, kind, label } = definition;
  return defineNewsRoute(tools, {
    path: `${apiPath}/${plural}/{${label}}`,
    operationId: `get${capital(kind)}`,
    tag: 'reports',
    summary: `Get the ${kind} report of a ${label}.`,
    description:
      'Use labels from the index; do not guess them. Reports can be corrected after publication; revalidate stored copies.',
    params: Type.Object({ [label]: definition.labelSchema }),
    query: momentQuery,
    ok: { description: 'The report.', schema: definition.editionSchema, example: editionExample(definition) },
    problems: [notFound],
    freshness: 'five-minutes',
    resource: ({ params, query: { at, ...query } }) => {
      const period = params[label] ?? '';
      const subject = async () => ({ kind, period });
      return atMoment(deps, { at, subject, proof: `${apiPath}/${plural}/${period}/proof` }, (then) =>
        editionResource(then, definition, { label: period, ...query }, jsonEdition),
      );
    },
  });
}

async function newestOf(
  record: ReturnType<RecordReader['at']>,
  kind: EditionDefinition['kind'],
): Promise<MomentSubject> {
  return { kind, period: (await record.edition(kind, 'latest'))?.period ?? '' };
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
