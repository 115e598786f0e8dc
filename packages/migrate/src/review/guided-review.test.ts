import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { noTerminal } from '../../test/terminal.ts';

// oxlint-disable-next-line no-console -- prints why these tests are skipped
if (noTerminal !== null) console.error(`THE GUIDED REVIEW WAS NOT TESTED: ${noTerminal}`);

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

async function scanned(text: string): Promise<void> {
  place.write('notes/a.md', text);
  await place.run(['scan', '--source', place.notes, '--sections']);
}

describe.skipIf(noTerminal !== null)('the review at a real terminal', { timeout: 60_000 }, () => {
  it('shows text, reasons, alternatives and the diff, and approves, moves, rejects and undoes', async () => {
    place.write('knowledge/Foundation/GOALS.md', '# Goals\n\nOld goal.\n');
    await scanned('# Aim\nGOALS 82\n\n# Two\nSPARKS 50\n\n# Three\nWISDOM 20\n\n# Four\nunknown\n');
    const screen = place.openApprove('--review');
    const first = await screen.shows(
      'Review 1 of 4',
      '→ GOALS',
      '82 %, trusted',
      'because it names GOALS',
      '1 WISDOM 10 %',
    );
    expect(first).toContain('# Aim');
    screen.press('d');
    await screen.shows('--- a/Foundation/GOALS.md', ' Old goal.', '+GOALS 82');
    screen.press('d', 'a');
    await screen.shows('Review 2 of 4', '50 %, medium', '1 approved');
    screen.press('2');
    await screen.shows('→ BELIEFS', 'your choice', 'Foundation/BELIEFS.md');
    screen.press('a');
    await screen.shows('Review 3 of 4', '20 %, low', '1 moved');
    screen.press('r');
    await screen.shows('Review 4 of 4', '1 rejected', '→ UNCLEAR');
    screen.press('u');
    await screen.shows('Review 3 of 4', '0 rejected');
    screen.press('r');
    await screen.shows('Review 4 of 4');
    screen.press('a');
    await screen.shows('needs a target first');
    screen.press('x', 'm');
    await screen.shows('Target: ▏');
    screen.press('r', 'e', 's', 'e');
    await screen.shows('Target: rese▏', '[Research]');
    screen.press('Enter');
    await screen.shows('→ Research', 'a new note in Knowledge/Research');
    screen.press('a');
    await screen.shows('Commit 3 approved chunks now?');
    screen.press('Enter');
    await screen.shows('Committed 3 chunks.', 'Remaining UNCLEAR: 0');
    await screen.ended();
    expect(Object.keys(place.knowledge()).sort()).toEqual([
      'Foundation/BELIEFS.md',
      'Foundation/GOALS.md',
      'Knowledge/Research/Four.md',
    ]);
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 3, rejected: 1 } });
  });

  it('asks for identity, once for each dimension, for a duplicate and for the place of a rule', async () => {
    place.write('knowledge/Foundation/GOALS.md', 'x # A\nGOALS 80 x\n');
    place.write('notes/CLAUDE.md', 'Never run `rm -rf`.\n');
    await scanned('# A\nGOALS 80\n\n# B\nPRINCIPAL_IDENTITY 90\n\n# C\nHEALTH 90\n\n# D\nHEALTH 91\n');
    const screen = place.openApprove('--review');
    await screen.shows('Review 1 of 5', 'CLAUDE.md', '→ AI_RULES');
    screen.press('a');
    await screen.shows('Where should this rule for agents be stored?');
    screen.press('3');
    await screen.shows('What should happen?');
    screen.press('d');
    await screen.shows('For which tool or command (deny)?', 'rm -rf▏');
    screen.press('Enter');
    await screen.shows('Review 2 of 5', 'This text is already in its target.');
    screen.press('a');
    await screen.shows('Add it again?');
    screen.press('n');
    await screen.shows('a approve');
    screen.press('s');
    await screen.shows('Review 3 of 5');
    screen.press('a');
    await screen.shows('Write this to your identity file?');
    screen.press('y');
    await screen.shows('Review 4 of 5');
    screen.press('a');
    await screen.shows('Add notes to your ideal state for HEALTH?');
    screen.press('y');
    await screen.shows('Review 5 of 5');
    screen.press('a');
    await screen.shows('Commit 4 approved chunks now?');
    screen.press('Enter');
    await screen.shows('Committed 4 chunks.');
    expect(JSON.parse(place.read('knowledge/Rules/settings.json'))).toEqual({
      permissions: { deny: ['rm -rf'] },
    });
    expect(place.read('knowledge/Rules/settings.provenance.md')).toContain('<!-- source: CLAUDE.md');
    await screen.ended();
    expect((await place.run(['undo'])).code).toBe(0);
    expect(place.knowledge()).toEqual({ 'Foundation/GOALS.md': 'x # A\nGOALS 80 x\n' });
  });

  it('a killed review resumes where it stopped', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nGOALS 81\n\n# C\nGOALS 82\n');
    const screen = place.openApprove('--review');
    await screen.shows('Review 1 of 3');
    screen.press('a');
    await screen.shows('Review 2 of 3');
    process.kill(screen.processId(), 'SIGKILL');
    await screen.ended();
    screen.close();
    const again = place.openApprove('--review');
    expect(await again.shows('Review 1 of 2')).toContain('a.md › B');
    again.press('q');
    await again.shows('Commit 1 approved chunk now?');
  });

  it('the guided review shows the routing, offers the four paths and commits trusted chunks', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nGOALS 65\n\n# C\nWISDOM 20\n\n# D\nunknown\n');
    const screen = place.openApprove('');
    await screen.shows(
      'GOALS',
      'Approve trusted proposals (70 % or more): 1 chunk',
      'Approve all proposals of 60 % or more: 2 chunks',
      'Review low confidence and UNCLEAR: 2 chunks',
      'Review one target',
      'Review everything, one by one',
    );
    screen.press('Down', 'Enter');
    const next = await screen.shows('1 chunk committed.', 'Approve all proposals of 60 % or more: 1 chunk');
    expect(next.slice(next.lastIndexOf('What do you want'))).not.toContain('trusted');
    screen.press('Down', 'Enter');
    await screen.shows('Below 70 %. Please check:', 'Approve 1 chunk below 70 % too?');
    screen.press('y');
    await screen.shows('UNCLEAR: 2 chunks');
    screen.press('Up', 'Enter');
    expect(await screen.shows('Committed 2 chunks.')).toContain('Remaining UNCLEAR: 1');
  });

  it('the review of doubtful chunks includes UNCLEAR ones that the classifier is certain of', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nWISDOM 20\n\n# C\nunknown\n');
    const screen = place.openApprove('');
    await screen.shows('Review low confidence and UNCLEAR: 2 chunks');
    screen.press('Down', 'Down', 'Enter');
    await screen.shows('Review 1 of 2', 'a.md › B');
    screen.press('s');
    expect(await screen.shows('Review 2 of 2', '→ UNCLEAR')).toContain('a.md › C');
  });

  it('status answers while a review is open', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nGOALS 81\n');
    const screen = place.openApprove('--review');
    await screen.shows('Review 1 of 2');
    screen.press('a');
    await screen.shows('Review 2 of 2');
    const status = await place.run(['status', '--json']);
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({ states: { approved: 1, scanned: 1 } });
    expect(status.stderr).toContain('Another migration is running.');
    expect((await place.run(['scan', '--source', place.notes])).code).toBe(5);
  });

  it('asks about groups with examples, folder by folder, and approves nothing by default', async () => {
    for (const day of ['01', '02', '03', '04'])
      place.write(`notes/Daily/2020-01-${day}.md`, 'JOURNAL 90 rain\n');
    place.write('notes/Work/2020-02-01.md', 'JOURNAL 90 key AKIAABCDEFGHIJKLMNOP\n');
    place.write('notes/plan.md', 'NOTE 80\n');
    place.write('notes/unknown.md', 'nothing\n');
    await place.run(['scan', '--source', place.notes]);
    const screen = place.openApprove('');
    await screen.shows('Decide group by group, with examples: 2 groups');
    screen.press('Enter');
    await screen.shows(
      'JOURNAL, 90 %: whole notes in Journal',
      'From Daily/ (4), Work/ (1)',
      'Daily/2020-01-03.md',
      'Work/2020-02-01.md contains an access key',
      '1 of 2 · Approve 5 notes for JOURNAL?',
      '● Later',
    );
    screen.press('Up', 'Enter');
    await screen.shows(
      '1 of 2, folder 1 of 2 · Approve 4 notes for JOURNAL?',
      'Also the other folder of the group',
    );
    screen.press('Up', 'Up', 'Up', 'Up', 'Up', 'Enter');
    await screen.shows('1 of 2, folder 2 of 2 · Approve 1 note for JOURNAL?');
    screen.press('Enter');
    await screen.shows('2 of 2 · Approve 1 note for NOTE?');
    screen.press('Up', 'Up', 'Enter');
    await screen.shows('Decide group by group, with examples: 1 group');
    expect(Object.keys(place.knowledge()).sort()).toEqual([
      'Journal/2020/2020-01-01.md',
      'Journal/2020/2020-01-02.md',
      'Journal/2020/2020-01-03.md',
      'Journal/2020/2020-01-04.md',
      'Knowledge/Notes/plan.md',
    ]);
    screen.press('Up', 'Enter');
    expect(await screen.shows('Committed 5 chunks.')).toContain('Remaining UNCLEAR: 1');
  });

  it('a group can be sent to another target or approved without some notes', async () => {
    for (const name of ['a', 'b', 'c']) place.write(`notes/${name}.md`, `GOALS 80 ${name}\n`);
    place.write('notes/d.md', 'WISDOM 60\n');
    await place.run(['scan', '--source', place.notes]);
    const screen = place.openApprove('');
    await screen.shows('2 groups');
    screen.press('Enter');
    await screen.shows('1 of 2 · Approve 3 notes for GOALS?');
    screen.press('Up', 'Enter');
    await screen.shows('Select the notes that stay pending');
    screen.press('Down', 'Space', 'Enter');
    await screen.shows('2 of 2 · Approve 1 note for WISDOM?');
    screen.press('Up', 'Enter');
    const list = await screen.shows('Which target?', '● Back');
    expect(list).toMatch(/Back.*\n.*BELIEFS.*\n.*MISSION/);
    screen.press('m', 'i', 's', 's', 'i', 'Enter');
    await screen.shows('1 group');
    expect(await place.json(['status'])).toMatchObject({ states: { scanned: 1, approved: 0 } });
    expect(Object.keys(place.knowledge()).sort()).toEqual(['Foundation/GOALS.md', 'Foundation/MISSION.md']);
    expect(place.read('knowledge/Foundation/GOALS.md')).not.toContain('b.md');
  });

  it('a note cannot send control sequences to the terminal', async () => {
    await scanned('GOALS 80 \u001b]0;owned\u0007 \u001b[2J\u001b[1;1H hidden\n');
    const screen = place.openApprove('--review');
    expect(await screen.shows('Review 1 of 1')).toContain('GOALS 80 \uFFFD]0;owned');
  });
});
