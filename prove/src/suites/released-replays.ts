import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { createWorld } from '@daybook/newswire';

import { dayMs } from '../../../apps/server/src/foundation/clock.ts';
import type { Id } from '../../../apps/server/src/foundation/ids.ts';
import { createIdSource } from '../../../apps/server/src/foundation/ids.ts';
import { instantToMs } from '../../../apps/server/src/foundation/instant.ts';
import { replayEdition } from '../../../apps/server/src/newsroom/editions/replay-edition.ts';
import { createPublisher } from '../../../apps/server/src/record/wiring.ts';
import type { DueEdition } from '../editions/due-editions.ts';
import { dueEditions } from '../editions/due-editions.ts';
import type { YearStage } from '../editions/year-stage.ts';
import { setYearStage, shanghai } from '../editions/year-stage.ts';
import type { ReleasedEditions } from '../processes/released-editions.ts';
import { checkOutRelease, describeMissingSource, readRelease } from '../releases/release.ts';

const program = fileURLToPath(new URL('../processes/released-editions.ts', import.meta.url));
const from = shanghai('2026-12-20T09:00');

export const suite: Suite = {
  name: 'released-replays',
  summary:
    'Reports of the latest release are reproduced byte for byte with its code, and a replay by this code names that release.',
  promise:
    'The code of the commit in `apps/server/test/releases/released.json` compiles reports of one week (with `--quick` of three days) in a database of this code. Then the texts of the items change. A replay by this code answers that other rules composed each report, and names the release. A replay by the code of the release gives the same report byte for byte.',
  measuresNoTime: true,
  nightly: true,
  run: async (context) => {
    const release = await readRelease(context.root);
    const missing = await describeMissingSource(context.root, release);
    if (missing !== null) {
      context.didNotRun(missing);
      return;
    }
    const source = await checkOutRelease(context.root, release);
    const to = shanghai(context.quick ? '2026-12-23T12:00' : '2026-12-28T12:00');
    const days = Math.ceil((instantToMs(to) - instantToMs(from)) / dayMs);
    const folder = await mkdtemp(join(tmpdir(), 'daybook-released-'));
    const world = createWorld({ seed: 29, startsAt: instantToMs(from), days, itemsPerDay: 40 });
    const stage = await setYearStage(world, folder);
    try {
      await proveRelease(
        context,
        stage,
        { root: source, version: release.version },
        dueEditions({ from, to }),
      );
    } finally {
      await stage.remove();
      for (const used of [folder, source]) await rm(used, { recursive: true, force: true });
    }
  },
};

async function proveRelease(
  context: SuiteContext,
  stage: YearStage,
  { root, version }: { readonly root: string; readonly version: string },
  due: readonly DueEdition[],
): Promise<void> {
  const { database } = stage;
  const withRelease = async (action: ReleasedEditions['action'], keys: readonly DueEdition[]) => {
    const request: ReleasedEditions = {
      root,
      databaseUrl: stage.engine.applicationUrl,
      action,
      editions: keys.map(({ kind, period, dueAt }) => ({ kind, period, dueAt: String(dueAt) })),
    };
    const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(request)]);
    return JSON.parse(stdout) as readonly string[];
  };
  for (const edition of due) {
    await stage.publishUntil(edition.dueAt);
    await withRelease('issue', [edition]);
  }
  await reviseAll(stage);
  const named = await Promise.all(
    due.map((key) => replayEdition(database, { language: 'en', aliases: [] }, key)),
  );
  const released = await withRelease('replay', due);
  const not = (name: string, value: number): void =>
    context.figure({ name, value, unit: 'reports', goal: { exactly: 0 } });
  context.figure({
    name: `reports of ${version}`,
    value: due.length,
    unit: 'reports',
    goal: { atLeast: 1 },
  });
  not('that do not replay byte for byte with that release', released.filter((one) => one !== 'same').length);
  not(
    'for which this code does not name that release',
    named.filter((one) => one.outcome !== 'other rules' || one.release !== version).length,
  );
}

async function reviseAll({ database, dispatches }: YearStage): Promise<void> {
  const now = shanghai('2027-01-01T00:00');
  const clock = { now: () => now, nowMs: () => instantToMs(now) };
  const publisher = createPublisher({ database, clock, ids: createIdSource({ clock, randomBytes }) });
  for (const itemId of dispatches.keys())
    await publisher.reviseItem({ itemId: itemId as Id<'item'>, changes: { title: `Otherwise ${itemId}` } });
}
