import { appendFileSync, cpSync, mkdtempSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { readTree, runMigration, signalLater, startMigration } from '../migration-process.ts';
import { mountSmallDisk } from '../mirror/small-disk.ts';
import type { World } from '../scanned-notes.ts';
import { countDifferent, countNotOnce, countTorn, makeTemplate } from '../scanned-notes.ts';

/** A knowledge base with scanned notes, in which a command is disturbed. */
interface Round extends World {
  readonly repository: string;
  readonly root: string;
  /** Up to the duration of the work. */
  readonly delayMs: number;
}

/** Disturbs one command. What follows must complete all work. */
type Disturb = (round: Round) => Promise<void>;

const workMs = 250;

const approveArgs = ({ root }: Round): readonly string[] => [
  'approve',
  '--approve-all',
  '--json',
  '--root',
  root,
];
const scanArgs = ({ root, notes }: Round): readonly string[] => [
  'scan',
  '--source',
  notes,
  '--sections',
  '--root',
  root,
];
const undoArgs = ({ root }: Round): readonly string[] => ['undo', '--all', '--root', root];
const openedFile = ({ root }: Round): string => join(root, '.migration/queue.db-wal');

/** Sends signals one after another, the first at a random moment of the work. */
function signalled(
  args: (round: Round) => readonly string[],
  ...signals: readonly NodeJS.Signals[]
): Disturb {
  return async (round) => {
    const { child, ended } = startMigration(round.repository, args(round));
    child.stdin?.end();
    const waits = signals.map((signal, at) =>
      signalLater(child, { file: openedFile(round), afterMs: round.delayMs + 5 * at }, signal),
    );
    await ended;
    for (const stop of waits) stop();
  };
}

const kinds: Readonly<Record<string, Disturb>> = {
  'kill -9 during a scan': async (round) => {
    rmSync(join(round.root, '.migration'), { recursive: true });
    await signalled(scanArgs, 'SIGKILL')(round);
  },
  'kill -9 during a commit': signalled(approveArgs, 'SIGKILL'),
  'kill -9 during an undo': async (round) => {
    await runMigration(round.repository, approveArgs(round));
    await signalled(undoArgs, 'SIGKILL')(round);
  },
  'the system shuts down (SIGTERM)': signalled(approveArgs, 'SIGTERM'),
  'the terminal is closed (SIGHUP)': signalled(approveArgs, 'SIGHUP'),
  'Ctrl-C': signalled(approveArgs, 'SIGINT'),
  'Ctrl-C twice': signalled(approveArgs, 'SIGINT', 'SIGINT'),
  'the reader of the output ends': async (round) => {
    const { child, ended } = startMigration(round.repository, approveArgs(round));
    child.stdin?.end();
    child.stdout?.destroy();
    child.stderr?.destroy();
    await ended;
  },
  'the input ends at a question': async (round) => {
    await runMigration(round.repository, ['approve', '--root', round.root], { input: '1\n1\n' });
  },
  'the disk is full': async (round) => {
    const disk = mountSmallDisk(`${round.root}-disk`, '4m');
    if (disk === null) throw new Error('this machine mounts no file system');
    const root = join(disk.folder, 'knowledge');
    try {
      cpSync(round.root, root, { recursive: true });
      disk.fill();
      await runMigration(round.repository, approveArgs({ ...round, root }));
      disk.free();
      rmSync(round.root, { recursive: true });
      cpSync(root, round.root, { recursive: true });
    } finally {
      disk.unmount();
    }
  },
  'a note is edited during a commit': async (round) => {
    const { child, ended } = startMigration(round.repository, approveArgs(round));
    child.stdin?.end();
    appendFileSync(join(round.notes, 'note-3.md'), '\n');
    await ended;
  },
  'a note is deleted during a commit, and comes back': async (round) => {
    const { child, ended } = startMigration(round.repository, approveArgs(round));
    child.stdin?.end();
    const note = join(round.notes, 'note-3.md');
    cpSync(note, `${note}.saved`);
    unlinkSync(note);
    await ended;
    cpSync(`${note}.saved`, note);
    unlinkSync(`${note}.saved`);
  },
  'two commits at once': async (round) => {
    await Promise.all([0, 1].map(() => runMigration(round.repository, approveArgs(round))));
  },
  'a commit stands still while another runs (SIGSTOP)': async (round) => {
    const { child, ended } = startMigration(round.repository, approveArgs(round));
    child.stdin?.end();
    const stop = signalLater(child, { file: openedFile(round), afterMs: round.delayMs }, 'SIGSTOP');
    const second = runMigration(round.repository, approveArgs(round));
    await Promise.race([second, ended]);
    stop();
    child.kill('SIGCONT');
    await Promise.all([second, ended]);
  },
};

interface Faults {
  readonly torn: number;
  readonly notOnce: number;
  readonly notRestored: number;
}

export const suite: Suite = {
  name: 'interruptions',
  nightly: true,
  summary: `After each of ${Object.keys(kinds).length} kinds of interruption, a migration of notes continues and nothing is lost, doubled or torn.`,
  headline: 'rounds',
  promise:
    'A scan, commit or undo of 160 chunks is interrupted: killed, ended by signals, its output or input closed, its disk filled, its notes edited or deleted, by a second process, or frozen. No target file is torn at that moment. The same commands, run again, commit each chunk exactly once, and undo restores every file byte for byte. The interruptions know the commands and their files, not their code.',
  run: async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'prove-interruptions-'));
    try {
      await interrupt(context, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function interrupt(context: SuiteContext, folder: string): Promise<void> {
  const random = seededRandom(14);
  const sums = { torn: 0, notOnce: 0, notRestored: 0 };
  let rounds = 0;
  const world = { notes: join(folder, 'notes'), template: join(folder, 'template') };
  await makeTemplate(context.root, world);
  for (const [name, disturb] of Object.entries(kinds)) {
    for (let at = 0; at < (context.quick ? 1 : 10); at += 1) {
      const notes = join(folder, 'notes');
      const saved = join(folder, 'saved-notes');
      cpSync(notes, saved, { recursive: true });
      const root = join(folder, `round-${rounds}`);
      cpSync(world.template, root, { recursive: true });
      const round = { ...world, repository: context.root, root, delayMs: random() * workMs };
      const faults = await play(round, disturb);
      if (Object.values(faults).some((count) => count > 0))
        context.note(`${name}: ${JSON.stringify(faults)}`);
      for (const fault of ['torn', 'notOnce', 'notRestored'] as const) sums[fault] += faults[fault];
      rounds += 1;
      rmSync(root, { recursive: true });
      rmSync(notes, { recursive: true });
      cpSync(saved, notes, { recursive: true });
      rmSync(saved, { recursive: true });
    }
  }
  context.figure({ name: 'kinds of interruption', value: Object.keys(kinds).length, unit: 'kinds' });
  context.figure({ name: 'rounds', value: rounds, unit: 'rounds' });
  const goal = { exactly: 0 } as const;
  context.figure({ name: 'torn targets', value: sums.torn, unit: 'files', goal });
  context.figure({ name: 'chunks not exactly once afterwards', value: sums.notOnce, unit: 'chunks', goal });
  context.figure({ name: 'files not restored by undo', value: sums.notRestored, unit: 'files', goal });
}

async function play(round: Round, disturb: Disturb): Promise<Faults> {
  await disturb(round);
  const torn = countTorn(readTree(round.root));
  for (const args of [scanArgs(round), approveArgs(round)]) await completed(round, args);
  const notOnce = countNotOnce(readTree(round.root));
  await completed(round, undoArgs(round));
  return { torn, notOnce, notRestored: countDifferent(readTree(round.template), readTree(round.root)) };
}

async function completed({ repository }: Round, args: readonly string[]): Promise<void> {
  const { code, stderr } = await runMigration(repository, args);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
}
