import { randomBytes } from 'node:crypto';

import { compareCheckpoints, verifyForkEvidence } from '@daybook/client/log/fork';
import type { RecordProof } from '@daybook/client/log/proof';
import { visitLog } from '@daybook/client/log/view';
import type { Suite, SuiteContext } from '@daybook/evidence';
import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';
import pg from 'pg';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { DatabaseConnection } from '../../../apps/server/src/foundation/database/database.ts';
import { connectDatabase } from '../../../apps/server/src/foundation/database/database.ts';
import { createLogins } from '../../../apps/server/src/foundation/database/logins.ts';
import { migrate } from '../../../apps/server/src/foundation/database/migrate.ts';
import { readMigrations } from '../../../apps/server/src/foundation/database/migration-files.ts';
import { readLogHead } from '../../../apps/server/src/record/reading/log-reading-store.ts';
import { readProof } from '../../../apps/server/src/record/reading/read-proof.ts';
import { logKeyFile, nextOrigin, rollWindow, startLogEpoch } from '../../../apps/server/src/record/wiring.ts';
import { createRecordFactory, valueOf } from '../../../apps/server/test/factories/record-factory.ts';
import { sequenceLog } from '../../../apps/server/test/sequence-log.ts';
import type { Attack, AttackFacts } from '../rewrite/attacks.ts';
import { attacksOn } from '../rewrite/attacks.ts';
import type { Operator, Signer } from '../rewrite/operator.ts';
import { change, goOn, signRewritten } from '../rewrite/operator.ts';
import type { Saved } from '../rewrite/parties.ts';
import { findFaults, isConfirmed, keysOf } from '../rewrite/parties.ts';
import { serveLog } from '../rewrite/served-log.ts';

const base = 'base';

export const suite: Suite = {
  name: 'rewrite',
  nightly: true,
  summary:
    'Every dishonest change of the record or its log by an operator with all rights is detected by a named party, with evidence that others verify.',
  headline: 'kinds of dishonest changes',
  promise:
    'The operator has all rights on the database and the key of the log, and changes content without an entry, entries, their order and times, the tree, checkpoints, keys and epochs; restores old backups and continues them; and signs what follows, so that each result is consistent in itself. For each change its own copy of the database is used. Five parties look afterwards: a reader who has only the key and verifies content, one who verifies all entries, one who saved a proof, a mirror that saved checkpoints, and a witness. The party that must detect the change does, and a third party that has only the key confirms it from what the party hands over as JSON: two signed checkpoints that contradict each other, or the saved note with which it repeats the check. An honest log, one that only grew, and an honest restore with a signed statement are reported by no party. Two readers who are shown two logs notice nothing alone; their checkpoints together are evidence, and a shared witness cosigns only one. docs/verifiability.md lists what cannot be detected.',
  measuresNoTime: true,
  run: async (context) => {
    const cluster = await startCluster({ settings: { fsync: 'off', synchronous_commit: 'off' } });
    try {
      const stage = await fillBase(cluster);
      await proveDetection(context, stage);
      await proveHonestChanges(context, stage);
      await proveIsolatedReaders(context, stage);
    } finally {
      await cluster.remove();
    }
  },
};

interface RewriteStage {
  readonly cluster: Cluster;
  readonly signer: Signer;
  readonly saved: Saved;
  readonly facts: AttackFacts;
}

function connect(cluster: Cluster, name: string): DatabaseConnection {
  return connectDatabase({
    url: cluster.url(name),
    name: 'prove rewrite',
    connectionsMax: 3,
    statementTimeoutMs: 60_000,
    connectTimeoutMs: 5_000,
  });
}

const itemsAtFirst = 260;

/** Two checkpoints: the reader with one proof has the first, the mirror and the witness have both. */
async function fillBase(cluster: Cluster): Promise<RewriteStage> {
  const urls = await createLogins({ superuserUrl: cluster.url(), database: base, password: 'prove' });
  await migrate(urls.owner, await readMigrations());
  const signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey('prove.example/log'));
  const { database, close } = connect(cluster, base);
  try {
    await rollWindow(database, systemClock.now());
    const factory = createRecordFactory({ database, clock: systemClock, randomBytes });
    const { publisher } = factory;
    const { itemId, other, storyId } = await publishFirst(factory);
    const itemIds = [itemId, other];
    await sequenceLog(database, signer);
    const proof = await proofOf(database, itemId);
    const period = '2026-11-15';
    const contents = {
      headline: 'A model was released',
      overview: 'And more.',
      headlineCites: [itemId],
      overviewCites: [],
      sections: [{ key: 'all', label: 'All', itemIds }],
      flashes: [],
    };
    valueOf(await publisher.issueEdition({ kind: 'daily', period, contents }));
    const changes = { summary: 'A right summary.' };
    valueOf(await publisher.correctItem({ itemId: other, changes, reason: 'A figure was wrong.' }));
    await goOn({ database, signer, factory }, 25);
    const head = await readLogHead(database);
    const [correction] = await database.selectFrom('record.correction').select('id').execute();
    const correctionId = correction?.id ?? '';
    return {
      cluster,
      signer,
      saved: {
        keys: signer.verifierKeys,
        proof,
        checkpoint: head.checkpoint ?? '',
        subjects: [
          { kind: 'item', id: itemId },
          { kind: 'story', id: storyId },
          { kind: 'daily', id: period },
          { kind: 'correction', id: correctionId },
        ],
      },
      facts: {
        itemId,
        storyId,
        period,
        correctionId,
        size: head.checkpointSize,
        proofSize: Number(proof.checkpoint.split('\n')[1]),
        earlierCheckpoint: proof.checkpoint,
      },
    };
  } finally {
    await close();
  }
}

/** A story of two items with a digest, and enough items for two tiles. */
async function publishFirst(factory: Operator['factory']) {
  const { publisher } = factory;
  const itemId = await factory.publishSelected({ title: 'A model was released', language: 'en' });
  const other = await factory.publish({ title: 'A second report', sourceName: 'The Post' });
  const itemIds = [itemId, other];
  const { storyId } = valueOf(await publisher.openStory({ title: 'A release', itemIds }));
  const sentences = [{ text: 'It was released.', cites: [itemId] }];
  const digest = { text: 'It was released.', sentences, contradictions: [] };
  valueOf(await publisher.reviseStory({ storyId, changes: { digest } }));
  const items = Array.from({ length: itemsAtFirst }, (_, at) => factory.draft({ title: `Item ${at}` }));
  valueOf(await publisher.publishItems({ items }));
  return { itemId, other, storyId };
}

async function proofOf(database: Operator['database'], itemId: string): Promise<RecordProof> {
  const outcome = await readProof(database, 'item', itemId);
  if (outcome.state !== 'proven') throw new Error('the item has no proof');
  return outcome.proof;
}

/** Runs work on a copy of the database. */
async function onCopy<Value>(
  { cluster, signer }: RewriteStage,
  work: (operator: Operator) => Promise<Value>,
): Promise<Value> {
  const name = `copy_${randomBytes(4).toString('hex')}`;
  await onServer(cluster, `CREATE DATABASE ${name} TEMPLATE ${base} STRATEGY FILE_COPY`);
  const { database, close } = connect(cluster, name);
  try {
    const factory = createRecordFactory({ database, clock: systemClock, randomBytes });
    return await work({ database, signer, factory });
  } finally {
    await close();
    await onServer(cluster, `DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function onServer(cluster: Cluster, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

const quickEvery = 12;

async function proveDetection(context: SuiteContext, stage: RewriteStage): Promise<void> {
  const all = attacksOn(stage.facts);
  const attacks = context.quick ? all.filter((_, at) => at % quickEvery === 0) : all;
  const counts = { undetected: 0, unconfirmed: 0, forks: 0 };
  const byParty = new Map<string, number>();
  for (const attack of attacks) {
    const { parties, forks, unconfirmed } = await onCopy(stage, (operator) =>
      runAttack(attack, stage, operator),
    );
    for (const party of parties) byParty.set(party, (byParty.get(party) ?? 0) + 1);
    counts.forks += forks;
    counts.unconfirmed += unconfirmed;
    if (unconfirmed > 0) context.note(`not confirmed by a third party: ${attack.name}`);
    if (parties.includes(attack.detectedBy)) continue;
    counts.undetected += 1;
    context.note(
      `not detected by the ${attack.detectedBy}: ${attack.name} (by ${parties.join(', ') || 'none'})`,
    );
  }
  const { figure } = context;
  figure({ name: 'kinds of dishonest changes', value: attacks.length, unit: 'changes' });
  figure({
    name: 'changes that the named party does not detect',
    value: counts.undetected,
    unit: 'changes',
    goal: { exactly: 0 },
  });
  figure({
    name: 'findings that a third party cannot confirm',
    value: counts.unconfirmed,
    unit: 'findings',
    goal: { exactly: 0 },
  });
  figure({
    name: 'findings with two contradicting signed checkpoints',
    value: counts.forks,
    unit: 'findings',
    goal: { atLeast: 1 },
  });
  for (const [party, count] of byParty)
    figure({ name: `detected by: ${party}`, value: count, unit: 'changes' });
}

async function runAttack(attack: Attack, { saved }: RewriteStage, operator: Operator) {
  await attack.run(operator);
  const around = { server: serveLog(operator.database), database: operator.database };
  const findings = await findFaults(saved, around);
  let unconfirmed = 0;
  for (const finding of findings) if (!(await isConfirmed(finding, saved, around))) unconfirmed += 1;
  return {
    parties: findings.map(({ party }) => party),
    forks: findings.filter(({ evidence }) => evidence !== null).length,
    unconfirmed,
  };
}

/** What an honest operator does must alarm no party. */
async function proveHonestChanges({ figure, note }: SuiteContext, stage: RewriteStage): Promise<void> {
  const honest: readonly (readonly [name: string, run: (operator: Operator) => Promise<Operator>])[] = [
    ['nothing', async (operator) => operator],
    [
      'growth',
      async (operator) => {
        await goOn(operator, 300);
        return operator;
      },
    ],
    [
      'an honest restore that lost entries',
      async (operator) => {
        const origin = nextOrigin(operator.signer.origin, 1);
        const begun = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey(origin));
        await change(operator, `DELETE FROM record.log_entry WHERE leaf_index >= ${stage.facts.size - 10}`);
        await signRewritten(operator);
        const { database, signer } = operator;
        await startLogEpoch({ database, clock: systemClock }, { ended: signer, begun });
        const next = { ...operator, signer: begun };
        await goOn(next, 5);
        return next;
      },
    ],
  ];
  let alarms = 0;
  for (const [name, run] of honest)
    await onCopy(stage, async (operator) => {
      const after = await run(operator);
      const { checkpoint, proof } = stage.saved;
      for (const known of [checkpoint, proof.checkpoint]) {
        const view = { keys: stage.saved.keys, checkpoint: known };
        const seen = await visitLog(serveLog(after.database), { view });
        if (seen.outcome === 'current') continue;
        alarms += 1;
        note(`${name}: ${JSON.stringify(seen).slice(0, 300)}`);
      }
    });
  figure({ name: 'alarms about honest changes', value: alarms, unit: 'alarms', goal: { exactly: 0 } });
}

/** Both were shown the same log until the fork. */
async function proveIsolatedReaders({ figure }: SuiteContext, stage: RewriteStage): Promise<void> {
  const shown = async (items: number) =>
    onCopy(stage, async (operator) => {
      await goOn(operator, items);
      const server = serveLog(operator.database);
      const around = { server, database: operator.database };
      const alone = await findFaults(stage.saved, around);
      const seen = await visitLog(server, { view: null, keys: stage.saved.keys });
      if (seen.outcome !== 'current') throw new Error('the log is not one');
      return { alone, note: seen.signed.raw, checkpoint: seen.signed.checkpoint };
    });
  const first = await shown(3);
  const { second, compared } = await onCopy(stage, async (operator) => {
    await goOn(operator, 6);
    const server = serveLog(operator.database);
    const alone = await findFaults(stage.saved, { server, database: operator.database });
    // The witness has cosigned what the first reader was shown.
    const cosigned = await findFaults(
      { ...stage.saved, checkpoint: first.note },
      { server, database: operator.database },
    );
    const seen = await visitLog(server, { view: null, keys: stage.saved.keys });
    if (seen.outcome !== 'current') throw new Error('the log is not one');
    const pair = { note: seen.signed.raw, checkpoint: seen.signed.checkpoint };
    return { second: { alone, cosigned }, compared: await compareCheckpoints(first, pair, seen.tree) };
  });
  figure({
    name: 'faults that two isolated readers find alone',
    value: first.alone.length + second.alone.length,
    unit: 'faults',
    goal: { exactly: 0 },
  });
  const logKeys = await keysOf(stage.saved.keys);
  const isProved = compared.outcome === 'fork' && (await verifyForkEvidence(compared.evidence, { logKeys }));
  figure({
    name: 'forks proved by comparing the checkpoints of both',
    value: isProved ? 1 : 0,
    unit: 'forks',
    goal: { exactly: 1 },
  });
  figure({
    name: 'logs that a shared witness refuses to cosign',
    value: second.cosigned.filter(({ party }) => party === 'witness').length,
    unit: 'logs',
    goal: { exactly: 1 },
  });
}
