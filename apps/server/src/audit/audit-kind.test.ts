import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { auditKinds as accessKinds } from '../access/index.ts';
import { auditKinds as agentKinds } from '../agents/index.ts';
import { auditKinds as identityKinds } from '../identity/index.ts';
import { auditKinds as storageKinds } from '../storage/index.ts';
import { auditKinds as watchKinds } from '../watch/index.ts';
import { createEventSentences, defineAuditKind } from './audit-kind.ts';

test('lists every kind that a feature declares in the list of its module', async () => {
  const declared: string[] = [];
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  for await (const path of glob('*/**/*.ts', { cwd })) {
    if (path.endsWith('.test.ts')) continue;
    const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
    for (const [, name = ''] of text.matchAll(/defineAuditKind\(\s*'([a-z_]+)'/g)) declared.push(name);
  }
  const listed = [...identityKinds, ...accessKinds, ...agentKinds, ...storageKinds, ...watchKinds].map(
    ({ name }) => name,
  );
  expect(declared.length).toBeGreaterThan(30);
  expect(listed.sort()).toEqual(declared.sort());
});

test('builds a sentence from the details of an event, and shows an undeclared kind as it is stored', () => {
  const sentence = createEventSentences([
    defineAuditKind('key_created', (word) => `You created “${word('name')}”.`),
  ]);
  expect(sentence({ kind: 'key_created', detail: { name: 'deploy' } })).toBe('You created “deploy”.');
  for (const detail of [null, {}, { name: 7 }, 'name', { constructor: 'x' }])
    expect(sentence({ kind: 'key_created', detail })).toBe('You created “”.');
  expect(sentence({ kind: 'moon_eclipsed', detail: {} })).toBe('moon eclipsed.');
  expect(sentence({ kind: 'constructor', detail: null })).toBe('constructor.');
});

test('refuses two kinds of one name', () => {
  const kind = defineAuditKind('same', 'Same.');
  expect(() => createEventSentences([kind, kind])).toThrow(RangeError);
});
