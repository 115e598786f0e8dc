import { DatabaseSync } from 'node:sqlite';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

it('a queue of the first release is upgraded and its pending chunks are committed', async () => {
  place.write('notes/a.md', 'GOALS 80\n');
  await place.run(['scan', '--source', place.notes]);
  const queue = new DatabaseSync(`${place.root}/.migration/queue.db`);
  for (const column of ['mode', 'modified_ms', 'modified_at', 'created_at'])
    queue.exec(`alter table source_file drop column ${column}`);
  queue.exec('drop table example; drop table scanned_proposal');
  queue.exec('alter table chunk drop column basis; pragma user_version = 3');
  queue.close();
  expect(await place.json(['approve', '--approve-all'])).toMatchObject({ total: 1 });
  expect(place.read('knowledge/Foundation/GOALS.md')).toContain('GOALS 80');
});
