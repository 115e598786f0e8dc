import { describe, expect, test } from 'vitest';

import { epochMicroseconds } from '../../foundation/instant.ts';
import type { CitableSource, StoredAnswer } from './answer.ts';
import { answerQuestion, findContradictions, readDocument, shippedAnswerTools } from './extract/index.ts';
import { quoteSources, sentenceHash } from './quote-sources.ts';

const source = (id: string, text: string): CitableSource => ({
  kind: 'item',
  id,
  title: `Report ${id}`,
  text,
  day: '2026-11-12',
  language: 'en',
  url: `https://daybook.example/items/${id}`,
  publisher: 'The Wire',
});
const first = 'Veltrane shipped 4,000 chips in October.';
const second = 'Veltrane shipped 5,500 chips in October.';
const answer: StoredAnswer = {
  id: '1' as StoredAnswer['id'],
  agentId: '2' as StoredAnswer['agentId'],
  accountId: '3' as StoredAnswer['accountId'],
  follows: null,
  question: 'How many chips did Veltrane ship in October?',
  sentences: [
    { kind: 'item', id: 'a', hash: sentenceHash(first) },
    { kind: 'item', id: 'b', hash: sentenceHash(second) },
  ],
  contradictions: [[0, 1]],
  unanswered: [],
  by: 'extract',
  model: null,
  stopped: [],
  usage: { inputTokens: 0, outputTokens: 0 },
  requestKey: null,
  asOf: epochMicroseconds(0n),
  createdAt: epochMicroseconds(0n),
};

describe('quotations of a stored answer', () => {
  test('follow the sentence when other sentences of the source change', () => {
    const edited = `An editor added this. ${first}`;
    const { sentences } = quoteSources(answer, [source('a', edited), source('b', second)]);
    const [cite] = sentences[0]?.cites ?? [];
    expect(cite?.quote).toBe(first);
    expect(`Report a\n${edited}`.slice(cite?.start, cite?.end)).toBe(first);
  });

  test('leave out changed sentences and missing sources, and contradictions with them', () => {
    const changed = quoteSources(answer, [source('a', first), source('b', 'Veltrane shipped chips.')]);
    expect(changed.leftOut).toEqual([{ reason: 'changed', text: null, kinds: [] }]);
    expect([changed.sentences.length, changed.contradictions]).toEqual([1, []]);
    const missing = quoteSources(answer, [source('b', second)]);
    expect(missing.leftOut).toEqual([{ reason: 'unavailable', text: null, kinds: [] }]);
    expect(missing.sources.map(({ id }) => id)).toEqual(['b']);
    const whole = quoteSources(answer, [source('a', first), source('b', second)]);
    expect(whole.contradictions).toEqual([[0, 1]]);
  });
});

test('two sources with different numbers for the same contradict each other; the same number twice does not', () => {
  const pairsOf = (...texts: readonly string[]) => {
    const documents = texts.map((text, at) => readDocument(source(String(at), text)));
    const asked = { text: answer.question, before: [], day: '2026-11-14' };
    const [part] = answerQuestion(asked, documents, shippedAnswerTools());
    const quoted = (part?.candidates ?? []).filter(({ sentence }) => sentence.at > 0);
    return findContradictions(quoted).length;
  };
  expect(pairsOf(first, second)).toBe(1);
  expect(pairsOf(first, 'In October, Veltrane shipped 4,000 chips.')).toBe(0);
  expect(pairsOf(first, 'Corvid opened 12 factories.')).toBe(0);
});
