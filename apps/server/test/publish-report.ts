import { setTimeout as delay } from 'node:timers/promises';

import type { Transaction } from 'kysely';

import type { DB } from '../src/foundation/database/generated/database-types.ts';
import type { Id } from '../src/foundation/ids.ts';
import type { Result } from '../src/foundation/result.ts';
import { accepted } from '../src/foundation/result.ts';
import type { PublishReportsFault } from '../src/newsroom/publication/publish-reports.ts';
import { publishReports } from '../src/newsroom/publication/publish-reports.ts';
import type { StoryDeps } from '../src/newsroom/stories/place-reports.ts';
import { readReport } from '../src/newsroom/stories/place-reports.ts';
import type { Placement } from '../src/newsroom/stories/placement-batch.ts';
import { tryPlacementTurn } from '../src/newsroom/stories/story-index-store.ts';
import type { Decisions, ItemToPublish } from '../src/record/index.ts';

export type ItemReport = Omit<ItemToPublish, 'groupId' | 'storyId' | 'selection'> & {
  readonly id: Id<'item'>;
};

/** Reports as publication places and writes them, with the score they are given, once it is their turn. */
export async function publishAsReports(
  deps: StoryDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  items: readonly ItemReport[],
): Promise<Result<readonly Placement[], PublishReportsFault>> {
  while (!(await tryPlacementTurn(transaction))) await delay(5);
  const reports = items.map((item) => ({ ...item, report: readReport(deps, item) }));
  return publishReports(deps, transaction, decisions, reports, async () =>
    items.map(({ score }) => ({ score, selection: null })),
  );
}

export async function publishAsReport(
  deps: StoryDeps,
  transaction: Transaction<DB>,
  decisions: Decisions,
  item: ItemReport,
): Promise<Result<Placement, PublishReportsFault>> {
  const published = await publishAsReports(deps, transaction, decisions, [item]);
  return published.ok ? accepted(published.value[0] as Placement) : published;
}
