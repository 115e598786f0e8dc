import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseEntryName } from '../entry-name.ts';
import type { Entry, EntryId } from '../folders/entry.ts';
import { archiveName, archivePaths } from './archive-paths.ts';

test.each([
  ['plan.pdf', 'plan.pdf'],
  ['.profile', '.profile'],
  ['中文 é.txt', '中文 é.txt'],
  ['..', '__'],
  ['../../etc/passwd', '.._.._etc_passwd'],
  ['C:\\Windows\\x', 'C__Windows_x'],
  ['a:stream', 'a_stream'],
  ['nul', '_nul'],
  ['Con.txt', '_Con.txt'],
  ['COM1', '_COM1'],
  ['console', 'console'],
  ['ends. . ', 'ends____'],
  ['a\u202Eb', 'a_b'],
])('archives %j as %j', (name, archived) => {
  expect(archiveName(name)).toBe(archived);
});

test('maps every name to its own single place below the root', () => {
  const names = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), { maxLength: 8 });
  fc.assert(
    fc.property(names, (written) => {
      const valid = written.flatMap((text) => {
        const name = parseEntryName(text);
        return name.ok ? [name.value] : [];
      });
      const entries = valid.map((name, index) => entryOf(`e${index}`, null, name, index % 2 === 0));
      const paths = archivePaths('root', null, entries).map(({ path }) => path.replace(/\/$/, ''));
      expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(valid.length);
      for (const path of paths) expect(path).toMatch(/^root\/(?!\.\.?$)[^/\\:]*[^/\\:. ]$/u);
    }),
  );
});

test('numbers names that become equal, and lists folders before their content', () => {
  const entries = [
    entryOf('1', 'f', 'a?.txt', true),
    entryOf('2', 'f', 'a*.txt', true),
    entryOf('f', null, 'docs', false),
  ];
  expect(archivePaths('top', null, entries).map(({ path }) => path)).toEqual([
    'top/docs/',
    'top/docs/a_.txt',
    'top/docs/a_ (2).txt',
  ]);
});

function entryOf(id: string, parentId: string | null, name: string, isFile: boolean): Entry {
  return {
    id: id as EntryId,
    parentId: parentId as EntryId | null,
    name,
    kind: isFile ? 'file' : 'folder',
  } as Entry;
}
