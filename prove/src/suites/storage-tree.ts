import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { TreeChange, TreeFolder } from '../storage/tree-client.ts';
import { TreeClient } from '../storage/tree-client.ts';

export const suite: Suite = {
  name: 'storage-tree',
  summary: 'Concurrent folder changes create no cycle, loss or duplicate name, and match a model.',
  headline: 'changes made',
  promise:
    'Eight clients make, rename, move, delete and restore folders of one project at the same time over two api processes, each its own folders, into any other. Afterwards there is no circle, no folder without the way up to its project, none deeper than 64, no two live siblings of one folded name, and every folder has the place, the name and the mark that its client was last told.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await openStorageStage(2);
    try {
      await changeTree(context, stage);
    } finally {
      await stage.stop();
    }
  },
};

const clientCount = 8;
/** Of all that is tried: a tree in which most is refused would show little. */
const leastShares: Readonly<Record<TreeChange, number>> = {
  made: 0.002,
  renamed: 0.05,
  moved: 0.08,
  deleted: 0.02,
  restored: 0.02,
};

async function changeTree(context: SuiteContext, stage: StorageStage): Promise<void> {
  const projectId = await stage.newProject('tree');
  const everyone: TreeFolder[] = [];
  const clients = Array.from(
    { length: clientCount },
    (_, index) => new TreeClient(stage, projectId, everyone, seededRandom(100 + index)),
  );
  const turns = (context.quick ? 800 : 100_000) / clientCount;
  await Promise.all(
    clients.map(async (client) => {
      for (let turn = 0; turn < turns; turn += 1) await client.act();
    }),
  );
  const sum = (count: (client: TreeClient) => number): number =>
    clients.reduce((total, client) => total + count(client), 0);
  for (const [change, share] of Object.entries(leastShares) as [TreeChange, number][])
    context.figure({
      name: `folders ${change}`,
      value: sum(({ done }) => done[change]),
      unit: 'times',
      goal: { atLeast: Math.floor(share * turns * clientCount) },
    });
  context.figure({
    name: 'changes made',
    value: sum(({ done }) => Object.values(done).reduce((one, other) => one + other, 0)),
    unit: 'changes',
    goal: { atLeast: 0.4 * turns * clientCount },
  });
  context.figure({
    name: 'changes refused',
    value: sum(({ refused }) => refused),
    unit: 'changes',
    goal: { atLeast: 100 },
  });
  const none = (name: string, value: number, unit: string): void =>
    context.figure({ name, value, unit, goal: { exactly: 0 } });
  none(
    'answered otherwise',
    sum(({ unexpected }) => unexpected),
    'answers',
  );
  await judge(stage, projectId, everyone, none);
}

interface Row {
  readonly id: string;
  readonly parent_id: string | null;
  readonly name: string;
  readonly folded_name: string;
  readonly trashed: boolean;
}

async function judge(
  stage: StorageStage,
  projectId: string,
  model: readonly TreeFolder[],
  none: (name: string, value: number, unit: string) => void,
): Promise<void> {
  const { rows } = await stage.superuser.pool.query<Row>(
    'SELECT id, parent_id, name, folded_name, trashed_at IS NOT NULL AS trashed FROM storage.entry WHERE project_id = $1',
    [projectId],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const depths = rows.map((row) => depthOf(row, byId));
  none(
    'folders in a circle, lost, or deeper than 64',
    depths.filter((depth) => depth > 64).length,
    'folders',
  );
  const live = rows.filter(({ trashed }) => !trashed).map((row) => `${row.parent_id} ${row.folded_name}`);
  none('live siblings of one name', live.length - new Set(live).size, 'folders');
  const differing = model.filter(({ id, parentId, name, trashed }) => {
    const row = byId.get(id);
    return row?.parent_id !== parentId || row.name !== name || row.trashed !== trashed;
  });
  none('folders that are not as their client was told', differing.length, 'folders');
  none('folders that nobody knows of', rows.length - model.length, 'folders');
}

/** Infinity where the way up does not end at the project. */
function depthOf(row: Row, byId: ReadonlyMap<string, Row>): number {
  let depth = 1;
  for (let above: Row | undefined = row; above.parent_id !== null; depth += 1) {
    above = byId.get(above.parent_id);
    if (above === undefined || depth > byId.size) return Number.POSITIVE_INFINITY;
  }
  return depth;
}
