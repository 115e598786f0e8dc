import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath } from '../addresses.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { bucketsResource } from './buckets-representation.ts';
import { changesResource } from './changes-representation.ts';
import { snapshotRequired } from './selected-errors.ts';
import {
  BucketsResponseSchema,
  ChangesQuerySchema,
  ChangesResponseSchema,
  SnapshotQuerySchema,
  SnapshotResponseSchema,
  bucketsExample,
  changesExample,
  snapshotExample,
} from './selected-schema.ts';
import type { SelectedDeps } from './snapshot-representation.ts';
import { snapshotResource } from './snapshot-representation.ts';

export function selectedRoutes(tools: NewsRouteTools, deps: SelectedDeps): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/selected/snapshot`,
      operationId: 'getSelectedSnapshot',
      tag: 'mirror',
      summary: 'Download the selected set, page by page.',
      query: SnapshotQuerySchema,
      ok: { description: 'One page.', schema: SnapshotResponseSchema, example: snapshotExample },
      problems: [invalidCursor, snapshotRequired],
      freshness: 'five-minutes',
      resource: ({ query }) => snapshotResource(deps, query),
    }),
    defineNewsRoute(tools, {
      path: `${apiPath}/selected/changes`,
      operationId: 'listSelectedChanges',
      tag: 'mirror',
      summary: 'List changes of the selected set since a cursor.',
      query: ChangesQuerySchema,
      ok: { description: 'One page.', schema: ChangesResponseSchema, example: changesExample },
      problems: [snapshotRequired],
      freshness: 'minute',
      resource: ({ query }) => changesResource(deps, query),
    }),
    defineNewsRoute(tools, {
      path: `${apiPath}/selected/buckets`,
      operationId: 'getSelectedBuckets',
      tag: 'mirror',
      summary: 'Get checksums of the selected set by ranges of ids.',
      description:
        'Shows which part of a mirror differs. Replace the items of each range that differs with those of its page, then continue with changes from this cursor.',
      ok: { description: 'All ranges.', schema: BucketsResponseSchema, example: bucketsExample },
      freshness: 'five-minutes',
      resource: () => bucketsResource(deps),
    }),
  ];
}
