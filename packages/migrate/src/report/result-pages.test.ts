import { existsSync, readdirSync, statSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { queriedFolders } from './dataview-warning.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

async function commit(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) place.write(`notes/${name}`, text);
  await place.run(['scan', '--source', place.notes]);
  return (await place.run(['approve', '--approve-all'])).stdout;
}

function movesPages(): readonly string[] {
  const folder = `${place.root}/.migration/moves`;
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe('the list of moves', () => {
  it('links every note from its old to its new place with its text before and after', async () => {
    await commit({
      'Plan <b>.md': 'NOTE 80 see [[Other]] <script>alert(1)</script>\n',
      'Other.md': 'Ideas 80\n',
    });
    const [name = ''] = movesPages();
    const page = place.read(`knowledge/.migration/moves/${name}`);
    expect(page).toContain(`href="file://${place.notes}/Plan%20%3Cb%3E.md"`);
    expect(page).toContain(
      `href="file://${place.root}/Knowledge/Ideas/Other.md">Knowledge/Ideas/Other.md</a>`,
    );
    expect(page).toContain('see [[Other]] &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('<script');
    expect(page).toContain("default-src 'none'");
    expect(statSync(`${place.root}/.migration/moves/${name}`).mode & 0o777).toBe(0o600);
    expect(place.read('knowledge/.migration/report.html')).toContain(`href="moves/${name}"`);
  });

  it('of an undone run is deleted', async () => {
    await commit({ 'a.md': 'NOTE 80\n' });
    expect(movesPages()).toHaveLength(1);
    await place.run(['undo']);
    expect(movesPages()).toEqual([]);
  });

  it('is split into pages that link to each other', async () => {
    const names = Array.from({ length: 501 }, (_, at) => [`n${at}.md`, `NOTE 80 ${at}\n`] as const);
    await commit(Object.fromEntries(names));
    const [second = '', first = ''] = [...movesPages()].sort();
    expect(place.read(`knowledge/.migration/moves/${first}`)).toContain(`<a href="${second}">Next</a>`);
    expect(place.read(`knowledge/.migration/moves/${second}`).match(/<details>/g)).toHaveLength(1);
  });
});

describe('index pages', () => {
  const files = {
    'ann.md': 'People 80 see [[bob]]\n',
    'bob.md': 'People 80 Bob\n',
    'Work/plan.md': 'NOTE 80\n',
  };

  it('have the counts and the newest notes of each area', async () => {
    await commit(files);
    const { stdout } = await place.run(['index']);
    expect(stdout).toContain('Wrote 2 index pages.');
    const people = place.read('knowledge/Knowledge/People/_index.md');
    expect(people).toContain('# Knowledge/People\n\n2 files\n');
    expect(people).toMatch(/- \[bob\]\(bob\.md\) \d{4}-\d\d-\d\d/);
    expect(place.read('knowledge/Knowledge/Notes/_index.md')).toContain('- Work: 1');
    expect(existsSync(`${place.root}/Knowledge/People/_backlinks.md`)).toBe(false);
  });

  it('list backlinks on request', async () => {
    await commit(files);
    await place.run(['index', '--backlinks']);
    expect(place.read('knowledge/Knowledge/People/_backlinks.md')).toContain(
      '- [bob](bob.md): [ann](ann.md)',
    );
  });

  it('are updated by later runs and deleted by an undo of all runs', async () => {
    await commit(files);
    await place.run(['index']);
    await commit({ 'cleo.md': 'People 80 Cleo\n' });
    expect(place.read('knowledge/Knowledge/People/_index.md')).toContain('3 files');
    await place.run(['undo', '--all']);
    expect(place.knowledge()).toEqual({});
  });

  it('never replace a file of the user', async () => {
    await commit(files);
    place.write('knowledge/Knowledge/People/_index.md', 'Mine.\n');
    const { code, stderr } = await place.run(['index']);
    expect([code, stderr]).toEqual([1, 'Knowledge/People/_index.md is your own file and was not changed.\n']);
    expect(place.read('knowledge/Knowledge/People/_index.md')).toBe('Mine.\n');
    expect((await place.run(['index', '--remove'])).stdout).toBe('Deleted 1 index page.\n');
  });
});

describe('Dataview queries', () => {
  it('over a moved folder get a warning with its new path', async () => {
    const stdout = await commit({
      'Books/dune.md': 'NOTE 80\n',
      'home.md': 'NOTE 80\n\n```dataview\nlist from "Books" and #read\n```\n',
    });
    const warning = 'Knowledge/Notes/home.md: "Books" is now "Knowledge/Notes/Books"';
    expect(stdout).toContain(`Dataview queries over moved folders:\n  ${warning}\n`);
    expect(place.read('knowledge/.migration/report.md')).toContain('the folder "Books" is now');
  });

  it('are read in blocks, scripts and inline, and nowhere else', () => {
    const text = [
      '```dataview\ntable x from "A" or "B/C"\nwhere y = "no"\n```',
      '```dataviewjs\ndv.pages(\'"D"\')\n```',
      '`$= dv.pages("\'E\'").length` and from "F"',
    ].join('\n');
    expect(queriedFolders(text)).toEqual(['A', 'B/C', 'D', 'E']);
  });
});
