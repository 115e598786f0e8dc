import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { logKeyFile } from '../../../apps/server/src/record/wiring.ts';
import type { EngineStage } from '../engine/engine-stage.ts';
import { setEngineStage } from '../engine/engine-stage.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import { checkEntries } from '../log/check-entries.ts';
import { checkProofs } from '../log/check-proofs.ts';
import { finishLog } from '../log/finish-log.ts';
import type { LogWriterDemand } from '../log/log-demand.ts';
import { decisionTables } from '../log/log-demand.ts';

const workers = 3;
const writer = fileURLToPath(new URL('../processes/log-writer.ts', import.meta.url));

interface Plan {
  readonly decisions: number;
  readonly killEveryDecisions: number;
  readonly checkpointEverySeconds: number;
  readonly restarts: number;
}

const full: Plan = { decisions: 200_000, killEveryDecisions: 2_000, checkpointEverySeconds: 5, restarts: 5 };
const quick: Plan = { decisions: 500, killEveryDecisions: 60, checkpointEverySeconds: 0.3, restarts: 1 };

export const suite: Suite = {
  name: 'log',
  summary:
    'Every public decision is one leaf of the public log, in an order that respects commits, and every proof and checkpoint verifies.',
  headline: 'decisions',
  promise:
    'Three workers publish, revise, withdraw and open stories at random about the same items and sequence the public log, while they are killed with `kill -9` and the database is restarted as after a crash. The attacker can kill any process at any time and knows the tables. Each decision notes in its own transaction what it did. In the end the log has exactly one leaf for each of these notes; a decision that began after the commit of another had returned has a later leaf; revisions of a subject are in order; the root of each collected checkpoint is that of the leaves by the definition of RFC 9162; every checkpoint is consistent with every later one; every item has a proof that a reader verifies with nothing but the key, and no withdrawn item has a salt. Where Go is installed, golang.org/x/mod/sumdb verifies the same checkpoints and proofs.',
  measuresNoTime: true,
  run: async (context) => {
    const plan = context.quick ? quick : full;
    const folder = await mkdtemp(join(tmpdir(), 'daybook-log-'));
    const engine = await setEngineStage();
    try {
      await engine.query(decisionTables);
      const keys = await logKeyFile.generateLogKey('prove.example/log');
      const checkpoints = await publishUnderKills(context, engine, plan, keys, join(folder, 'workers.log'));
      await checkEntries(context, engine);
      await checkProofs(context, engine, {
        checkpoints,
        verifierKeys: (await logKeyFile.parseLogKeys(keys)).verifierKeys,
      });
    } finally {
      await engine.remove();
      await rm(folder, { recursive: true });
    }
  },
};

/** Returns every checkpoint that was read meanwhile. */
async function publishUnderKills(
  { figure, note }: SuiteContext,
  engine: EngineStage,
  plan: Plan,
  keys: string,
  logFile: string,
): Promise<readonly string[]> {
  const { checkpointEverySeconds } = plan;
  const settings: LogWriterDemand = { url: engine.applicationUrl, keys, checkpointEverySeconds };
  const supervisor = startWorkerSupervisor({ program: writer, slots: workers, settings, logFile });
  const checkpoints = new Set<string>();
  let [killed, restarts] = [0, 0];
  try {
    for (;;) {
      const [state] = await engine.query<{
        decided: number;
        waiting: number;
        unsigned: number;
        checkpoint: string | null;
      }>(
        `SELECT (SELECT count(*) FROM log_proof.decided)::int AS decided, size::int - checkpoint_size::int AS unsigned,
           (SELECT count(*) FROM record.log_entry WHERE leaf_index IS NULL)::int AS waiting, checkpoint
         FROM record.log_head`,
      );
      if (state === undefined) throw new Error('the log has no head');
      if (state.checkpoint !== null) checkpoints.add(state.checkpoint);
      if (state.decided >= plan.decisions) break;
      if (state.decided > (killed + 1) * plan.killEveryDecisions) {
        supervisor.signal(killed % workers, 'SIGKILL');
        killed += 1;
      }
      if (
        restarts < plan.restarts &&
        state.decided > (plan.decisions * (restarts + 1)) / (plan.restarts + 1)
      ) {
        await engine.cluster.restart('immediate');
        restarts += 1;
        note(`restarted the database after ${state.decided} decisions`);
      }
      await delay(60);
    }
  } finally {
    await supervisor.stop();
  }
  figure({ name: 'workers killed', value: killed, unit: 'times' });
  figure({ name: 'restarts of the database', value: restarts, unit: 'times' });
  checkpoints.add(await finishLog(engine, keys));
  return [...checkpoints];
}
