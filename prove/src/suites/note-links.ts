import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { LinkChecker } from '../note-link-check.ts';

const vaults = ['kepano-obsidian', 'nikita-knowledge', 'blue-book'];
/** A second that no copy of the files has by accident. */
const modifiedSeconds = 1_500_000_001;

interface Tally {
  notes: number;
  before: number;
  after: number;
  broken: number;
  /** Links that lead nowhere and did not before. A link that moved to a list with its section is none of them. */
  newlyBroken: number;
  dates: number;
  /** Links of the index pages, and those that lead nowhere. */
  indexed: number;
  indexBroken: number;
}

export const suite: Suite = {
  name: 'note-links',
  summary: 'Links and dates of real vaults survive the note migration.',
  headline: 'links that resolved before',
  promise:
    'Real vaults are migrated with every proposal approved; a note that needs an answer stays whole. A checker with the rules of Obsidian, which shares no code with the migration, counts the links of each note that resolve in the vault and afterwards in the knowledge base, headings and blocks included. It also compares the modification time of each note.',
  measuresNoTime: true,
  dataSets: ['notes/vaults'],
  run: async (context) => {
    const tally: Tally = {
      notes: 0,
      before: 0,
      after: 0,
      broken: 0,
      newlyBroken: 0,
      dates: 0,
      indexed: 0,
      indexBroken: 0,
    };
    for (const name of context.quick ? vaults.slice(0, 1) : vaults) {
      const folder = mkdtempSync(join(tmpdir(), 'prove-note-links-'));
      try {
        migrateVault(context, join(context.data('notes/vaults'), name), folder, tally);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    const { figure } = context;
    figure({ name: 'whole notes compared', value: tally.notes, unit: 'notes', goal: { atLeast: 50 } });
    figure({ name: 'links that resolved before', value: tally.before, unit: 'links' });
    figure({
      name: 'of these, resolved after the migration',
      value: (100 * (tally.before - tally.broken)) / Math.max(tally.before, 1),
      unit: '%',
      goal: { atLeast: 99 },
    });
    figure({
      name: 'links that are broken and were not before',
      value: tally.newlyBroken,
      unit: 'links',
      goal: { exactly: 0 },
    });
    figure({ name: 'links of the index pages', value: tally.indexed, unit: 'links', goal: { atLeast: 20 } });
    figure({
      name: 'of these broken',
      value: tally.indexBroken,
      unit: 'links',
      goal: { exactly: 0 },
    });
    figure({
      name: 'notes with their modification time',
      value: (100 * tally.dates) / Math.max(tally.notes, 1),
      unit: '%',
      goal: { exactly: 100 },
    });
    await Promise.resolve();
  },
};

function migrateVault(context: SuiteContext, vault: string, folder: string, tally: Tally): void {
  const [notes, root] = [join(folder, 'notes'), join(folder, 'root')];
  cpSync(vault, notes, { recursive: true });
  for (const entry of readdirSync(notes, { recursive: true, withFileTypes: true }))
    utimesSync(join(entry.parentPath, entry.name), modifiedSeconds, modifiedSeconds);
  run(context, 'scan', '--source', notes, '--json', '--root', root);
  run(context, 'approve', '--approve-all', '--json', '--root', root);
  for (const line of run(context, 'status', '--list', '--json', '--root', root).split('\n')) {
    if (line === '') continue;
    const { id } = JSON.parse(line) as { readonly id: string };
    run(context, 'approve', '--modify', id, '--target', 'NOTE', '--json', '--root', root);
  }
  // Index pages must not take over a link that leads to a note.
  const pages = run(context, 'index', '--backlinks', '--json', '--root', root);
  const [before, after] = [new LinkChecker(notes), new LinkChecker(root)];
  for (const page of (JSON.parse(pages) as { readonly written: readonly string[] }).written) {
    const { resolved, unresolved } = after.check(page);
    tally.indexed += resolved + unresolved.length;
    tally.indexBroken += unresolved.length;
  }
  for (const { source, path } of wholeNotes(root)) {
    const [was, is] = [before.check(source), after.check(path)];
    const broken = Math.max(0, was.resolved - is.resolved);
    tally.notes += 1;
    tally.before += was.resolved;
    tally.after += is.resolved;
    tally.broken += broken;
    tally.newlyBroken += Math.max(0, is.unresolved.length - was.unresolved.length);
    if (Math.floor(statSync(join(root, path)).mtimeMs / 1000) === modifiedSeconds) tally.dates += 1;
    if (broken > 0)
      context.note(
        `${path}: ${is.unresolved
          .filter((raw) => !was.unresolved.includes(raw))
          .slice(0, 3)
          .join('  ')}`,
      );
  }
}

/** Notes of their own, by the source that they name. */
function wholeNotes(root: string): readonly { readonly source: string; readonly path: string }[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name).slice(root.length + 1);
    if (!entry.isFile() || !/^(?:Knowledge|Journal)\//.test(path)) return [];
    const comment = /^<!-- source: (.*?)(?:; section: .*?)?; (?:modified: .*?; )?migrated: /m.exec(
      readFileSync(join(root, path), 'utf8'),
    );
    const source = comment?.[1]?.replaceAll('&amp;', '&').replaceAll('&#59;', ';').replaceAll('&#45;', '-');
    return source === undefined ? [] : [{ source, path }];
  });
}

function run({ root }: SuiteContext, ...args: readonly string[]): string {
  const program = join(root, 'packages/migrate/src/bin/daybook-migrate.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  if (status !== 0 && status !== 3) throw new Error(`${args[0]} ended with ${status}: ${stderr}`);
  return stdout;
}
