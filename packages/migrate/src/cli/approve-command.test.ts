import { chmodSync, symlinkSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { openQueue } from '../queue/queue-database.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

async function scanned(text: string): Promise<void> {
  place.write('notes/a.md', text);
  await place.run(['scan', '--source', place.notes, '--sections']);
}

async function idOf(text: string): Promise<string> {
  const { stdout } = await place.run(['status', '--list', '--json']);
  for (const line of stdout.trim().split('\n')) {
    const { id } = JSON.parse(line) as { id: string };
    if ((await place.json(['status', '--show', id]))['text']?.toString().includes(text) === true) return id;
  }
  throw new Error(`no chunk holds ${text}`);
}

describe('rule 1: every commit carries provenance', () => {
  it('a comment with source file, section and timestamp precedes the text', async () => {
    await scanned('# Life\n\n## Aim\nGOALS 80\n');
    await place.run(['approve', '--approve-all']);
    expect(place.read('knowledge/Foundation/GOALS.md')).toMatch(
      /^# Goals\n\n<!-- source: a\.md; section: Life › Aim; migrated: \d{4}-\d\d-\d\dT[\d:.]+Z; chunk: \w+; run: [\w-]+ -->\n# Life/,
    );
  });

  it('a typed note has its source in the front matter too', async () => {
    await scanned('---\ntags: [tea]\n---\n# Kettle\nIdeas 80\n');
    await place.run(['approve', '--approve-all']);
    const note = place.read('knowledge/Knowledge/Ideas/a.md');
    expect(note).toMatch(
      /^---\ntags: \[tea\]\ntype: "idea"\ntitle: "a"\nsource: "a\.md"\nsection: "Kettle"\ncreated: "[^"]+"\nmodified: "[^"]+"\nmigrated: "/,
    );
    expect(note).toMatch(/<!-- source: a\.md; .* -->\n\n# Kettle\nIdeas 80\n$/);
  });

  it('a heading cannot close the comment', async () => {
    await scanned('# x --> <script>alert(1)</script> --!>\nGOALS 80\n');
    await place.run(['approve', '--approve-all']);
    const comment = /<!--.*/.exec(place.read('knowledge/Foundation/GOALS.md'))?.[0] ?? '';
    expect(comment.indexOf('-->')).toBe(comment.length - 3);
    expect(comment).not.toContain('<script');
  });
});

describe('rule 2: UNCLEAR chunks are never bulk-approved', () => {
  it('--approve-all leaves them', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nunknown\n');
    expect(await place.json(['approve', '--approve-all'])).toMatchObject({ total: 1, remainingUnclear: 1 });
    expect(await place.json(['status'])).toMatchObject({ states: { unclear: 1, committed: 1 } });
  });

  it('--approve-target UNCLEAR is refused with code 4', async () => {
    await scanned('unknown\n');
    const { code, stderr } = await place.run(['approve', '--approve-target', 'UNCLEAR']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('cannot be approved in bulk')]);
  });

  it('--modify places one', async () => {
    await scanned('unknown\n');
    const id = await idOf('unknown');
    expect(await place.json(['approve', '--modify', id, '--target', 'beliefs'])).toMatchObject({ total: 1 });
    expect(place.read('knowledge/Foundation/BELIEFS.md')).toContain('unknown');
  });
});

describe('rule 3: confidence', () => {
  it('counts 70 % as trusted, 40 % as medium and less as low', async () => {
    await scanned('# A\nGOALS 70\n\n# B\nGOALS 69\n\n# C\nGOALS 40\n\n# D\nGOALS 39\n');
    expect(await place.json(['status'])).toMatchObject({ trusted: 1, mediumConfidence: 2, lowConfidence: 1 });
  });

  it('--approve-all also commits chunks of low confidence', async () => {
    await scanned('# D\nGOALS 5\n');
    expect(await place.json(['approve', '--approve-all'])).toMatchObject({ total: 1 });
  });
});

describe('rule 4: the identity file always asks', () => {
  it.each([['--approve-all'], ['--approve-target', 'PRINCIPAL_IDENTITY']])(
    'without a terminal %s waits',
    async (...flags) => {
      await scanned('PRINCIPAL_IDENTITY 95\n');
      const { code, stdout } = await place.run(['approve', ...flags]);
      expect([code, stdout]).toEqual([3, expect.stringContaining('identity file')]);
      expect(place.knowledge()).toEqual({});
    },
  );

  it('--modify waits as well', async () => {
    await scanned('unknown\n');
    const { code } = await place.run([
      'approve',
      '--modify',
      await idOf('unknown'),
      '--target',
      'PRINCIPAL_IDENTITY.md',
    ]);
    expect([code, place.knowledge()]).toEqual([3, {}]);
  });
});

describe('rule 5: a duplicate is flagged before appending', () => {
  it('text that is part of a longer text in the target waits for an answer', async () => {
    place.write('knowledge/Foundation/GOALS.md', 'Before. # A\nGOALS 80 in a year. After.');
    await scanned('# A\r\nGOALS 80 in a year.\r\n');
    const answer = await place.json(['approve', '--approve-all']);
    expect(answer).toMatchObject({ total: 0, waiting: [{ reason: 'duplicate' }] });
  });

  it('of two equal chunks for one target the second waits, in a folder of notes too', async () => {
    await scanned('# A\nGOALS 80\n\n# A\nGOALS 80\n\n# K\nIdeas 80\n\n# K\nIdeas 80\n');
    const answer = await place.json(['approve', '--approve-all']);
    expect(answer).toMatchObject({ total: 2, waiting: [{ reason: 'duplicate' }, { reason: 'duplicate' }] });
  });

  it('the scanner does not deduplicate against existing files', async () => {
    place.write('knowledge/Foundation/GOALS.md', 'GOALS 80\n');
    await scanned('GOALS 80\n');
    expect(await place.json(['status'])).toMatchObject({ chunks: 1, states: { scanned: 1 } });
  });
});

describe('rule 6: ideal-state dimensions need a decision each', () => {
  it('without one they wait, on every path', async () => {
    await scanned('# A\nHEALTH 90\n\n# B\nMONEY 90\n');
    for (const flags of [['--approve-all'], ['--approve-target', 'HEALTH']]) {
      expect((await place.run(['approve', ...flags])).code).toBe(3);
    }
    expect((await place.run(['approve', '--modify', await idOf('MONEY'), '--target', 'FREEDOM'])).code).toBe(
      3,
    );
    expect(place.knowledge()).toEqual({});
  });
});

describe('rules for agents', () => {
  it('wait for a decision about each of them', async () => {
    place.write('notes/AGENTS.md', '# One\nBe brief.\n\n# Two\nNo mocks.\n');
    await place.run(['scan', '--source', place.notes, '--sections']);
    const { waiting } = await place.json(['approve', '--approve-all']);
    expect(waiting).toMatchObject([{ reason: 'ai-rule' }, { reason: 'ai-rule' }]);
  });
});

describe('commit and undo', () => {
  it('a dry run shows the diff and changes nothing', async () => {
    place.write('knowledge/Foundation/GOALS.md', 'Old.\n');
    await scanned('GOALS 80\n');
    const { stdout } = await place.run(['approve', '--approve-all', '--dry-run']);
    expect(stdout).toContain(
      '--- a/Foundation/GOALS.md\n+++ b/Foundation/GOALS.md\n@@ -1,1 +1,6 @@\n Old.\n+\n+<!-- source',
    );
    expect([place.knowledge(), (await place.json(['status']))['chunks']]).toEqual([
      { 'Foundation/GOALS.md': 'Old.\n' },
      1,
    ]);
  });

  it.each([
    ['without a last line ending', 'Old.'],
    ['with Windows line endings', 'Old.\r\n\r\nText\r\n'],
    ['empty', ''],
  ])('undo gives a target %s back byte for byte', async (_name, before) => {
    place.write('knowledge/Foundation/GOALS.md', before);
    await scanned('# A\nGOALS 80\n\n# B\nGOALS 81\n\n# C\nIdeas 90\n');
    await place.run(['approve', '--approve-target', 'GOALS']);
    await place.run(['approve', '--approve-all']);
    expect(Object.keys(place.knowledge())).toHaveLength(2);
    expect((await place.run(['undo', '--all'])).code).toBe(0);
    expect(place.knowledge()).toEqual({ 'Foundation/GOALS.md': before });
    expect(await place.json(['status'])).toMatchObject({ states: { scanned: 3 } });
  });

  it('an older run can be undone under a newer one', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nWISDOM 81\n');
    const first = await place.json(['approve', '--approve-target', 'GOALS']);
    const id = await idOf('WISDOM 81');
    await place.run(['approve', '--modify', id, '--target', 'GOALS']);
    expect((await place.run(['undo', '--run', String(first['run'])])).code).toBe(0);
    const text = place.read('knowledge/Foundation/GOALS.md');
    expect([text.includes('GOALS 80'), text.includes('WISDOM 81')]).toEqual([false, true]);
  });

  it('undo of text that was edited since is refused with code 4 and changes nothing', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nWISDOM 81\n');
    await place.run(['approve', '--approve-all']);
    place.write(
      'knowledge/Foundation/GOALS.md',
      place.read('knowledge/Foundation/GOALS.md').replace('80', '79'),
    );
    const before = place.knowledge();
    const { code, stderr } = await place.run(['undo']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('Foundation/GOALS.md')]);
    expect(place.knowledge()).toEqual(before);
  });

  it('another installation’s layout is preserved', async () => {
    place.write('knowledge/TELOS/MISSION.md', '# Mission\n');
    place.write('knowledge/TELOS/CURRENT_STATE/GOALS.md', 'not this one\n');
    await scanned('# A\nGOALS 80\n\n# B\nMISSION 80\n');
    await place.run(['approve', '--approve-all']);
    expect(Object.keys(place.knowledge()).sort()).toEqual([
      'TELOS/CURRENT_STATE/GOALS.md',
      'TELOS/GOALS.md',
      'TELOS/MISSION.md',
    ]);
  });

  it('a target that is not text is refused, and its chunk stays in the queue', async () => {
    place.write('knowledge/Foundation/GOALS.md', Buffer.from([0xff, 0xfe, 0, 1]));
    await scanned('GOALS 80\n');
    const { code, stdout } = await place.run(['approve', '--approve-all']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('not UTF-8')]);
    expect(await place.json(['status'])).toMatchObject({ states: { approved: 1 } });
  });

  it('a target that is a link out of the root is refused, and the file behind it is not changed', async () => {
    place.write('outside.md', 'Mine.\n');
    place.write('knowledge/Foundation/WISDOM.md', 'x\n');
    symlinkSync(`${place.folder}/outside.md`, `${place.root}/Foundation/GOALS.md`);
    await scanned('GOALS 80\n');
    const { code, stdout } = await place.run(['approve', '--approve-all']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('leads outside the knowledge root')]);
    expect(place.read('outside.md')).toBe('Mine.\n');
  });

  it('a read-only target or folder is not overwritten, and its chunks stay in the queue', async () => {
    place.write('knowledge/Foundation/GOALS.md', 'Mine.\n');
    place.write('knowledge/Knowledge/Ideas/old.md', 'Old.\n');
    await scanned('# A\nGOALS 80\n\n# B\nIdeas 80\n');
    chmodSync(`${place.root}/Foundation/GOALS.md`, 0o444);
    chmodSync(`${place.root}/Knowledge/Ideas`, 0o555);
    const before = place.knowledge();
    const { code, stdout } = await place.run(['approve', '--approve-all']);
    chmodSync(`${place.root}/Knowledge/Ideas`, 0o755);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/the file is read-only[^]*folder is read-only/),
    ]);
    expect(place.knowledge()).toEqual(before);
    expect(await place.json(['status'])).toMatchObject({ states: { approved: 2 } });
  });

  it('undo does not overwrite a target that was made read-only since', async () => {
    await scanned('GOALS 80\n');
    await place.run(['approve', '--approve-all']);
    const before = place.knowledge();
    chmodSync(`${place.root}/Foundation/GOALS.md`, 0o444);
    const { code, stderr } = await place.run(['undo']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('read-only')]);
    expect(place.knowledge()).toEqual(before);
  });

  it('a target edited since the scan waits for a review, until it has been scanned again', async () => {
    place.write('knowledge/Foundation/GOALS.md', 'Old.\n');
    await scanned('# A\nGOALS 80\n\n# B\nWISDOM 80\n');
    place.write('knowledge/Foundation/GOALS.md', 'Old, and edited.\n');
    const answer = await place.json(['approve', '--approve-all']);
    expect(answer).toMatchObject({ total: 1, waiting: [{ reason: 'edited-target' }] });
    expect(place.read('knowledge/Foundation/GOALS.md')).toBe('Old, and edited.\n');
    await place.run(['scan', '--source', place.notes, '--sections']);
    expect(await place.json(['approve', '--approve-all'])).toMatchObject({ total: 1, waiting: [] });
  });

  it('the tool’s own changes to a target do not count as edits', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nWISDOM 81\n');
    await place.run(['approve', '--approve-target', 'GOALS']);
    await place.run(['undo']);
    await place.run(['approve', '--approve-target', 'GOALS']);
    const moved = await place.json(['approve', '--modify', await idOf('WISDOM 81'), '--target', 'GOALS']);
    expect(moved).toMatchObject({ total: 1, waiting: [] });
  });

  it('two commands on one root exclude each other: the second ends with code 5', async () => {
    await scanned('GOALS 80\n');
    const held = openQueue(place.root);
    const { code, stderr } = await place.run(['approve', '--approve-all']);
    held.close();
    expect([code, stderr]).toEqual([5, expect.stringContaining('another migration is running')]);
  });

  it('ends with total, counts per target, remaining UNCLEAR and an interview for sparse areas', async () => {
    await scanned('# A\nGOALS 80\n\n# B\nGOALS 81\n\n# C\nunknown\n');
    const { stdout } = await place.run(['approve', '--approve-all']);
    expect(stdout).toMatch(/^Committed 2 chunks\.\n\s+GOALS\s+2\nRemaining UNCLEAR: 1/);
    expect(stdout).toMatch(/Suggested interview questions:\n\s+MISSION/);
    expect(place.read('knowledge/.migration/report.md')).toMatch(
      /## Committed chunks by target\n\n```text\nGOALS {2}█+ 2\n```/,
    );
  });
});
