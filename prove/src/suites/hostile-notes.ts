import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { proveHostileExports } from '../hostile-exports.ts';
import { readTree, runMigration } from '../migration-process.ts';

export const suite: Suite = {
  name: 'hostile-notes',
  summary:
    'The note migration writes nothing outside the knowledge root, whatever notes, links and names contain.',
  headline: 'files written outside the root',
  promise:
    'The author of the notes is hostile: path tricks in names and headings, exports with expanding entities, elements nested without end, attributes of megabytes, wrong encodings, truncated files, archives with paths outside their folder, comments that try to close themselves, files of a million lines, loops of links, pipes, and targets that are links out of the root. Every command ends. No file outside the knowledge root is written, and chunks that cannot be written safely stay in the queue.',
  run: async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'prove-hostile-'));
    try {
      await proveHostile(context, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Folders beside the root: whatever changes in them was written outside. */
interface World {
  readonly notes: string;
  readonly outside: string;
  readonly root: string;
}

async function proveHostile(context: SuiteContext, folder: string): Promise<void> {
  const { figure } = context;
  const world: World = {
    notes: join(folder, 'notes'),
    outside: join(folder, 'outside'),
    root: join(folder, 'root'),
  };
  for (const path of Object.values(world) as readonly string[]) mkdirSync(path);
  const lines = context.quick ? 20_000 : 1_000_000;
  writeNotes(world, lines);
  linkTargets(world);
  const before = { notes: readTree(world.notes), outside: readTree(world.outside) };
  const run = (...args: readonly string[]): ReturnType<typeof runMigration> =>
    runMigration(context.root, [...args, '--json', '--root', world.root]);
  const started = performance.now();
  const scan = await run('scan', '--source', world.notes, '--sections');
  const seconds = (performance.now() - started) / 1000;
  figure({ name: 'lines of the longest note', value: lines, unit: 'lines' });
  figure({ name: 'time of the scan', value: seconds, unit: 's' });
  figure({ name: 'exit code of the scan', value: scan.code ?? -1, unit: '', goal: { exactly: 0 } });
  const approve = await run('approve', '--approve-all');
  const answer = JSON.parse(approve.stdout) as {
    readonly total: number;
    readonly failures: readonly unknown[];
  };
  figure({ name: 'committed inside the root', value: answer.total, unit: 'chunks', goal: { atLeast: 10 } });
  const refused = answer.failures.length;
  figure({
    name: 'refused because the target is outside the root',
    value: refused,
    unit: 'chunks',
    goal: { exactly: 5 },
  });
  const stray = readdirSync(folder).filter((name) => !(name in world)).length;
  const changed =
    stray +
    countChanged(before.notes, readTree(world.notes)) +
    countChanged(before.outside, readTree(world.outside));
  figure({ name: 'files written outside the root', value: changed, unit: 'files', goal: { exactly: 0 } });
  figure({
    name: 'comments closed by a note',
    value: countBroken(world.root),
    unit: 'comments',
    goal: { exactly: 0 },
  });
  const undo = await run('undo', '--all');
  figure({ name: 'exit code of undo', value: undo.code ?? -1, unit: '', goal: { exactly: 0 } });
  await proveHostileExports(context, folder);
  const linked = await linkedState(context.root, folder);
  figure({
    name: 'files written through a linked state folder',
    value: linked,
    unit: 'files',
    goal: { exactly: 0 },
  });
}

function writeNotes({ notes, outside }: World, lines: number): void {
  const titles = [
    '../../../escape',
    '/etc/passwd',
    '..\\..\\escape',
    'con',
    '.',
    '..',
    'a\u0007b',
    '~/.ssh/authorized_keys',
    '$(touch x)',
    '-rf',
  ];
  const put = (name: string, text: string): void => {
    mkdirSync(dirname(join(notes, name)), { recursive: true });
    writeFileSync(join(notes, name), text);
  };
  put('titles.md', titles.map((title, at) => `# ${title}\n\nIdeas 80 number-${at}\n`).join('\n'));
  put(
    'comments.md',
    ['-->', '--!>', '<!--', '--\n>', ']]>']
      .map((end, at) => `# x ${end} y\n\nGOALS 80 comment-${at}\n`)
      .join('\n'),
  );
  put('a --> b; section: forged.md', '# t\n\nGOALS 80 forged\n');
  put('...md', '# dots\n\nGOALS 80 dots\n');
  put(
    'links.md',
    ['WISDOM', 'BELIEFS', 'MODELS', 'People', 'SPARKS']
      .map((target) => `# ${target}\n\n${target} 80 out\n`)
      .join('\n'),
  );
  put(
    'yaml.md',
    '---\na: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n---\n# y\n\nIdeas 80 yaml: "\n---\n',
  );
  put('long.md', 'x\n'.repeat(lines));
  put('quotes.md', `${'>'.repeat(100_000)}\n`);
  put('wide.md', `# ${'w'.repeat(100_000)}\n\nIdeas 80 wide\n`);
  symlinkSync(notes, join(notes, 'loop'));
  symlinkSync('self', join(notes, 'self'));
  writeFileSync(join(outside, 'secret.md'), 'GOALS 80 secret');
  symlinkSync(join(outside, 'secret.md'), join(notes, 'secret.md'));
  execFileSync('mkfifo', [join(notes, 'pipe.md')]);
}

function linkTargets({ outside, root }: World): void {
  mkdirSync(join(root, 'Foundation'));
  writeFileSync(join(outside, 'wisdom.md'), 'mine\n');
  symlinkSync(join(outside, 'wisdom.md'), join(root, 'Foundation/WISDOM.md'));
  symlinkSync(join(outside, 'nothing-here.md'), join(root, 'Foundation/BELIEFS.md'));
  symlinkSync('../../outside/wisdom.md', join(root, 'Foundation/MODELS.md'));
  mkdirSync(join(root, 'Foundation/SPARKS.md'));
  mkdirSync(join(root, 'Knowledge'));
  symlinkSync(outside, join(root, 'Knowledge/People'));
}

async function linkedState(repository: string, folder: string): Promise<number> {
  const [root, elsewhere] = [join(folder, 'linked-root'), join(folder, 'elsewhere')];
  for (const path of [root, elsewhere]) mkdirSync(path);
  symlinkSync(elsewhere, join(root, '.migration'));
  const scan = await runMigration(repository, ['scan', '--stdin', '--root', root], { input: 'GOALS 80\n' });
  return existsSync(elsewhere) ? readdirSync(elsewhere).length + (scan.code === 0 ? 1 : 0) : 0;
}

function countChanged(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): number {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).length;
}

/** Every provenance comment must end exactly where its line ends. */
function countBroken(root: string): number {
  const all = [...readTree(root).values()].join('\n');
  const comments = [...all.matchAll(/<!-- source: .*/g)].map((found) => found[0]);
  return comments.filter((line) => line.indexOf('-->') !== line.length - 3 || /--!?>/.test(line.slice(0, -3)))
    .length;
}
