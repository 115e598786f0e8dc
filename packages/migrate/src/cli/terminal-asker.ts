import { confirm, isCancel, note, select, text } from '@clack/prompts';

import type { Asker } from '../commit/approval-question.ts';
import type { RuleDestination } from '../commit/rule-destination.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import { printable } from './terminal.ts';

const shownCharsMax = 1200;

/** Questions one by one at the terminal. Ctrl-C leaves the chunk in the queue. */
export const terminalAsker: Asker = {
  identity: async (chunk, path) => {
    showChunk(chunk);
    return yes(`Write this to your identity file, ${path}?`);
  },
  dimension: (target) =>
    yes(`Let notes into your ideal state for ${target}? This is asked once for each dimension.`),
  duplicate: async (chunk, path) => {
    showChunk(chunk);
    return yes(`The same text already stands in ${path}. Add it again?`);
  },
  rule: async (chunk) => {
    showChunk(chunk);
    return askRule(chunk);
  },
};

function showChunk(chunk: QueuedChunk): void {
  const body = printable(chunk.text.trim());
  const shown = body.length > shownCharsMax ? `${body.slice(0, shownCharsMax)} …` : body;
  note(shown, printable([chunk.source, ...chunk.headings].join(' › ')).slice(0, 70));
}

async function yes(message: string): Promise<boolean> {
  const answer = await confirm({ message: printable(message), initialValue: false });
  return answer === true;
}

async function askRule(chunk: QueuedChunk): Promise<RuleDestination | 'reject' | null> {
  const kind = await select({
    message: 'Where does this rule for agents belong?',
    options: [
      { value: 'rule-file', label: 'The rule file', hint: 'a sentence agents should read' },
      { value: 'hook', label: 'A hook', hint: 'something a script can enforce' },
      {
        value: 'permission',
        label: 'A permission in the settings',
        hint: 'a tool or command to allow, ask for or deny',
      },
      { value: 'gotcha', label: 'The gotchas of a skill', hint: 'it matters for one skill only' },
      { value: 'reject', label: 'Nowhere: reject it' },
      { value: 'later', label: 'Decide later' },
    ],
  });
  if (kind === 'rule-file' || kind === 'hook') return { kind };
  if (kind === 'reject') return kind;
  if (kind === 'permission') return askPermission(chunk);
  if (kind !== 'gotcha') return null;
  const skill = await text({ message: 'Which skill?', validate: required });
  return isCancel(skill) ? null : { kind, skill };
}

async function askPermission(chunk: QueuedChunk): Promise<RuleDestination | null> {
  const list = await select({
    message: 'What should happen?',
    options: [
      { value: 'deny', label: 'Deny it' },
      { value: 'ask', label: 'Ask me each time' },
      { value: 'allow', label: 'Allow it' },
    ],
  });
  if (isCancel(list)) return null;
  const initialValue = suggestedPattern(chunk.text);
  const pattern = await text({ message: 'For which tool or command?', initialValue, validate: required });
  if (isCancel(pattern)) return null;
  return { kind: 'permission', list, pattern };
}

/** The first code in the rule is most often what it is about. */
export function suggestedPattern(rule: string): string {
  return /`([^`\n]{1,80})`/.exec(rule)?.[1] ?? '';
}

function required(value: string | undefined): string | undefined {
  return (value ?? '').trim() === '' ? 'Please type something.' : undefined;
}
