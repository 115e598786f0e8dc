import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { questionCases } from '../../test/questions.ts';
import { noTerminal } from '../../test/terminal.ts';

// oxlint-disable-next-line no-console -- prints why these tests are skipped
if (noTerminal !== null) console.error(`Ctrl-C AT A QUESTION WAS NOT TESTED: ${noTerminal}`);

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

describe.skipIf(noTerminal !== null)('Ctrl-C ends the run at once', { timeout: 60_000 }, () => {
  it.each(questionCases)('at $name', async (questionCase) => {
    const { files, edited, later = {}, flags, way, question, kept = {} } = questionCase;
    for (const [path, text] of Object.entries(files)) place.write(path, text);
    await place.run(['scan', '--source', place.notes, '--sections']);
    if (edited !== undefined) {
      await place.run(['approve', '--approve-all']);
      for (const [path, text] of Object.entries(edited)) place.write(path, text);
      await place.run(['scan', '--source', place.notes, '--sections']);
    }
    for (const [path, text] of Object.entries(later)) place.write(path, text);
    const before = place.knowledge();
    const screen = place.openApprove(flags.join(' '));
    for (const { when, press } of way) {
      await screen.shows(when);
      screen.press(...press);
    }
    await screen.shows(question);
    screen.press('C-c');
    expect(await screen.ended()).toBe(130);
    expect(screen.screen()).toContain('Your answers are saved. Continue with daybook-migrate approve.');
    expect(place.knowledge()).toEqual(before);
    expect(await place.json(['status'])).toMatchObject({ states: kept });
  });
});

describe.skipIf(noTerminal !== null)('questions', { timeout: 60_000 }, () => {
  it('an answer given before a stop is saved and the question is not repeated', async () => {
    place.write('notes/a.md', '# A\nHEALTH 80\n\n# B\nMONEY 80\n');
    await place.run(['scan', '--source', place.notes, '--sections']);
    const first = place.openApprove('--approve-all');
    await first.shows('for HEALTH?');
    first.press('Enter');
    await first.shows('for MONEY?');
    first.press('C-c');
    await first.ended();
    first.close();
    const second = place.openApprove('--approve-all');
    await second.shows('1 of 1 · Add 1 note to your ideal state for MONEY?');
    second.press('Enter');
    expect(await second.shows('Committed 2 chunks.')).toContain('HEALTH');
  });

  it('asks about rules and identity one by one and can leave the rest pending', async () => {
    place.write(
      'notes/AGENTS.md',
      Array.from({ length: 6 }, (_, at) => `# R${at}\nRule ${at}.\n`).join('\n'),
    );
    place.write(
      'notes/a.md',
      Array.from({ length: 5 }, (_, at) => `# I${at}\nPRINCIPAL_IDENTITY 8${at}\n`).join('\n'),
    );
    await place.run(['scan', '--source', place.notes, '--sections']);
    const screen = place.openApprove('--approve-all');
    await screen.shows('1 of 11 · Write this to your identity file');
    screen.press('Enter');
    await screen.shows('2 of 11 · Write this to your identity file');
    screen.press('Down', 'Down', 'Down', 'Enter');
    await screen.shows('3 of 11 · Where should this rule for agents be stored?');
    screen.press('Enter');
    await screen.shows('4 of 11 · Where should this rule for agents be stored?');
    screen.press('Up', 'Up', 'Enter');
    await screen.shows('Committed 2 chunks.');
    await screen.ended();
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 2, scanned: 9 } });
  });

  it('in a review, A and R decide for the rest of the file', async () => {
    place.write('notes/a.md', '# A\nGOALS 80\n\n# B\nGOALS 81\n\n# C\nGOALS 82\n');
    place.write('notes/b.md', '# D\nGOALS 83\n\n# E\nGOALS 84\n');
    await place.run(['scan', '--source', place.notes, '--sections']);
    const screen = place.openApprove('--review');
    await screen.shows('Review 1 of 5');
    screen.press('2', 'A');
    await screen.shows('Approve this and the 2 after it of a.md to BELIEFS?');
    screen.press('y');
    await screen.shows('Review 4 of 5', '3 moved');
    screen.press('R');
    await screen.shows('Reject this and the 1 after it of b.md?');
    screen.press('y');
    await screen.shows('Commit 3 approved chunks now?');
    screen.press('Enter');
    await screen.shows('Committed 3 chunks.');
    expect(Object.keys(place.knowledge())).toEqual(['Foundation/BELIEFS.md']);
  });
});
