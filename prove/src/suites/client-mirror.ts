import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import type { MirrorStore } from '@daybook/client/mirror';
import { verify } from '@daybook/client/mirror';
import { jsonLinesStore } from '@daybook/client/mirror/json-lines';
import { sqliteStore } from '@daybook/client/mirror/sqlite';
import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { noBrowser } from '../../../apps/server/test/browser.ts';
import type { DamageReport } from '../mirror/damage-rounds.ts';
import { FaultyProxy } from '../mirror/faulty-proxy.ts';
import { damageFile } from '../mirror/file-damage.ts';
import type { CopyReport, LifeDemand } from '../mirror/follow-and-report.ts';
import type { MirrorBrowser } from '../mirror/mirror-browser.ts';
import { openMirrorBrowser } from '../mirror/mirror-browser.ts';
import type { MirrorLife, ProcessDemand } from '../mirror/mirror-life.ts';
import { startProcess } from '../mirror/mirror-life.ts';
import type { MirrorStage } from '../mirror/mirror-stage.ts';
import { setMirrorStage } from '../mirror/mirror-stage.ts';
import {
  readSelectedItems,
  readSelectedSet,
  sourceIdsOfWriters,
  startWriter,
} from '../mirror/selected-set.ts';
import type { SmallDisk } from '../mirror/small-disk.ts';
import { mountSmallDisk } from '../mirror/small-disk.ts';

const speed = 200;
const writers = 2;

export const suite: Suite = {
  name: 'client-mirror',
  summary:
    'Mirrors of @daybook/client equal the server’s set after network faults, kill -9, full disks and damages of their files, which they notice before they say exact.',
  promise:
    'Mirrors on JSON Lines, SQLite, in memory and on IndexedDB in Chromium follow the real server while writers change the set. A proxy between them cuts, delays, repeats and corrupts answers, and answers 429, 503 and 409; processes and browser are ended with kill -9 at random moments, the last line of the file is torn, and the disk of the files becomes full. At rest each copy equals the set, item by item, and says so; one wrong byte is named by verify; a reader meanwhile finds one complete copy; no request comes sooner than s-maxage or Retry-After allow. Then the copies are damaged: items, columns, digests, seals, cursors, sizes, and of the files truncated, zeroed, changed, exchanged and restored from an older copy (504 damages, 48 with `--quick`). Each is noticed before exact and repaired by reading at most twice the ranges of ids that differ and a page; a copy of another server is refused. The damages know the format of the store and everything stored in it, as disks, backups and editors do that change any byte, but do not compute seals again; a program that does could change fields outside the frozen list unnoticed.',
  measuresNoTime: true,
  run: async (context) => {
    if (noBrowser !== null) {
      context.didNotRun(noBrowser);
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), 'prove-client-mirror-'));
    const disks = ['json-lines', 'sqlite'].map((name) => mountSmallDisk(join(folder, name), '64m'));
    if (disks.includes(null)) context.note('no disk becomes full: this machine lets us mount none');
    const stage = await setMirrorStage();
    const proxy = new FaultyProxy(stage.address, seededRandom(20), speed);
    await proxy.listen();
    const browser = await openMirrorBrowser(join(folder, 'profile'));
    const lives: MirrorLife[] = [];
    const mirrors = mirrorsIn(folder, disks, browser, context.quick).map((mirror) => ({
      ...mirror,
      start: (demand: LifeDemand) => lives[lives.push(mirror.start(demand)) - 1] as MirrorLife,
    }));
    try {
      await prove(context, stage, proxy, mirrors);
    } finally {
      await Promise.all(lives.map((life) => life.kill()));
      await browser.close();
      await proxy.close();
      await stage.remove();
      for (const disk of disks) disk?.unmount();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** A mirror on one store, through all its lives. */
interface Mirror {
  readonly name: string;
  readonly kills: number;
  readonly start: (demand: LifeDemand) => MirrorLife;
  /** The file of the copy, and how to open it. */
  readonly file: { readonly path: string; readonly open: (path: string) => MirrorStore } | null;
  readonly disk: SmallDisk | null;
}

function mirrorsIn(
  folder: string,
  [linesDisk = null, sqliteDisk = null]: readonly (SmallDisk | null)[],
  browser: MirrorBrowser,
  quick: boolean,
): readonly Mirror[] {
  const inProcess =
    (store: ProcessDemand['store'], path: string) =>
    (demand: LifeDemand): MirrorLife =>
      startProcess({ ...demand, store, path });
  const lines = join(folder, 'json-lines', 'mirror.jsonl');
  const sqlite = join(folder, 'sqlite', 'mirror.db');
  return [
    {
      name: 'JSON Lines',
      kills: quick ? 4 : 150,
      start: inProcess('json-lines', lines),
      file: { path: lines, open: jsonLinesStore },
      disk: linesDisk,
    },
    {
      name: 'SQLite',
      kills: quick ? 4 : 150,
      start: inProcess('sqlite', sqlite),
      file: { path: sqlite, open: sqliteStore },
      disk: sqliteDisk,
    },
    { name: 'memory', kills: quick ? 2 : 50, start: inProcess('memory', ''), file: null, disk: null },
    { name: 'IndexedDB', kills: quick ? 2 : 60, start: browser.start, file: null, disk: null },
  ];
}

interface MirrorCounts {
  kills: number;
  restarts: number;
  full: number;
  readings: number;
  torn: number;
}

async function prove(
  context: SuiteContext,
  stage: MirrorStage,
  proxy: FaultyProxy,
  mirrors: readonly Mirror[],
): Promise<void> {
  const { database } = stage.connection;
  const decisions = context.quick ? 600 : 40_000;
  const writing = Array.from({ length: writers }, (_, seed) =>
    startWriter({
      url: stage.urls.application,
      seed,
      decisions: decisions / writers,
      sourceIds: sourceIdsOfWriters,
    }),
  );
  const counted = await Promise.all(
    mirrors.map((mirror, at) => killOften(mirror, demandsOf(mirror, proxy), seededRandom(7 + at))),
  );
  for (const { file } of mirrors)
    if (file !== null && existsSync(file.path)) copyFileSync(file.path, `${file.path}.backup`);
  await Promise.all(writing);
  const final = await readSelectedSet(database);
  const items = await readSelectedItems(database, stage.baseUrl);
  proxy.calm();
  const changed = [...items.keys()].slice(0, context.quick ? 10 : 50);
  const caughtUp = await Promise.all(
    mirrors.map((mirror) =>
      catchUp(
        mirror,
        demandsOf(mirror, proxy, { address: stage.address, rounds: damagesOf(context.quick) }),
        final,
        changed,
      ),
    ),
  );
  reportFaults(context, proxy, counted);
  context.figure({ name: 'items in the selected set', value: items.size, unit: 'items' });
  context.figure({
    name: 'mirrors that said that they are exact',
    value: caughtUp.filter(({ isExact }) => isExact).length,
    unit: 'mirrors',
    goal: { exactly: mirrors.length },
  });
  for (const [at, { name, file }] of mirrors.entries()) {
    const { address } = stage;
    const copy =
      file === null
        ? (caughtUp[at]?.copy ?? null)
        : await readFileCopy(file, changed, (path) =>
            damageFile(path, file.open, address, damagesOf(context.quick)),
          );
    reportCopy(context, name, copy, items);
  }
}

/** Of each of six series; the files are damaged as a whole too. */
const damagesOf = (quick: boolean): number => (quick ? 8 : 84);

type Demands = (inspect?: readonly string[]) => LifeDemand;

/** Each life has its own name: its request allowance counts from its start. */
function demandsOf({ name }: Mirror, proxy: FaultyProxy, damages?: LifeDemand['damages']): Demands {
  const mirror = name.replace(' ', '-');
  return (inspect) => ({
    address: proxy.addressFor(`${mirror}-${crypto.randomUUID()}`),
    speed,
    inspect: inspect ?? null,
    ...(damages !== undefined && { damages }),
  });
}

async function killOften(mirror: Mirror, demands: Demands, random: () => number): Promise<MirrorCounts> {
  const counts: MirrorCounts = { kills: 0, restarts: 0, full: 0, readings: 0, torn: 0 };
  while (counts.kills < mirror.kills) {
    const life = mirror.start(demands());
    if (mirror.disk !== null && counts.kills % 4 === 3) await fillDisk(life, mirror.disk, random);
    else await liveAWhile(life, random);
    await life.kill();
    mirror.disk?.free();
    counts.kills += 1;
    counts.restarts += life.restarts;
    counts.full += life.full;
    counts.readings += life.readings;
    counts.torn += life.torn;
    if (mirror.name === 'JSON Lines' && mirror.file !== null) tearSometimes(mirror.file.path, random);
  }
  return counts;
}

/** Some are killed while they open their store and ask for the first time, the others while they work. */
async function liveAWhile(life: MirrorLife, random: () => number): Promise<void> {
  const isEarly = random() < 0.3;
  if (isEarly) await life.says(({ started }) => started === true);
  else await work(life, 1 + Math.floor(random() * 12));
  await setTimeout(random() * 200);
}

async function work(life: MirrorLife, events: number): Promise<void> {
  for (let left = events; left > 0; left -= 1)
    await life.says(({ kind }) => kind !== undefined && kind !== 'full');
}

/** It fills the disk; then it is killed there, or continues once the disk has room again. */
async function fillDisk(life: MirrorLife, disk: SmallDisk, random: () => number): Promise<void> {
  await life.says(({ kind }) => kind !== undefined);
  disk.fill();
  // What SQLite has reserved before lasts for some steps.
  let events = 0;
  await life.says(({ kind }) => {
    events += kind === undefined ? 0 : 1;
    return kind === 'full' || events >= 60;
  });
  if (random() < 0.5) return;
  disk.free();
  await work(life, 1 + Math.floor(random() * 12));
}

function tearSometimes(path: string, random: () => number): void {
  if (existsSync(path) && random() < 0.3) appendFileSync(path, '{"put":{"id":"torn","tit');
}

interface CaughtUp {
  readonly isExact: boolean;
  /** The content of a copy that is not in a file. */
  readonly copy: CopyReport | null;
}

async function catchUp(
  mirror: Mirror,
  demands: Demands,
  final: { readonly size: number; readonly hash: string },
  changed: readonly string[],
): Promise<CaughtUp> {
  const life = mirror.start(mirror.file === null ? demands(changed) : demands());
  const isExact = await life.says(
    ({ kind, size, hash }) => kind === 'exact' && size === final.size && hash === final.hash,
  );
  const copy = mirror.file === null ? await life.report() : null;
  await life.kill();
  return { isExact, copy };
}

function reportFaults({ figure }: SuiteContext, proxy: FaultyProxy, counted: readonly MirrorCounts[]): void {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const total = (of: keyof MirrorCounts): number => sum(counted.map((counts) => counts[of]));
  figure({ name: 'mirrors killed', value: total('kills'), unit: 'kills' });
  figure({
    name: 'faults of the network',
    value: sum(Object.values(proxy.faults)),
    unit: 'faults',
    goal: { atLeast: 1 },
  });
  figure({ name: 'steps that a full disk refused', value: total('full'), unit: 'steps' });
  figure({ name: 'new copies begun', value: total('restarts'), unit: 'copies' });
  figure({
    name: 'readings while a mirror followed',
    value: total('readings'),
    unit: 'readings',
    goal: { atLeast: 1 },
  });
  figure({
    name: 'readings that did not find one copy, whole',
    value: total('torn'),
    unit: 'readings',
    goal: { exactly: 0 },
  });
  figure({ name: 'requests', value: proxy.requests, unit: 'requests' });
  figure({
    name: 'requests sooner than allowed',
    value: proxy.tooSoon,
    unit: 'requests',
    goal: { exactly: 0 },
  });
}

function reportCopy(
  context: SuiteContext,
  name: string,
  copy: CopyReport | null,
  items: ReadonlyMap<string, string>,
): void {
  const held = copy?.items ?? {};
  const ids = new Set([...Object.keys(held), ...items.keys()]);
  context.figure({
    name: `${name}: items that differ from the set`,
    value: [...ids].filter((id) => held[id] !== items.get(id)).length,
    unit: 'items',
    goal: { exactly: 0 },
  });
  context.figure({
    name: `${name}: verify found it whole`,
    value: copy?.isWhole === true ? 1 : 0,
    unit: 'copies',
    goal: { exactly: 1 },
  });
  context.figure({
    name: `${name}: wrong bytes that verify did not name`,
    value: copy?.missed ?? items.size,
    unit: 'bytes',
    goal: { exactly: 0 },
  });
  reportDamages(context, name, copy?.damages ?? null);
}

function reportDamages({ figure, note }: SuiteContext, name: string, damages: DamageReport | null): void {
  figure({
    name: `${name}: damages`,
    value: damages?.rounds ?? 0,
    unit: 'damages',
    goal: { atLeast: damagesOf(true) },
  });
  const faults = {
    'not noticed before exact': damages?.unnoticed,
    'not repaired': damages?.unrepaired,
    'repaired by reading more than twice the ranges and a page': damages?.costly,
  };
  for (const [what, found = ['no report']] of Object.entries(faults)) {
    for (const one of found) note(`${name}: ${what}: ${one}`);
    figure({ name: `${name}: damages ${what}`, value: found.length, unit: 'damages', goal: { exactly: 0 } });
  }
}

/** As read by a process that opens the file later. */
async function readFileCopy(
  { path, open }: NonNullable<Mirror['file']>,
  changed: readonly string[],
  damage: (path: string) => Promise<DamageReport>,
): Promise<CopyReport> {
  const store = open(path);
  const items: Record<string, string> = {};
  await store.read(async (copy) => {
    for await (const { item } of copy.items) items[item.id] = JSON.stringify(item);
  });
  const { ok } = await verify(store);
  await store.close();
  const whole = readFileSync(path, 'latin1');
  let missed = 0;
  for (const id of changed) {
    writeFileSync(path, changedByte(whole, id), 'latin1');
    const damaged = open(path);
    const { differing } = await verify(damaged);
    await damaged.close();
    if (!differing.includes(id)) missed += 1;
  }
  writeFileSync(path, whole, 'latin1');
  return { items, isWhole: ok, missed, damages: await damage(path) };
}

/** One character, in every place of the file with this item, older versions of it included. */
function changedByte(text: string, id: string): string {
  return text.replace(new RegExp(`("id":"${id}".{0,4000}?"discoveredAt":")2`, 'gs'), '$13');
}
