import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

let place: MigrationPlace;
beforeEach(async () => {
  place = new MigrationPlace();
  for (const name of ['dune', 'emma', 'ulysses', 'walden', 'hamlet'])
    place.write(`notes/Shelf/${name}.md`, `NOTE 80 ${name}\n`);
  for (const name of ['tax', 'rent', 'gas']) place.write(`notes/Home/${name}.md`, `NOTE 80 ${name}\n`);
  place.write('notes/Shelf/unknown.md', 'nothing\n');
  place.write('notes/Shelf/me.md', 'PRINCIPAL_IDENTITY 80\n');
  await place.run(['scan', '--source', place.notes]);
});
afterEach(() => place.remove());

interface Listed {
  readonly source: string;
  readonly proposed: string;
  readonly confidence: number;
  readonly state: string;
  readonly alternatives: readonly { readonly target: string }[];
}

async function proposals(): Promise<Record<string, Listed>> {
  const { stdout } = await place.run(['status', '--list', '--json']);
  const listed = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Listed);
  return Object.fromEntries(listed.map((one) => [one.source, one]));
}

const moveTwo = ['1', 'move some', '4 5', 'BOOKS'];

function answer(...lines: readonly string[]): ReturnType<MigrationPlace['run']> {
  return place.run(['approve'], lines.map((line) => `${line}\n`).join(''));
}

describe('corrections', () => {
  it('change the proposals of similar notes at once, below the trusted confidence, and are explained in a sentence', async () => {
    const { stdout } = await answer(...moveTwo);
    expect(stdout).toContain('Learned that notes in Shelf/ go to BOOKS. New proposals: 3 notes to BOOKS.');
    expect(stdout).toContain('2 of 3 · Approve 3 notes for NOTE?');
    const now = await proposals();
    expect(now['Shelf/walden.md']?.proposed).toBe('BOOKS');
    expect(now['Shelf/walden.md']?.confidence).toBeLessThan(0.7);
    expect(now['Home/tax.md']?.proposed).toBe('NOTE');
  });

  it('suggest a target for an UNCLEAR note, which stays UNCLEAR and out of every group', async () => {
    await answer(...moveTwo, 'yes', 'yes', 'stop');
    const unknown = (await proposals())['Shelf/unknown.md'];
    expect([unknown?.state, unknown?.proposed]).toEqual(['unclear', 'UNCLEAR']);
    expect(unknown?.alternatives[0]?.target).toBe('BOOKS');
  });

  it('never change a proposal for the identity file', async () => {
    await answer(...moveTwo);
    expect((await proposals())['Shelf/me.md']?.proposed).toBe('PRINCIPAL_IDENTITY');
  });

  it('also apply to notes of a later scan', async () => {
    await answer(...moveTwo);
    place.write('notes/Shelf/later.md', 'NOTE 80 later\n');
    await place.run(['scan', '--source', place.notes]);
    expect((await proposals())['Shelf/later.md']?.proposed).toBe('BOOKS');
  });

  it('are deleted by an undo, which restores the proposals of the scan', async () => {
    const before = await proposals();
    await answer(...moveTwo, 'stop');
    expect((await proposals())['Shelf/walden.md']?.proposed).toBe('BOOKS');
    expect((await place.run(['undo'])).code).toBe(0);
    const after = await proposals();
    expect(after).toEqual(before);
  });

  it('are undone in the review too', async () => {
    const before = await proposals();
    const { stdout } = await place.run(['approve', '--review'], 's\ns\ns\nm\nBOOKS\na\nu\n');
    expect(stdout).toContain('Learned that notes in Shelf/ go to BOOKS.');
    expect(stdout).toContain('The example is deleted, and 4 notes proposed as before.');
    expect(await proposals()).toEqual(before);
  });

  it('are stored in the queue, which only its owner may read', async () => {
    await answer(...moveTwo);
    const path = `${place.root}/.migration/queue.db`;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const queue = new DatabaseSync(path);
    expect(queue.prepare('select target, weight from example').all()).toEqual([
      { target: 'BOOKS', weight: 3 },
      { target: 'BOOKS', weight: 3 },
    ]);
    queue.close();
  });
});

it('an approval of what was proposed changes no target', async () => {
  const before = await proposals();
  const { stdout } = await answer('1', 'yes, except', '1-8', 'stop');
  expect(stdout).not.toContain('Learned');
  expect(await proposals()).toEqual(before);
});
