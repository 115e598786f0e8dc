import type { RouteDeclaration } from '../foundation/http/route.ts';
import { hubRoutes } from './hubs/hub-routes.ts';
import type { IngestDeps } from './ingest-work.ts';
import { defaultPace, pushedPollSpacingMs } from './schedule/next-poll.ts';

/** The callback routes of hubs. Empty in the same cases as the sweep that subscribes. */
export function ingestRoutes({
  database,
  clock,
  secretBox = null,
  hubCallbackBase = null,
}: Pick<IngestDeps, 'database' | 'clock' | 'secretBox' | 'hubCallbackBase'>): readonly RouteDeclaration[] {
  if (hubCallbackBase === null || secretBox === null) return [];
  return hubRoutes({
    database,
    clock,
    secretBox,
    pushedPollSpacingMs: pushedPollSpacingMs(defaultPace),
  });
}
