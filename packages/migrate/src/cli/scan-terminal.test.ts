import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace, standInCommand } from '../../test/migration-command.ts';
import { noTerminal, Terminal } from '../../test/terminal.ts';

// oxlint-disable-next-line no-console -- prints why these tests are skipped
if (noTerminal !== null) console.error(`QUESTIONS ABOUT ENCODINGS WERE NOT TESTED: ${noTerminal}`);

let place: MigrationPlace;
let terminal: Terminal;
beforeEach(() => {
  place = new MigrationPlace();
  for (const [name, words] of Object.entries({ a: '买菜', b: '牛奶', c: '面包' }))
    place.write(`notes/${name}.txt`, iconv.encode(words, 'gbk'));
  place.write('notes/d.md', 'GOALS 80\n');
  terminal = new Terminal(
    `'${process.execPath}' '${standInCommand}' scan --source '${place.notes}' --root '${place.root}'`,
    { columns: 100, rows: 40 },
  );
});
afterEach(() => {
  terminal.close();
  place.remove();
});

describe.skipIf(noTerminal !== null)('an unclear encoding at a terminal', { timeout: 60_000 }, () => {
  it('the user chooses an unclear encoding once, with the text in each encoding, for all such files', async () => {
    await terminal.shows('1 of 3 · a.txt is not UTF-8. Which of these is readable?', 'gb18030: 买菜');
    while (!/● gb18030/.test(terminal.screen())) terminal.press('Down');
    terminal.press('Enter');
    await terminal.shows('The same for 2 other files like it?');
    terminal.press('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(await place.json(['scan', '--source', place.notes])).toMatchObject({
      files: 4,
      chunks: 4,
      added: 0,
    });
    const { stdout } = await place.run(['status', '--list', '--json']);
    expect(stdout).toContain('"source":"c.txt"');
  });

  it('Ctrl-C ends the scan and keeps what was read', async () => {
    await terminal.shows('1 of 3 · a.txt is not UTF-8.');
    terminal.press('C-c');
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen()).toContain('Stopped. Progress is saved. Run the same scan to continue.');
    expect(await place.json(['status'])).toMatchObject({ chunks: 1 });
  });
});
