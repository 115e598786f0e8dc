import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { MigrationPlace, standInCommand } from '../../test/migration-command.ts';
import { noTerminal, Terminal } from '../../test/terminal.ts';
import { hashFile } from '../commit/file-change.ts';

vi.setConfig({ testTimeout: 60_000 });

// oxlint-disable-next-line no-console -- prints why these tests are skipped
if (noTerminal !== null) console.error(`--dry-run WITH --review WAS NOT TESTED: ${noTerminal}`);

let place: MigrationPlace;
beforeEach(async () => {
  place = new MigrationPlace();
  place.write('knowledge/Foundation/GOALS.md', 'Old.\n');
  place.write('notes/a.md', '# A\nGOALS 80\n\n# B\nIdeas 80\n\n# C\nunknown\n');
  await place.run(['scan', '--source', place.notes, '--sections']);
});
afterEach(() => place.remove());

/** Every file below the root with its bytes and its time of change, the tool's own state included. */
function everything(): readonly string[] {
  const entries = readdirSync(place.folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mtimeMs } = lstatSync(path);
      return `${path} ${mtimeMs} ${entry.isFile() ? hashFile(path) : ''}`;
    })
    .sort();
}

it.each([
  ['scan', ['scan', '--source', 'notes', '--dry-run']],
  ['scan --stdin', ['scan', '--stdin', '--dry-run']],
  ['approve --approve-all', ['approve', '--approve-all', '--dry-run']],
  ['approve --approve-target', ['approve', '--approve-target', 'GOALS', '--dry-run']],
  ['undo', ['undo', '--all', '--dry-run']],
])('%s --dry-run leaves every byte and time stamp as it was', async (_name, args) => {
  await place.run(['approve', '--approve-target', 'Ideas']);
  place.write('notes/new.md', '# New\nGOALS 70\n');
  const before = everything();
  const sourced = args.map((arg) => (arg === 'notes' ? place.notes : arg));
  const { code, stderr } = await place.run(sourced, '# Pasted\nWISDOM 80\n');
  expect([code, stderr]).toEqual([0, '']);
  expect(everything()).toEqual(before);
});

it('a dry run of a first scan does not create the root', async () => {
  const root = join(place.folder, 'elsewhere');
  expect((await place.run(['scan', '--stdin', '--dry-run', '--root', root], 'GOALS 80\n')).code).toBe(0);
  expect(readdirSync(place.folder)).not.toContain('elsewhere');
});

it.skipIf(noTerminal !== null)(
  'decisions in approve --review --dry-run are shown and forgotten',
  async () => {
    const before = everything();
    const terminal = new Terminal(
      `'${process.execPath}' '${standInCommand}' approve --review --dry-run --root '${place.root}'`,
      { columns: 100, rows: 30 },
    );
    try {
      await terminal.shows('Review 1 of 3');
      terminal.press('a', 'r', 'q');
      await terminal.shows('Show 1 approved chunk now?');
      terminal.press('Enter');
      await terminal.shows('+GOALS 80', 'Would commit 1 chunk.');
      await terminal.ended();
    } finally {
      terminal.close();
    }
    expect(everything()).toEqual(before);
  },
);
