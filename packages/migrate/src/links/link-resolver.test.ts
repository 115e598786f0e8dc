import { afterEach, beforeEach, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { openQueue } from '../queue/queue-database.ts';
import { resolveLink } from './link-resolver.ts';

let place: MigrationPlace;
beforeEach(async () => {
  place = new MigrationPlace();
  for (const name of [
    'Anna.md',
    'People/Anna.md',
    'People/Ben K.md',
    'a/b/Deep.md',
    'a/v1.2 plan.md',
    'img/pic.png',
    'a/pic.png',
  ])
    place.write(`notes/${name}`, `${name}\n`);
  await place.run(['scan', '--source', place.notes]);
});
afterEach(() => place.remove());

it.each([
  ['wiki', 'a/x.md', 'Anna', 'Anna.md'],
  ['wiki', 'People/x.md', 'People/Anna', 'People/Anna.md'],
  ['wiki', 'x.md', 'ben k', 'People/Ben K.md'],
  ['wiki', 'x.md', 'Deep', 'a/b/Deep.md'],
  ['wiki', 'x.md', 'b/Deep', 'a/b/Deep.md'],
  ['wiki', 'x.md', 'v1.2 plan', 'a/v1.2 plan.md'],
  ['wiki', 'x.md', 'pic.png', 'a/pic.png'],
  ['wiki', 'img/x.md', 'pic.png', 'img/pic.png'],
  ['wiki', 'x.md', 'eep', null],
  ['wiki', 'x.md', 'Nobody', null],
  ['markdown', 'a/x.md', '../People/Ben K.md', 'People/Ben K.md'],
  ['markdown', 'a/x.md', 'b/Deep', 'a/b/Deep.md'],
  ['markdown', 'a/x.md', '/img/pic.png', 'img/pic.png'],
  ['markdown', 'a/x.md', 'Anna.md', 'Anna.md'],
  ['markdown', 'a/x.md', '../../outside.md', null],
] as const)('%s link in %s to %s', (kind, name, path, found) => {
  const queue = openQueue(place.root);
  try {
    expect(resolveLink(queue, { root: place.notes, name }, { kind, path })?.name ?? null).toBe(found);
  } finally {
    queue.close();
  }
});
