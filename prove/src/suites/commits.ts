import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { growthOfCommits } from '../commit-growth.ts';
import type { KillMoment } from '../migration-process.ts';
import { readTree, runMigration } from '../migration-process.ts';
import type { World } from '../scanned-notes.ts';
import { countDifferent, countNotOnce, countTorn, makeTemplate } from '../scanned-notes.ts';

interface Round {
  readonly approveKilled: boolean;
  readonly undoKilled: boolean;
  readonly isEdited: boolean;
  readonly cutShort: boolean;
  readonly torn: number;
  readonly notOnce: number;
  readonly notRestored: number;
}

export const suite: Suite = {
  name: 'commits',
  nightly: true,
  summary:
    'A bulk commit of notes that is killed and resumed writes each chunk exactly once, and undo restores every file byte for byte.',
  headline: 'commits killed',
  promise:
    'A bulk commit of notes is killed with `kill -9` at a random moment and then resumed. No target file is torn, each approved chunk is in its target exactly once, and undo restores every file and folder byte for byte; in every third round undo is killed and resumed too. In every second round a note is edited after its commit, and the replacement of its old text by the new one is also killed. The time for a chunk does not grow with the size of the commit.',
  run: async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'prove-commits-'));
    try {
      await proveCommits(context, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function proveCommits(context: SuiteContext, folder: string): Promise<void> {
  // Each worker edits notes of its own: a commit refuses text whose note was edited after the scan.
  const worlds = [0, 1].map((at) => ({
    notes: join(folder, `notes-${at}`),
    template: join(folder, `template-${at}`),
  }));
  for (const world of worlds) await makeTemplate(context.root, world);
  const workMs = await measure(context.root, folder, worlds[0]?.template ?? '');
  context.note(`kills fall into the ${workMs.toFixed(0)} ms after the queue is opened`);
  const random = seededRandom(300);
  const rounds: Round[] = [];
  const wanted = context.quick ? 3 : 300;
  const worker = async (world: World): Promise<void> => {
    for (let at = rounds.length; rounds.length < wanted; at += 1) {
      const root = join(folder, `round-${at}-${Math.floor(random() * 1e9)}`);
      cpSync(world.template, root, { recursive: true });
      const round = await playRound(context.root, root, world, workMs, random);
      rounds.push(round);
      if (isWrong(round)) context.note(`round ${rounds.length}: ${JSON.stringify(round)}`);
      rmSync(root, { recursive: true });
      if (rounds.length % 10 === 0) context.note(progress(rounds, wanted));
    }
  };
  await Promise.all(worlds.map(worker));
  report(context, rounds);
  await growthOfCommits(context, folder);
}

/** The duration of the work after the queue is opened, in one undisturbed run, and a little more. */
async function measure(repository: string, folder: string, template: string): Promise<number> {
  const root = join(folder, 'measure');
  cpSync(template, root, { recursive: true });
  let openedAt = 0;
  const look = setInterval(() => {
    if (openedAt === 0 && existsSync(join(root, '.migration/queue.db-wal'))) openedAt = performance.now();
  }, 1);
  await runMigration(repository, ['approve', '--approve-all', '--root', root]);
  clearInterval(look);
  rmSync(root, { recursive: true });
  return (performance.now() - openedAt) * 1.2;
}

async function playRound(
  repository: string,
  root: string,
  { notes, template }: World,
  workMs: number,
  random: () => number,
): Promise<Round> {
  const opened = join(root, '.migration/queue.db-wal');
  const kill = (): KillMoment => ({ file: opened, afterMs: random() * workMs });
  const approve = ['approve', '--approve-all', '--json', '--root', root];
  const first = await runMigration(repository, approve, { kill: kill() });
  const torn = countTorn(readTree(root));
  const second = await runMigration(repository, approve);
  if (second.code !== 0) throw new Error(`the resumed commit ended with ${second.code}: ${second.stderr}`);
  const notOnce = countNotOnce(readTree(root));
  const isEdited = random() < 1 / 2;
  const editedWrong = isEdited ? await replaceEdited(repository, root, notes, kill()) : 0;
  const killsUndo = random() < 1 / 3;
  const undo = ['undo', '--all', '--root', root];
  const undoKilled = killsUndo && (await runMigration(repository, undo, { kill: kill() })).killed;
  const last = await runMigration(repository, undo);
  if (last.code !== 0) throw new Error(`undo ended with ${last.code}: ${last.stderr}`);
  return {
    approveKilled: first.killed,
    undoKilled,
    cutShort: second.stderr.includes('was interrupted'),
    torn,
    notOnce: notOnce + editedWrong,
    isEdited,
    notRestored: countDifferent(readTree(template), readTree(root)),
  };
}

/** Edits a note for this round, scans it, and is killed while its newer text replaces the older. */
async function replaceEdited(
  repository: string,
  root: string,
  notes: string,
  kill: KillMoment,
): Promise<number> {
  const edited = join(notes, 'note-0.md');
  const text = readFileSync(edited, 'utf8');
  writeFileSync(edited, text.replace('begin-5.', 'begin-5. edited'));
  try {
    return await commitEdited(repository, root, notes, kill);
  } finally {
    writeFileSync(edited, text);
  }
}

async function commitEdited(
  repository: string,
  root: string,
  notes: string,
  kill: KillMoment,
): Promise<number> {
  await runMigration(repository, ['scan', '--source', notes, '--sections', '--root', root]);
  const list = await runMigration(repository, ['status', '--list', '--json', '--root', root]);
  const [line = ''] = list.stdout.split('\n');
  const { id, proposed } = JSON.parse(line) as { readonly id: string; readonly proposed: string };
  const approve = ['approve', '--modify', id, '--target', proposed, '--root', root];
  await runMigration(repository, approve, { kill });
  await runMigration(repository, approve);
  const all = [...readTree(root).values()].join('\n');
  return all.split('begin-5.').length === 2 && all.includes('begin-5. edited') ? 0 : 1;
}

function progress(rounds: readonly Round[], wanted: number): string {
  return `${rounds.length} of ${wanted} rounds, ${rounds.filter(isWrong).length} of them with a fault`;
}

function isWrong({ torn, notOnce, notRestored }: Round): boolean {
  return torn + notOnce + notRestored > 0;
}

function report({ figure }: SuiteContext, rounds: readonly Round[]): void {
  const sum = (value: (round: Round) => number): number =>
    rounds.reduce((total, round) => total + value(round), 0);
  figure({ name: 'rounds', value: rounds.length, unit: 'rounds' });
  figure({ name: 'commits killed', value: sum((round) => Number(round.approveKilled)), unit: 'kills' });
  figure({
    name: 'kills between intention and outcome',
    value: sum((round) => Number(round.cutShort)),
    unit: 'kills',
  });
  figure({ name: 'edited notes replaced', value: sum((round) => Number(round.isEdited)), unit: 'notes' });
  figure({ name: 'undos killed', value: sum((round) => Number(round.undoKilled)), unit: 'kills' });
  figure({ name: 'torn targets', value: sum((round) => round.torn), unit: 'files', goal: { exactly: 0 } });
  const [unit, goal] = ['chunks', { exactly: 0 }] as const;
  figure({
    name: 'chunks not exactly once after resuming',
    value: sum((round) => round.notOnce),
    unit,
    goal,
  });
  figure({
    name: 'files not restored by undo',
    value: sum((round) => round.notRestored),
    unit: 'files',
    goal,
  });
}
