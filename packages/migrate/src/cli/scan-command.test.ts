import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

// Every step is a process of its own.
vi.setConfig({ testTimeout: 60_000 });

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

describe('scan', () => {
  it('prints total, routing table with counts and averages, UNCLEAR and low confidence', async () => {
    place.write('notes/a.md', '# A\nGOALS 80\n\n# B\nGOALS 60\n\n# C\nWISDOM 20\n\n# D\nnothing\n');
    const { stdout, code } = await place.run(['scan', '--source', place.notes]);
    expect(code).toBe(0);
    expect(stdout).toContain('4 chunks, 4 of them new');
    expect(stdout).toMatch(/GOALS\s+2\s+70 %/);
    expect(stdout).toMatch(/WISDOM\s+1\s+20 %/);
    expect(stdout).toContain('UNCLEAR: 1');
    expect(stdout).toContain('Low confidence (below 40 %): 1');
    expect(stdout).not.toContain('\u001b');
  });

  it('a second scan of the same sources adds nothing', async () => {
    place.write('notes/a.md', '# A\nGOALS 80\n\n# A\nGOALS 80\n');
    place.write('notes/b.txt', 'WISDOM 50\n');
    const first = await place.json(['scan', '--source', place.notes]);
    const second = await place.json(['scan', '--source', place.notes]);
    expect([first['added'], second['added'], second['states']]).toEqual([3, 0, first['states']]);
  });

  it('reads piped text, and knows it again', async () => {
    expect(await place.json(['scan', '--stdin'], '# X\nGOALS 80\n')).toMatchObject({ added: 1, unclear: 0 });
    expect(await place.json(['scan', '--stdin'], '# X\nGOALS 80\n')).toMatchObject({ added: 0 });
  });

  it('a dry run keeps nothing', async () => {
    place.write('notes/a.md', 'GOALS 80\n');
    expect(await place.json(['scan', '--source', place.notes, '--dry-run'])).toMatchObject({
      added: 1,
      dryRun: true,
    });
    expect((await place.run(['status'])).stderr).toContain('nothing has been scanned');
    await place.run(['scan', '--source', place.notes]);
    place.write('notes/b.md', 'GOALS 81\n');
    await place.run(['scan', '--source', place.notes, '--dry-run']);
    expect(await place.json(['status'])).toMatchObject({ chunks: 1 });
  });

  it('rule files go to AI_RULES and files of another installation to their own target, by their names', async () => {
    place.write('notes/CLAUDE.md', 'Be brief.\n');
    place.write('notes/.cursorrules', 'Use tabs.\n');
    place.write('notes/rules/x.mdc', '---\nglobs: "*"\n---\nNo mocks.\n');
    place.write('notes/TELOS/MISSION.md', 'To help.\n');
    place.write('notes/TELOS/CURRENT_STATE/HEALTH.md', 'Tired.\n');
    const { routing } = await place.json(['scan', '--source', place.notes]);
    expect(routing).toMatchObject([
      { target: 'MISSION', count: 1 },
      { target: 'AI_RULES', count: 3 },
      { target: 'UNCLEAR', count: 1 },
    ]);
  });

  it('notes what it leaves alone: attachments, databases and tools’ folders', async () => {
    place.write('notes/.obsidian/app.json', '{}');
    place.write('notes/pic.png', 'x');
    place.write('notes/Tasks 0123456789abcdef0123456789abcdef.csv', 'a,b');
    place.write('notes/a.md', 'See [[Other]] and ![[pic.png]].\n');
    expect(await place.json(['scan', '--source', place.notes])).toMatchObject({
      files: 1,
      wikilinks: 2,
      noted: { attachment: 1, database: 1, 'set aside': 1 },
    });
  });

  it('says in plain words what is wrong, with its exit code', async () => {
    expect(await place.run(['scan'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--source') });
    const missing = await place.run(['scan', '--source', 'nowhere']);
    expect(missing).toMatchObject({ code: 1, stderr: 'there is no file or folder nowhere\n' });
  });
});
