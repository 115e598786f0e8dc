import { expect, it } from 'vitest';

import { parseCommand } from './command-line.ts';
import type { Host } from './host.ts';

const host = (env: Host['env']): Host => ({ env, home: '/home/ana' }) as Host;
const rootFor = (args: readonly string[], env: Host['env']): string => {
  const command = parseCommand('undo', args, host(env));
  return command.name === 'undo' ? command.options.root : '';
};

it('the knowledge root is --root, else DAYBOOK_KNOWLEDGE, else Knowledge in the home folder', () => {
  expect(rootFor(['--root', '/a'], { DAYBOOK_KNOWLEDGE: '/b' })).toBe('/a');
  expect(rootFor([], { DAYBOOK_KNOWLEDGE: '/b' })).toBe('/b');
  expect(rootFor([], {})).toBe('/home/ana/Knowledge');
});

it.each(['', '  '])('DAYBOOK_KNOWLEDGE=%j is an error, not another folder', (setting) => {
  expect(() => rootFor([], { DAYBOOK_KNOWLEDGE: setting })).toThrow(/DAYBOOK_KNOWLEDGE is empty/);
  expect(rootFor(['--root', '/a'], { DAYBOOK_KNOWLEDGE: setting })).toBe('/a');
});
