import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

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

it('undo in a copied root restores the copy and does not change the original', async () => {
  const copy = join(place.folder, 'copy');
  cpSync(place.root, copy, { recursive: true });
  const before = place.knowledge();
  expect((await place.run(['undo', '--root', copy])).code).toBe(0);
  expect(place.knowledge()).toEqual(before);
  expect(place.knowledge(copy)).toEqual({ 'Foundation/GOALS.md': 'Old.\n' });
});

it('a moved root can be undone, committed to again and undone again', async () => {
  const moved = join(place.folder, 'moved');
  renameSync(place.root, moved);
  expect((await place.run(['undo', '--root', moved])).code).toBe(0);
  expect(place.knowledge(moved)).toEqual({ 'Foundation/GOALS.md': 'Old.\n' });
  expect((await place.run(['approve', '--approve-all', '--root', moved])).code).toBe(0);
  expect(Object.keys(place.knowledge(moved))).toHaveLength(2);
  expect((await place.run(['undo', '--root', moved])).code).toBe(0);
  expect(place.knowledge(moved)).toEqual({ 'Foundation/GOALS.md': 'Old.\n' });
});
