import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

async function scan(): Promise<void> {
  await place.run(['scan', '--source', place.notes]);
}
const approve = (): Promise<Record<string, unknown>> => place.json(['approve', '--approve-all']);

describe('a note that changes between scan and commit', () => {
  it('stays pending if it was edited or deleted, and the others are committed', async () => {
    for (const name of ['edited', 'deleted', 'same']) place.write(`notes/${name}.md`, `GOALS 80 ${name}\n`);
    await scan();
    place.write('notes/edited.md', 'GOALS 80 other\n');
    rmSync(join(place.notes, 'deleted.md'));
    const answer = await approve();
    expect(answer).toMatchObject({
      total: 1,
      waiting: [
        { source: 'deleted.md', reason: 'changed-source' },
        { source: 'edited.md', reason: 'changed-source' },
      ],
    });
    expect(place.read('knowledge/Foundation/GOALS.md')).not.toContain('edited');
    await scan();
    expect(await approve()).toMatchObject({ total: 1 });
    expect(place.read('knowledge/Foundation/GOALS.md')).toContain('GOALS 80 other');
  });

  it('is committed while another file contains the same text', async () => {
    place.write('notes/a/x.md', 'GOALS 80\n');
    await scan();
    place.write('more/x.md', 'GOALS 80\n');
    await place.run(['scan', '--source', join(place.folder, 'more')]);
    rmSync(join(place.folder, 'more/x.md'));
    expect(await approve()).toMatchObject({ total: 1 });
  });
});

describe('permissions', () => {
  const modeOf = (path: string): string => (statSync(join(place.folder, path)).mode & 0o777).toString(8);

  it('a private note stays private as a note of its own and as a part of a target file', async () => {
    place.write('notes/own.md', 'Ideas 80\n');
    place.write('notes/part.md', 'GOALS 80\n');
    place.write('notes/open.md', 'Research 80\n');
    place.write('knowledge/Foundation/GOALS.md', 'Old.\n');
    chmodSync(join(place.notes, 'own.md'), 0o600);
    chmodSync(join(place.notes, 'part.md'), 0o600);
    await scan();
    await approve();
    expect(modeOf('knowledge/Knowledge/Ideas/own.md')).toBe('600');
    expect(modeOf('knowledge/Foundation/GOALS.md')).toBe('600');
    expect(modeOf('knowledge/Knowledge/Research/open.md')).toBe('644');
  });

  it('only the owner can read the queue, its lock and its reports', async () => {
    place.write('notes/a.md', 'GOALS 80\n');
    await scan();
    await approve();
    const files = ['queue.db', 'lock.db', 'report.md', 'report.html'];
    expect(files.map((name) => modeOf(`knowledge/.migration/${name}`))).toEqual(files.map(() => '600'));
  });
});
