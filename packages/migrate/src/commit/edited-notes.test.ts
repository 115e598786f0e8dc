import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

async function scan(name: string, text: string): Promise<Record<string, unknown>> {
  place.write(`notes/${name}`, text);
  return place.json(['scan', '--source', place.notes]);
}

async function pending(...flags: readonly string[]): Promise<readonly { id: string; source: string }[]> {
  const { stdout } = await place.run(['status', ...(flags.length === 0 ? ['--list'] : flags), '--json']);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as { id: string; source: string });
}

const read = (path: string): string => place.read(`knowledge/${path}`);
const approve = (): Promise<Record<string, unknown>> => place.json(['approve', '--approve-all']);

/** Commits a note, edits and scans it, and approves the newer version by its id. */
async function edited(target: string, ...versions: readonly string[]): Promise<void> {
  for (const [at, version] of versions.entries()) {
    await scan('a.md', `${target} 80 ${version}\n`);
    if (at === 0) await approve();
    const [chunk] = await pending();
    if (chunk !== undefined) await place.run(['approve', '--modify', chunk.id, '--target', target]);
  }
}

describe('a note edited between scans', () => {
  it('replaces its pending chunk', async () => {
    await scan('a.md', 'GOALS 80 first\n');
    expect(await scan('a.md', 'GOALS 80 second\n')).toMatchObject({ replaced: 1, chunks: 1 });
    await approve();
    expect([
      read('Foundation/GOALS.md').includes('second'),
      read('Foundation/GOALS.md').includes('first'),
    ]).toEqual([true, false]);
  });

  it('after it was committed waits with a reason, and is not put beside the earlier version', async () => {
    await scan('a.md', 'GOALS 80 first\n');
    await approve();
    const before = place.knowledge();
    expect(await scan('a.md', 'GOALS 80 second\n')).toMatchObject({ changedSinceCommit: 1 });
    expect(await approve()).toMatchObject({ total: 0, waiting: [{ source: 'a.md', reason: 'changed' }] });
    expect(place.knowledge()).toEqual(before);
  });

  it.each(['GOALS', 'Ideas'])(
    'once approved stands where the earlier version stood, in %s',
    async (target) => {
      place.write('notes/b.md', `${target} 80 other\n`);
      await edited(target, 'first', 'second');
      const all = Object.values(place.knowledge()).join('');
      expect([all.split('first').length, all.split('second').length, all.split('other').length]).toEqual([
        1, 2, 2,
      ]);
      expect(Object.keys(place.knowledge())).toEqual(
        target === 'GOALS' ? ['Foundation/GOALS.md'] : ['Knowledge/Ideas/a.md', 'Knowledge/Ideas/b.md'],
      );
      expect(all.indexOf('second')).toBeLessThan(all.indexOf('other'));
      expect(await place.json(['status'])).toMatchObject({ chunks: 2, states: { committed: 2 } });
    },
  );

  it.each(['GOALS', 'Ideas'])(
    'undo puts the earlier version back, and undo --all all of them, in %s',
    async (target) => {
      await edited(target, 'first');
      const first = place.knowledge();
      await edited(target, 'first', 'second', 'third', 'first', 'second');
      expect(Object.values(place.knowledge()).join('').split('second').length).toBe(2);
      for (const version of ['first', 'third', 'second']) {
        await place.run(['undo']);
        expect(Object.values(place.knowledge()).join('')).toContain(`${target} 80 ${version}`);
      }
      await place.run(['undo']);
      expect(place.knowledge()).toEqual(first);
      await edited(target, 'second');
      await place.run(['undo', '--all']);
      expect(place.knowledge()).toEqual({});
    },
  );

  it('is not written over a version that the person has edited in the knowledge base', async () => {
    await edited('Ideas', 'first');
    const mine = read('Knowledge/Ideas/a.md').replace('first', 'first, and mine');
    writeFileSync(join(place.root, 'Knowledge/Ideas/a.md'), mine);
    await edited('Ideas', 'second');
    expect(read('Knowledge/Ideas/a.md')).toBe(mine);
  });

  it('goes to the place of the earlier version, or that is undone first', async () => {
    await edited('GOALS', 'first');
    await scan('a.md', 'GOALS 80 second\n');
    const [newer] = await pending();
    const moved = await place.json(['approve', '--modify', newer?.id ?? '', '--target', 'WISDOM']);
    expect(moved).toMatchObject({
      failures: [{ reason: expect.stringContaining('undo --chunk') as string }],
    });
    const earlier = /undo --chunk (\w+)/.exec(JSON.stringify(moved))?.[1] ?? '';
    expect(await place.json(['undo', '--chunk', earlier])).toMatchObject({ undone: [{ chunks: 1 }] });
    expect(await pending()).toHaveLength(1);
    await place.run(['approve', '--modify', newer?.id ?? '', '--target', 'WISDOM']);
    expect(Object.keys(place.knowledge())).toEqual(['Foundation/WISDOM.md']);
  });

  it('and edited back is what was committed', async () => {
    await edited('GOALS', 'first');
    await scan('a.md', 'GOALS 80 second\n');
    await scan('a.md', 'GOALS 80 first\n');
    expect(await pending()).toEqual([]);
  });
});

it('a rejected chunk is listed and can be restored', async () => {
  await scan('a.md', 'AI_RULES 80\n');
  const [chunk] = await pending();
  expect((await place.run(['approve', '--restore', chunk?.id ?? ''])).code).toBe(2);
  const { openQueue } = await import('../queue/queue-database.ts');
  const { saveRejection } = await import('../queue/chunk-store.ts');
  const queue = openQueue(place.root);
  saveRejection(queue.database, [chunk?.id ?? '']);
  queue.close();
  expect([await pending(), (await pending('--rejected')).map(({ id }) => id)]).toEqual([[], [chunk?.id]]);
  expect(await place.json(['approve', '--restore', chunk?.id ?? ''])).toEqual({ restored: chunk?.id });
  expect(await pending()).toHaveLength(1);
});

describe('where a note went', () => {
  it('is shown by path or name, also for notes that are pending or were not read', async () => {
    place.write(
      'notes/x/Plan.md',
      `# Plan\n\n## One\n\nGOALS 90 ${'words '.repeat(20)}\n\n## Two\n\nunknown 1 ${'words '.repeat(20)}\n`,
    );
    place.write('notes/pic.png', 'x');
    await place.run(['scan', '--source', place.notes, '--sections']);
    await approve();
    for (const given of ['Plan', 'plan.md', 'x/Plan.md', join(place.notes, 'x/Plan.md')]) {
      const { stdout } = await place.run(['status', '--where', given]);
      expect(stdout).toMatch(
        /^x\/Plan\.md\n {2}\w+ {2}Plan › One: in Foundation\/GOALS\.md\n {2}\w+ {2}Plan › Two: unclear, for UNCLEAR\n$/,
      );
    }
    expect((await place.run(['status', '--where', 'pic.png'])).stdout).toMatch(/^pic\.png: /);
    expect((await place.run(['status', '--where', 'nothing'])).code).toBe(2);
  });
});

describe('undo of less than a run', () => {
  beforeEach(async () => {
    place.write('notes/a.md', 'GOALS 80 of a\n');
    place.write('notes/b.md', 'GOALS 80 of b\n');
    place.write('notes/c.md', 'WISDOM 80 of c\n');
    await place.run(['scan', '--source', place.notes]);
    await approve();
  });

  it('--chunk undoes one chunk', async () => {
    const where = await place.json(['status', '--where', 'a.md']);
    const [chunk] = where['chunks'] as { id: string }[];
    await place.run(['undo', '--chunk', chunk?.id ?? '']);
    const goals = read('Foundation/GOALS.md');
    expect([goals.includes('of a'), goals.includes('of b')]).toEqual([false, true]);
    expect((await place.run(['undo', '--chunk', chunk?.id ?? ''])).code).toBe(2);
  });

  it('--file undoes the chunks of a note, or those written to a file', async () => {
    await place.run(['undo', '--file', 'b.md']);
    expect(read('Foundation/GOALS.md')).not.toContain('of b');
    await place.run(['undo', '--file', 'Foundation/GOALS.md']);
    expect(Object.keys(place.knowledge())).toEqual(['Foundation/WISDOM.md']);
    expect((await place.run(['undo', '--file', 'b.md'])).code).toBe(2);
  });
});
