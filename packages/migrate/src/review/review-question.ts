import { parseTarget } from '../cli/command-line.ts';
import { suggestedPattern } from '../cli/dialog-asker.ts';
import type { RuleDestination } from '../commit/rule-destination.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { Target } from '../targets/target.ts';
import { targets } from '../targets/target.ts';
import type { Key, KeyKind } from './keyboard.ts';

/** Shows lines at the foot of the screen and waits for a key, or for the next key of a text that is typed. */
export type AskKey = (footer: readonly string[], kind?: KeyKind) => Promise<Key>;

export async function askYes(ask: AskKey, question: string): Promise<boolean> {
  const key = await ask([question, 'y yes   any other key no']);
  return key.name === 'y';
}

/** Typing narrows the list, the arrows choose, Enter takes it, Escape gives up. */
export async function askTarget(ask: AskKey): Promise<Target | null> {
  let typed = '';
  let at = 0;
  for (;;) {
    const found = targets.filter(
      (target) => target !== 'UNCLEAR' && target.toLowerCase().includes(typed.toLowerCase()),
    );
    at = Math.min(at, Math.max(0, found.length - 1));
    const shown = found
      .map((target, index) => (index === at ? `[${target}]` : target))
      .slice(Math.max(0, at - 3), at + 6);
    const key = await ask(
      [`Target: ${typed}▏`, shown.length === 0 ? 'no such target' : shown.join('  ')],
      'text',
    );
    if (key.name === 'escape') return null;
    const chosen = found[at];
    if (key.name === 'return' && chosen !== undefined) return parseTarget(chosen);
    if (key.name === 'right' || key.name === 'down') at += 1;
    else if (key.name === 'left' || key.name === 'up') at = Math.max(0, at - 1);
    else {
      typed = edited(typed, key);
      at = 0;
    }
  }
}

export async function askRuleDestination(ask: AskKey, chunk: QueuedChunk): Promise<RuleDestination | null> {
  const key = await ask([
    'Where should this rule for agents be stored?',
    '1 rule file   2 hook   3 settings permission   4 skill gotchas   Esc later',
  ]);
  if (key.name === '1') return { kind: 'rule-file' };
  if (key.name === '2') return { kind: 'hook' };
  if (key.name === '4') {
    const skill = await askLine(ask, 'Which skill? The name of its folder:', '');
    return skill === null ? null : { kind: 'gotcha', skill };
  }
  if (key.name !== '3') return null;
  const choice = await ask(['What should happen?', 'd deny it   k ask me each time   a allow it']);
  const list = ({ d: 'deny', k: 'ask', a: 'allow' } as const)[choice.name];
  if (list === undefined) return null;
  const pattern = await askLine(ask, `For which tool or command (${list})?`, suggestedPattern(chunk.text));
  return pattern === null ? null : { kind: 'permission', list, pattern };
}

async function askLine(ask: AskKey, question: string, initial: string): Promise<string | null> {
  let typed = initial;
  for (;;) {
    const key = await ask([question, `${typed}▏   Enter confirms, Esc cancels`], 'text');
    if (key.name === 'escape') return null;
    if (key.name === 'return' && typed.trim() !== '') return typed.trim();
    typed = edited(typed, key);
  }
}

function edited(typed: string, key: Key): string {
  if (key.name === 'clear') return '';
  if (key.name === 'backspace') return typed.slice(0, -1);
  return (typed + key.text).slice(0, 200);
}
