import { invalidCursor } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { apiPath } from '../addresses.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { changesResource } from './changes-representation.ts';
import { snapshotRequired } from './selected-errors.ts';
import {
  ChangesQuerySchema,
  ChangesResponseSchema,
  SnapshotQuerySchema,
  SnapshotResponseSchema,
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
  ];
}
