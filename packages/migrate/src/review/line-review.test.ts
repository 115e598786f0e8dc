import { PassThrough } from 'node:stream';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

const key = 'AKIAABCDEFGHIJKLMNOP';

async function scanned(files: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<void> {
  for (const [name, text] of Object.entries(files)) place.write(`notes/${name}`, text);
  await place.run(['scan', '--source', place.notes, ...flags]);
}

function answer(args: readonly string[], ...lines: readonly string[]): ReturnType<MigrationPlace['run']> {
  return place.run(['approve', ...args], lines.map((line) => `${line}\n`).join(''));
}

describe('questions on standard input without a terminal', () => {
  it('decides groups by number, by name and by default, and commits them', async () => {
    await scanned({
      'Daily/2020-01-01.md': 'JOURNAL 90\n',
      'Daily/2020-01-02.md': 'JOURNAL 91\n',
      'a.md': 'GOALS 80\n',
      'b.md': 'GOALS 81\n',
      'c.md': 'WISDOM 75\n',
      'd.md': 'BELIEFS 74\n',
    });
    const { code, stdout } = await answer([], '1', 'yes', 'all except', '2', 'another', 'Ideas', '', 'stop');
    expect(stdout).toContain('1 of 4 · Approve 2 notes for JOURNAL?');
    expect(stdout).toContain('   5 Later (Enter)');
    expect(code).toBe(0);
    expect(Object.keys(place.knowledge()).sort()).toEqual([
      'Foundation/GOALS.md',
      'Journal/2020/2020-01-01.md',
      'Journal/2020/2020-01-02.md',
      'Knowledge/Ideas/c.md',
    ]);
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 4, scanned: 2 } });
  });

  it('repeats a question until the answer is valid', async () => {
    await scanned({ 'a.md': 'GOALS 80\n' });
    const { stdout } = await answer([], '', '1', '9', 'perhaps', '1', 'stop');
    expect(stdout).toContain('Enter a number from 1 to 4, or the beginning of a choice.');
    expect(stdout.match(/Enter a number from 1 to 4, or the beginning of a choice\./g)).toHaveLength(3);
    expect(stdout).toContain('Committed 1 chunk.');
  });

  it('saves the answers when the input ends, exits with 3, and continues from there', async () => {
    await scanned({ 'a.md': 'GOALS 80\n', 'b.md': 'WISDOM 75\n' });
    const first = await answer([], '1', '1');
    expect([first.code, place.knowledge()]).toEqual([3, {}]);
    expect(first.stdout).toContain('Your answers are saved. Continue with daybook-migrate approve.');
    expect(await place.json(['status'])).toMatchObject({ states: { approved: 1, scanned: 1 } });
    const second = await answer([], '1', '1', 'stop');
    expect(second.stdout).toContain('1 of 1 · Approve 1 note for WISDOM?');
    expect(second.stdout).toContain('Committed 2 chunks.');
  });

  it('stops with 3 if a pipe stays open without an answer, and saves the answers before', async () => {
    await scanned({ 'a.md': 'GOALS 80\n', 'b.md': 'WISDOM 75\n' });
    const input = new PassThrough();
    input.write('1\n1\n');
    const { code, stderr } = await place.run(['approve'], input, {}, 50);
    expect([code, place.knowledge()]).toEqual([3, {}]);
    expect(stderr).toContain('No answer on standard input for 1 min.');
    expect(await place.json(['status'])).toMatchObject({ states: { approved: 1, scanned: 1 } });
  });

  it('asks about identity, dimensions and rules one by one', async () => {
    await scanned(
      {
        'a.md': '# I\nPRINCIPAL_IDENTITY 90\n\n# H\nHEALTH 90\n',
        'AGENTS.md': '# R\nNever run `rm -rf`.\n',
      },
      '--sections',
    );
    const { stdout } = await answer([], 'approve trusted', '1', '1', '3', '1', '', 'stop');
    expect(stdout).toContain('1 of 3 · Add 1 note to your ideal state for HEALTH?');
    expect(stdout).toContain('2 of 3 · Write this to your identity file');
    expect(stdout).toContain('3 of 3 · Where should this rule for agents be stored?');
    expect(stdout).toContain('For which tool or command? (Enter for rm -rf)');
    expect(stdout).toContain('Committed 3 chunks.');
  });

  it('sends a note for the identity file to another target, which is committed with its own question', async () => {
    await scanned({ 'a.md': 'PRINCIPAL_IDENTITY 90 tired\n', 'b.md': 'PRINCIPAL_IDENTITY 91 me\n' });
    const { stdout, code } = await answer([], 'decide about', 'another', 'HEALTH', 'yes', 'yes');
    expect(stdout).toContain('   2 WISDOM (likely)');
    expect(stdout).toContain('1 of 1 · Add 1 note to your ideal state for HEALTH?');
    expect(code).toBe(0);
    expect(place.read('knowledge/IdealState/HEALTH.md')).toContain('tired');
    expect(place.read('knowledge/PRINCIPAL_IDENTITY.md')).not.toContain('tired');
  });

  it('commits a note with another target also after a bulk approval', async () => {
    await scanned({ 'a.md': 'PRINCIPAL_IDENTITY 90\n', 'b.md': 'GOALS 90\n' });
    const { stdout, code } = await answer([], 'approve trusted', 'another', 'NOTE');
    expect(stdout).not.toContain('waiting for your answer');
    expect([code, Object.keys(place.knowledge()).sort()]).toEqual([
      0,
      ['Foundation/GOALS.md', 'Knowledge/Notes/a.md'],
    ]);
  });

  it('undoes the last answer about a group, with what it taught and its dimension', async () => {
    await scanned({
      'Shelf/a.md': 'HEALTH 90\n',
      'b.md': 'GOALS 80\n',
      'Shelf/c.md': 'WISDOM 70\n',
      'Shelf/d.md': 'WISDOM 71\n',
    });
    const lines = ['1', 'yes', 'another', 'BELIEFS', 'undo', 'yes', 'undo', 'undo', 'later', 'yes'] as const;
    const { stdout } = await answer([], ...lines, 'later', 'stop');
    expect(stdout).toContain('   4 Undo the last answer (1 note for HEALTH)');
    expect(stdout).toContain('   6 Undo the last answer (1 note for BELIEFS)');
    expect(stdout.match(/1 of 3 · Add 1 note to your ideal state for HEALTH\?/g)).toHaveLength(2);
    expect(Object.keys(place.knowledge())).toEqual(['Foundation/GOALS.md']);
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 1, scanned: 3 } });
  });

  it('approves the rest of a group after its first folder, without what was left for later', async () => {
    await scanned({
      'A/1.md': 'NOTE 80\n',
      'A/2.md': 'NOTE 81\n',
      'A/3.md': 'NOTE 82\n',
      'B/1.md': 'NOTE 83\n',
      'B/2.md': 'NOTE 84\n',
      'C/1.md': `NOTE 85 ${key}\n`,
    });
    const { stdout, code } = await answer([], '1', 'ask folder', 'later', 'also', 'stop');
    expect(stdout).toContain('C/1.md contains an access key');
    expect(stdout).toContain('1 of 1, folder 2 of 3 · Approve 2 notes for NOTE?');
    expect(stdout).not.toContain('folder 3 of 3');
    expect(code).toBe(0);
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 3, scanned: 3 } });
  });

  it('offers identity and rules for agents, which are in no group, as a choice of their own', async () => {
    await scanned({ 'a.md': 'PRINCIPAL_IDENTITY 30\n', 'b.md': 'GOALS 90\n', 'AGENTS.md': '# R\nNever.\n' });
    const { stdout, code } = await answer([], '1', '1', '1', '1', '1');
    expect(stdout).toContain('   1 Decide about your identity and rules for agents, one by one: 2 chunks');
    expect(stdout).toContain('1 of 1 · Write this to your identity file');
    expect(stdout).toContain('1 of 1 · Where should this rule for agents be stored?');
    expect(stdout).toContain('Committed 3 chunks.');
    expect(code).toBe(0);
  });

  it('asks about a dimension once in a run, in the question about its group', async () => {
    await scanned({ 'a.md': 'HEALTH 90\n', 'b.md': 'HEALTH 89\n', 'c.md': 'GOALS 50\n' });
    const { stdout } = await answer([], '1', 'all except', '2', 'later', 'approve trusted', 'stop');
    expect(stdout).toContain('1 of 2 · Add 2 notes to your ideal state for HEALTH?');
    expect(stdout.match(/to your ideal state for HEALTH\?/g)).toHaveLength(1);
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 2, scanned: 1 } });
  });

  it('asks about a dimension that a group is moved to before it is written', async () => {
    await scanned({ 'a.md': 'GOALS 80\n' });
    const { stdout } = await answer([], '1', 'another', 'HEALTH', 'no', 'stop');
    expect(stdout).toContain('1 of 1 · Add 1 note to your ideal state for HEALTH?');
    expect(place.knowledge()).toEqual({});
  });

  it('reviews one by one with other targets, a diff, rejections and undo', async () => {
    await scanned(
      { 'a.md': '# A\nGOALS 82\n\n# B\nSPARKS 50\n\n# C\nWISDOM 20\n\n# D\nunknown\n' },
      '--sections',
    );
    const { stdout } = await answer(
      ['--review'],
      'd',
      '',
      'a',
      '2',
      'a',
      'r',
      'u',
      'r',
      'a',
      '',
      'm',
      'rese',
      'a',
      'y',
    );
    expect(stdout).toContain('+GOALS 82');
    expect(stdout).toContain('An UNCLEAR chunk needs a target first');
    expect(stdout).toContain('Commit 3 approved chunks now?');
    expect(Object.keys(place.knowledge()).sort()).toEqual([
      'Foundation/BELIEFS.md',
      'Foundation/GOALS.md',
      'Knowledge/Research/D.md',
    ]);
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 3, rejected: 1 } });
  });

  it('ignores words that are not keys of the review', async () => {
    await scanned({ 'a.md': 'GOALS 82\n' });
    await answer(['--review'], 'approve', 'all');
    expect(await place.json(['status'])).toMatchObject({ states: { scanned: 1 } });
  });
});

it('offers to commit answers of a stopped run, and no groups if none is left', async () => {
  await scanned({ 'a.md': 'GOALS 60\n' });
  const stopped = await answer([], '1', '1');
  expect(stopped.stdout).toContain('Committed 1 chunk.');
  await scanned({ 'b.md': 'WISDOM 60\n' });
  await answer([], '1', 'another', 'HEALTH');
  const { stdout } = await answer([], 'commit what', '1', 'stop');
  expect(stdout).toContain('1 Commit what you have approved: 1 chunk');
  expect(stdout).toContain('Committed 1 chunk.');
});

it('Back in the list of targets moves nothing and repeats the question', async () => {
  await scanned({ 'a.md': 'GOALS 80\n' });
  const { stdout } = await answer([], '1', 'another', '', '1', 'stop');
  expect(stdout.match(/1 of 1 · Approve 1 note for GOALS\?/g)).toHaveLength(2);
  expect(Object.keys(place.knowledge())).toEqual(['Foundation/GOALS.md']);
});

describe('secrets', () => {
  it('secrets are listed before a bulk approval, and a note with one can stay pending', async () => {
    await scanned({ 'a.md': `GOALS 80 ${key}\n`, 'b.md': 'GOALS 81\n' });
    const { stdout, code } = await answer([], 'approve trusted', 'no', 'stop');
    expect(stdout).toContain('a.md contains an access key');
    expect(stdout).toContain('1 of 1 · 1 note contains what looks like a secret. Commit it?');
    expect(code).toBe(3);
    expect(place.read('knowledge/Foundation/GOALS.md')).not.toContain(key);
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 1, scanned: 1 } });
  });

  it('secrets are reviewed one by one if the user wants that', async () => {
    await scanned({ 'a.md': `GOALS 80 ${key}\n`, 'b.md': `GOALS 81 ${key}\n` });
    const { stdout } = await answer([], 'approve trusted', 'ask', 'yes', 'no', 'stop');
    expect(stdout).toContain('3 of 3 · b.md contains an access key. Commit it?');
    expect(await place.json(['status'])).toMatchObject({ states: { committed: 1, scanned: 1 } });
  });

  it('secrets are named in the review, whose approval needs no second question', async () => {
    await scanned({ 'a.md': `GOALS 80 ${key}\n` });
    const { stdout } = await answer(['--review'], 'a', 'y');
    expect(stdout).toContain('It contains an access key.');
    expect(stdout).toContain('Committed 1 chunk.');
  });

  it('secrets are listed on standard error by --approve-all, which commits them as announced', async () => {
    await scanned({ 'a.md': `GOALS 80 ${key}\n` });
    const { stderr, stdout } = await answer(['--approve-all']);
    expect(stderr).toContain('  a.md contains an access key\n');
    expect(stdout).toContain('Committed 1 chunk.');
  });

  it('secrets that a group question has listed need no second question', async () => {
    await scanned({ 'a.md': `GOALS 80 ${key}\n` });
    const { stdout } = await answer([], '1', '1', 'stop');
    expect(stdout).toContain('Check before you approve:');
    expect(stdout).toContain('Committed 1 chunk.');
  });
});
