import { expect, it } from 'vitest';

import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { refuseHarnessMemory } from './target-file.ts';

const rule = { proposed: 'AI_RULES', chosen: null } as QueuedChunk;
const goal = { proposed: 'GOALS', chosen: null } as QueuedChunk;

it.each([
  '/memory/rules.md',
  '/.agent/MEMORY.md',
  '/Rules/feedback_style.md',
  '/CLAUDE.md',
  '/Skills/memory/GOTCHAS.md',
])('a rule for agents is never written to %s', (path) => {
  expect(() => refuseHarnessMemory(rule, path)).toThrow(/never written/);
  expect(() => refuseHarnessMemory(goal, path)).not.toThrow();
});

it('the rule file is not a memory file', () => {
  expect(() => refuseHarnessMemory(rule, '/Rules/OPERATIONAL_RULES.md')).not.toThrow();
});
