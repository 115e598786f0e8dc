import { readFileSync } from 'node:fs';

import type { Agent } from '../../agents/agent.ts';
import type { AskedQuestion } from '../extract/index.ts';
import type { Passage } from './passages.ts';
import { textOf } from './passages.ts';
import type { StrictFinding } from './strict-findings.ts';

export interface Prompt {
  readonly system: string;
  readonly prompt: string;
}

/** A sentence that its citation does not support. */
export interface StoppedSentence {
  readonly text: string;
  readonly cites: readonly number[];
  /** Empty if it cites no passage. */
  readonly findings: readonly StrictFinding[];
}

let rules: string | undefined;

/**
 * Rules, wishes, question and passages. Everything of third parties is inside one JSON value, so that no text can end
 * its place. It contains no credentials, addresses or names of members.
 */
export function promptOf(
  { systemPrompt }: Pick<Agent, 'systemPrompt'>,
  { text, before, day }: AskedQuestion,
  passages: readonly Passage[],
  stopped: readonly StoppedSentence[],
): Prompt {
  rules ??= readFileSync(new URL('prompts/answer.md', import.meta.url), 'utf8');
  const content = {
    question: text,
    earlierQuestions: before,
    today: day,
    wishes: systemPrompt,
    passages: passages.map(({ number, document: { source }, sentences }) => ({
      number,
      title: source.title,
      day: source.day,
      text: textOf(sentences),
    })),
    ...(stopped.length > 0 && {
      findings: stopped.map(({ text: sentence, cites, findings }) => ({
        sentence,
        cites,
        unsupported: findings.length === 0 ? ['no passage cited'] : findings.map(describeFinding),
      })),
    }),
  };
  return { system: rules, prompt: JSON.stringify(content) };
}

const describeFinding = ({ kind, text }: StrictFinding): string => `${kind}: ${text}`;
