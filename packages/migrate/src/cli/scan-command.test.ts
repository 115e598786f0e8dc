import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';

import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

describe('scan', () => {
  it('prints total, routing table with counts and averages, UNCLEAR and low confidence', async () => {
    place.write('notes/a.md', '# A\nGOALS 80\n\n# B\nGOALS 60\n\n# C\nWISDOM 20\n\n# D\nnothing\n');
    const { stdout, code } = await place.run(['scan', '--source', place.notes, '--sections']);
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
    const first = await place.json(['scan', '--source', place.notes, '--sections']);
    const second = await place.json(['scan', '--source', place.notes, '--sections']);
    expect([first['added'], second['added'], second['states']]).toEqual([3, 0, first['states']]);
  });

  it('reads piped text, and recognizes it in a second scan', async () => {
    expect(await place.json(['scan', '--stdin'], '# X\nGOALS 80\n')).toMatchObject({ added: 1, unclear: 0 });
    expect(await place.json(['scan', '--stdin'], '# X\nGOALS 80\n')).toMatchObject({ added: 0 });
  });

  it('a dry run stores nothing', async () => {
    place.write('notes/a.md', 'GOALS 80\n');
    expect(await place.json(['scan', '--source', place.notes, '--dry-run'])).toMatchObject({
      added: 1,
      dryRun: true,
    });
    expect((await place.run(['status'])).stderr).toContain('nothing has been scanned');
    await place.run(['scan', '--source', place.notes, '--sections']);
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
    place.write('notes/Work/ClientX/GOALS.md', 'Theirs, not mine.\n');
    const { routing } = await place.json(['scan', '--source', place.notes, '--sections']);
    expect(routing).toMatchObject([
      { target: 'MISSION', count: 1 },
      { target: 'AI_RULES', count: 3 },
      { target: 'UNCLEAR', count: 2 },
    ]);
  });

  it('lists every file that is not a note by name', async () => {
    place.write('notes/.obsidian/app.json', '{}');
    place.write('notes/pic.png', 'x');
    place.write('notes/Tasks.csv', 'a,b');
    place.write('notes/a.md', 'See [[Other]] and ![[pic.png]].\n');
    place.write('notes/empty.md', '\n\n');
    place.write('notes/picture.md', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]));
    symlinkSync('a.md', `${place.notes}/link.md`);
    const scan = await place.json(['scan', '--source', place.notes]);
    expect(scan['files']).toBe(3);
    expect(scan['listed']).toEqual(
      expect.arrayContaining([
        { name: '.obsidian/', status: 'set aside', detail: 'managed by another tool' },
        { name: 'Tasks.csv', status: 'database', detail: '' },
        { name: 'empty.md', status: 'blank', detail: '' },
        { name: 'link.md', status: 'link', detail: '' },
        { name: 'pic.png', status: 'attachment', detail: '' },
        { name: 'picture.md', status: 'binary', detail: '' },
      ]),
    );
    const { stdout } = await place.run(['status', '--files']);
    expect(stdout).toMatch(/Other files: 2 files\n.*Tasks\.csv {2}\(database\)\n {2}pic\.png\n {2}Not notes/);
    expect(stdout).toMatch(/No text: 2 files\n {2}empty\.md {2}\(blank\)\n {2}picture\.md {2}\(binary\)/);
  });

  it('front matter is counted apart from bytes that are written nowhere', async () => {
    place.write('notes/a.md', '---\ntags: [a]\n---\nGOALS 80\n');
    place.write('notes/blank.md', '\n\n');
    const { stdout } = await place.run(['scan', '--source', place.notes]);
    expect(stdout).toContain('Properties: 1 note (18 bytes), written with each\n');
    expect(stdout).toContain(
      'Not in a chunk, but listed: 1 piece (2 bytes; such as blank and binary files)\n',
    );
  });

  it('unreadable files are named, and the exit code is 1', async () => {
    place.write('notes/a.md', 'GOALS 80\n');
    place.write('notes/huge.md', '');
    truncateSync(`${place.notes}/huge.md`, 257 * 1024 * 1024);
    const { code, stdout } = await place.run(['scan', '--source', place.notes]);
    expect([code, stdout]).toEqual([1, expect.stringContaining('Could not be read: 1 file\n  huge.md')]);
    expect(await place.json(['status'])).toMatchObject({ chunks: 1 });
  });

  it('a file with a name that is not UTF-8 is read and shown with escapes', async () => {
    place.write('notes/a.md', 'GOALS 80\n');
    const name = Buffer.concat([Buffer.from(`${place.notes}/caf`), Buffer.from([0xe9]), Buffer.from('.md')]);
    writeFileSync(name, 'WISDOM 80\n');
    const folder = Buffer.concat([Buffer.from(`${place.notes}/d`), Buffer.from([0xff])]);
    mkdirSync(folder);
    writeFileSync(Buffer.concat([folder, Buffer.from('/b.md')]), 'SPARKS 80\n');
    const first = await place.json(['scan', '--source', place.notes]);
    expect(first).toMatchObject({ files: 3, added: 3 });
    expect(await place.json(['scan', '--source', place.notes])).toMatchObject({ files: 3, added: 0 });
    const { stdout } = await place.run(['status', '--list']);
    expect(stdout).toMatch(/caf\\xe9\.md/);
    expect(stdout).toMatch(/d\\xff\/b\.md/);
  });

  it('a guessed encoding is named with its figure, and an unclear one is not read', async () => {
    const gbk = '今天早上跑了五公里，天气很好。晚上和朋友吃火锅，聊了很多以前的事情。GOALS 80';
    place.write('notes/old.txt', iconv.encode(gbk, 'gbk'));
    place.write('notes/short.txt', iconv.encode('买菜', 'gbk'));
    place.write(
      'notes/stray.md',
      Buffer.concat([Buffer.from('思考笔记，'), Buffer.from([0x93]), Buffer.from('x')]),
    );
    const { code, stdout } = await place.run(['scan', '--source', place.notes]);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /unclear encoding: 1 file\n {2}short\.txt {2}\(.*gb18030.*\)\n {2}Scan in a terminal/,
    );
    expect(stdout).toMatch(/old\.txt {2}\(read as gb18030, with a certainty of \d+ %\)/);
    expect(stdout).toContain('stray.md  (bytes that are not UTF-8 and were read as windows-1252: 1)');
    expect(await place.json(['scan', '--source', place.notes, '--encoding', 'gbk'])).toMatchObject({
      added: 1,
    });
    expect((await place.run(['scan', '--source', place.notes, '--encoding', 'klingon'])).code).toBe(2);
  });

  it('the knowledge root itself is refused as a source', async () => {
    place.write('knowledge/a.md', 'x\n');
    const { code, stderr } = await place.run(['scan', '--source', place.root]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('is the knowledge root itself')]);
  });

  it('prints a readable message and the exit code for each error', async () => {
    expect(await place.run(['scan'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--source') });
    const missing = await place.run(['scan', '--source', 'nowhere']);
    expect(missing).toMatchObject({ code: 1, stderr: 'file or folder not found: nowhere\n' });
  });
});
