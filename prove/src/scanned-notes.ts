import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runMigration } from './migration-process.ts';

export const chunkCount = 160;
const targets = ['GOALS', 'WISDOM', 'BELIEFS', 'MODELS', 'Ideas', 'People'];
/** Targets as people leave them: with and without a last line ending, in Windows form, empty. */
const existing = new Map([
  ['Foundation/GOALS.md', '# Goals\n\nOld goal.'],
  ['Foundation/WISDOM.md', 'Old wisdom.\r\nMore of it.\r\n'],
  ['Foundation/BELIEFS.md', ''],
]);

/** Notes, and a knowledge base into which they are scanned. */
export interface World {
  readonly notes: string;
  readonly template: string;
}

export async function makeTemplate(repository: string, { notes, template }: World): Promise<void> {
  mkdirSync(notes);
  for (let file = 0; file < 8; file += 1) {
    const sections = Array.from({ length: chunkCount / 8 }, (_, section) => {
      const at = file * (chunkCount / 8) + section;
      return `## Section-${at} -->\n\n${targets[at % targets.length]} 80 begin-${at}. ${'Words of a note. '.repeat(20)}end-${at}.\n`;
    });
    writeFileSync(join(notes, `note-${file}.md`), sections.join('\n'));
  }
  for (const [path, text] of existing) {
    mkdirSync(join(template, path, '..'), { recursive: true });
    writeFileSync(join(template, path), text);
  }
  const scan = await runMigration(repository, ['scan', '--source', notes, '--sections', '--root', template]);
  if (scan.code !== 0) throw new Error(`the scan failed: ${scan.stderr}`);
}

/** A file is whole when it begins as it did and every piece that begins in it also ends in it. */
export function countTorn(tree: ReadonlyMap<string, string>): number {
  let torn = 0;
  for (const [path, text] of tree) {
    if (path.endsWith('.tmp') || text === 'folder') continue;
    const begun = [...text.matchAll(/begin-(\d+)\./g)].map((found) => found[1]);
    const ended = [...text.matchAll(/end-(\d+)\./g)].map((found) => found[1]);
    const comments = [...text.matchAll(/<!-- source: .* -->/g)].length;
    const isWhole = begun.join() === ended.join() && comments === begun.length;
    if (!isWhole || !text.startsWith(existing.get(path) ?? '')) torn += 1;
  }
  return torn;
}

export function countNotOnce(tree: ReadonlyMap<string, string>): number {
  const all = [...tree.values()].join('\n');
  let wrong = [...tree.keys()].filter((path) => path.endsWith('.tmp')).length;
  for (let at = 0; at < chunkCount; at += 1) if (all.split(`begin-${at}.`).length !== 2) wrong += 1;
  return wrong;
}

export function countDifferent(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): number {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).length;
}
