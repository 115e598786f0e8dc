import { Type } from 'typebox';

import type { RouteDeclaration } from '../src/foundation/http/route.ts';
import { defineRoute } from '../src/foundation/http/route.ts';
import type { Surface } from '../src/foundation/http/surface.ts';
import type { Identity } from '../src/identity/index.ts';

const Body = Type.Object({ items: Type.Array(Type.Object({ id: Type.Integer(), title: Type.String() })) });
const items = Array.from({ length: 20 }, (_, id) => ({
  id,
  title: `Item ${id} with a title of a usual length`,
}));

/** The same response with and without the guard, to measure the guard's cost. */
export function guardCostRoutes({ dataSurface }: Pick<Identity, 'dataSurface'>): readonly RouteDeclaration[] {
  const open: Surface = { name: 'open', cors: null, problems: [], admit: () => {} };
  return [
    { surface: open, path: '/guard-cost/open' },
    { surface: dataSurface, path: '/guard-cost/guarded' },
  ].map(({ surface, path }) =>
    defineRoute({
      method: 'GET',
      path,
      surface,
      operationId: surface.name,
      tag: 'cost',
      summary: 'Twenty items.',
      responses: { 200: { description: 'Items.', schema: Body } },
      problems: [],
      handle: ({ reply }) => reply.header('cache-control', 'no-store').send({ items }),
    }),
  );
}
