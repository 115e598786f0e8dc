import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { Database } from '../../../apps/server/src/foundation/database/database.ts';
import { verifyRecord } from '../../../apps/server/src/record/wiring.ts';
import type { ClientReport } from '../mirror/mirror-client.ts';
import { followMirror } from '../mirror/mirror-client.ts';
import type { MirrorCopy } from '../mirror/mirror-copy.ts';
import { httpMirrorSource } from '../mirror/mirror-source.ts';
import type { MirrorItem, SetCheck } from '../mirror/mirror-source.ts';
import type { MirrorStage } from '../mirror/mirror-stage.ts';
import { setMirrorStage } from '../mirror/mirror-stage.ts';
import {
  readSelectedItems,
  readSelectedSet,
  sourceIdsOfWriters,
  startWriter,
} from '../mirror/selected-set.ts';
import type { WriterReport } from '../mirror/writer-demand.ts';

const writers = 4;
const clients = 3;
const catchUpMs = 60_000;

export const suite: Suite = {
  name: 'mirror',
  summary:
    'Clients that follow the change feed while four writers write end with exact copies, and detect any wrong byte.',
  promise:
    'Four processes publish, select, unselect, revise, regroup and withdraw the same items at random. Three clients, written from the documentation alone, read a snapshot once and then follow the changes over HTTP with any page size; they are stopped and resumed at random. Each time a client reaches the head, its copy has the size and the hash that the server sends, or, if a cached page was older than one before it, after the client has asked once more with another page size. At rest every copy is compared with the set item by item, and a copy with one wrong byte does not have the hash.',
  run: async (context) => {
    const stage = await setMirrorStage();
    try {
      await prove(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

async function prove(context: SuiteContext, stage: MirrorStage): Promise<void> {
  const decisions = context.quick ? 2_000 : 100_000;
  const { database } = stage.connection;
  context.note(`${decisions} decisions by ${writers} processes, ${clients} clients over HTTP`);
  const started = performance.now();
  let final: Omit<SetCheck, 'version'> | null = null;
  let deadline = Number.POSITIVE_INFINITY;
  const following = Array.from({ length: clients }, (_, number) =>
    followMirror({
      source: httpMirrorSource(stage.address),
      random: seededRandom(100 + number),
      isFinal: (set) => final !== null && set.size === final.size && set.hash === final.hash,
      givesUp: () => performance.now() > deadline,
    }),
  );
  const writing = Array.from({ length: writers }, (_, seed) =>
    startWriter({
      url: stage.urls.application,
      seed,
      decisions: decisions / writers,
      sourceIds: sourceIdsOfWriters,
    }),
  );
  const written = await Promise.all(writing);
  const seconds = (performance.now() - started) / 1000;
  final = await readSelectedSet(database);
  deadline = performance.now() + catchUpMs;
  const reports = await Promise.all(following);
  reportWriters(context, written, seconds);
  await reportClients(context, database, stage.baseUrl, reports);
  const findings = await verifyRecord(database, systemClock.now());
  context.figure({
    name: 'faults found by record verify',
    value: findings.filter(({ offenders }) => offenders.length > 0).length,
    unit: `of ${findings.length}`,
    goal: { exactly: 0 },
  });
}

function reportWriters(context: SuiteContext, written: readonly WriterReport[], seconds: number): void {
  const accepted = total(written.map((one) => one.accepted));
  context.figure({ name: 'decisions accepted', value: accepted, unit: 'decisions' });
  context.figure({
    name: 'decisions refused',
    value: total(written.map((one) => one.refused)),
    unit: 'decisions',
  });
  context.figure({ name: 'decisions a second, four writers', value: accepted / seconds, unit: 'a second' });
}

async function reportClients(
  context: SuiteContext,
  database: Database,
  baseUrl: string,
  reports: readonly ClientReport[],
): Promise<void> {
  const sum = (count: (report: ClientReport) => number): number => total(reports.map(count));
  const figure = (name: string, value: number, unit: string, exactly?: number): void =>
    context.figure({ name, value, unit, ...(exactly !== undefined && { goal: { exactly } }) });
  figure(
    'pages read',
    sum(({ pages }) => pages),
    'pages',
  );
  figure(
    'stops of a client',
    sum(({ stops }) => stops),
    'stops',
  );
  figure(
    'hash checks during writes',
    sum(({ checks }) => checks),
    'checks',
  );
  figure(
    'hash checks repeated, because a cached page was older than one before it',
    sum(({ doubts }) => doubts),
    'checks',
  );
  figure(
    'hash checks that failed',
    sum(({ disagreements }) => disagreements),
    'checks',
    0,
  );
  figure(
    'clients that caught up',
    sum(({ caughtUp }) => (caughtUp ? 1 : 0)),
    'clients',
    clients,
  );
  const items = await readSelectedItems(database, baseUrl);
  figure('items in the selected set', items.size, 'items');
  figure(
    'items that differ from the set, over all copies',
    sum(({ copy }) => differences(copy.items, items)),
    'items',
    0,
  );
  const set = { version: 1, ...(await readSelectedSet(database)) };
  const trials = reports.flatMap(({ copy }) => corruptions(copy, set));
  figure('copies with one wrong byte', trials.length, 'copies');
  figure('of these not noticed', trials.filter((noticed) => !noticed).length, 'copies', 0);
}

const corruptionsMax = 50;

/** Whether each of some single wrong bytes was noticed. */
function corruptions(copy: MirrorCopy, set: SetCheck): readonly boolean[] {
  return [...copy.items.values()].slice(0, corruptionsMax).map((item) => {
    const summary = Buffer.from(item.summary);
    const last = summary.length - 1;
    const wrong = Buffer.from(summary);
    // Stays one character of the same length, so that only its value is wrong.
    wrong.writeUInt8(wrong.readUInt8(last) ^ 1, last);
    copy.items.set(item.id, { ...item, summary: wrong.toString() });
    const noticed = !copy.agrees(set);
    copy.items.set(item.id, item);
    return noticed && copy.agrees(set);
  });
}

function differences(copy: ReadonlyMap<string, MirrorItem>, items: ReadonlyMap<string, string>): number {
  let count = 0;
  for (const id of new Set([...copy.keys(), ...items.keys()])) {
    const held = copy.get(id);
    if (held === undefined || JSON.stringify(held) !== items.get(id)) count += 1;
  }
  return count;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
