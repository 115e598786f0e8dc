import { afterEach, beforeEach, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import type { NoteBasis } from '../classify/classification.ts';
import type { Target } from '../targets/target.ts';
import { readChunks } from './chunk-store.ts';
import { openQueueCopy } from './queue-database.ts';
import type { Classify } from './scan-deps.ts';
import { scanSource } from './scan-source.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

/** A note names its target and the kind of evidence for it. */
const classify: Classify = ({ text }) => {
  const [target, basis] = text.trim().split(' ') as [Target, NoteBasis];
  return { target, confidence: 0.8, reasons: ['as written'], alternatives: [], basis };
};

function write(folder: string, text: string, count: number): void {
  for (let at = 0; at < count; at += 1) place.write(`notes/${folder}/${text} ${at}.md`, `${text}\n`);
}

/** The targets by the path of the note. */
async function proposals(): Promise<Record<string, string>> {
  const queue = openQueueCopy(place.root);
  try {
    await scanSource(place.notes, false, { queue, classify, onFile: () => undefined });
    const chunks = readChunks(queue.database, { states: ['scanned'] });
    return Object.fromEntries(Array.from(chunks, ({ source, proposed }) => [source, proposed]));
  } finally {
    queue.close();
  }
}

it('notes without clear words go where four of five notes of their folder go', async () => {
  write('travel', 'Research links', 8);
  write('travel', 'NOTE text', 2);
  write('mixed', 'Research links', 7);
  write('mixed', 'NOTE text', 3);
  write('small', 'Research links', 3);
  write('small', 'NOTE text', 1);
  expect(await proposals()).toMatchObject({
    'travel/NOTE text 0.md': 'Research',
    'travel/NOTE text 1.md': 'Research',
    'mixed/NOTE text 0.md': 'NOTE',
    'small/NOTE text 0.md': 'NOTE',
  });
});

it('words that name a list are overridden only by a large folder of one kind', async () => {
  write('habits', 'NOTE text', 40);
  write('habits', 'RHYTHMS words', 1);
  write('notes', 'NOTE text', 10);
  write('notes', 'GOALS words', 1);
  expect(await proposals()).toMatchObject({
    'habits/RHYTHMS words 0.md': 'NOTE',
    'notes/GOALS words 0.md': 'GOALS',
  });
});

it('what the note itself says stays, and no list takes a whole folder', async () => {
  write('people', 'Research links', 8);
  write('people', 'People property', 1);
  write('aims', 'GOALS title', 8);
  write('aims', 'NOTE text', 1);
  expect(await proposals()).toMatchObject({
    'people/People property 0.md': 'People',
    'aims/NOTE text 0.md': 'NOTE',
  });
});
