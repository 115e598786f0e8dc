import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { listRuns, presentPieces } from '../commit/journal-store.ts';
import { removeFromFiles } from '../commit/undo-pieces.ts';
import { openQueue } from '../queue/queue-database.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: MigrationPlace;
beforeEach(async () => {
  place = new MigrationPlace();
  place.write('knowledge/Foundation/GOALS.md', 'Old.\n');
  place.write('notes/a.md', '# A\nGOALS 80\n\n# B\nIdeas 80\n');
  await place.run(['scan', '--source', place.notes, '--sections']);
  await place.run(['approve', '--approve-all']);
});
afterEach(() => place.remove());

/** As an undo leaves it that is killed when the last file is out. */
function undoFilesAlone(): void {
  const queue = openQueue(place.root);
  for (const { id } of listRuns(queue.database)) {
    const pieces = presentPieces(queue.database, { run: id });
    removeFromFiles(queue, id, [...Map.groupBy(pieces, ({ path }) => path)]);
  }
  queue.close();
}

it('completes an undo that was killed before it removed the folders', async () => {
  undoFilesAlone();
  const made = join(place.root, 'Knowledge');
  expect(existsSync(made)).toBe(true);
  await place.run(['undo', '--all', '--dry-run']);
  expect(existsSync(made)).toBe(true);
  expect((await place.run(['undo', '--all'])).code).toBe(0);
  expect(existsSync(made)).toBe(false);
  expect(place.knowledge()).toEqual({ 'Foundation/GOALS.md': 'Old.\n' });
});

it('does not remove a folder with files of the user', async () => {
  undoFilesAlone();
  place.write('knowledge/Knowledge/own.md', 'Mine.\n');
  expect((await place.run(['undo', '--all'])).code).toBe(0);
  expect(place.knowledge()).toEqual({ 'Foundation/GOALS.md': 'Old.\n', 'Knowledge/own.md': 'Mine.\n' });
});
