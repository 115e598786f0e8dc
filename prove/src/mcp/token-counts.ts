import { seededRandom } from '@daybook/evidence';
import { Tiktoken } from 'js-tiktoken/lite';
import o200kBase from 'js-tiktoken/ranks/o200k_base';

import type { AnyClient } from './mcp-clients.ts';

export interface TokenCounts {
  /** Of the tool list as a client receives it. */
  readonly list: number;
  /** Of both halves of each answer: the text, and the structured content as JSON. */
  readonly answers: Readonly<Record<string, number>>;
}

export const tokensOfListMax = 2_000;
export const tokenShareMax = 0.6;
/** Counted on the record of this suite when both halves of an answer held every field of every item. */
export const tokensBefore: Readonly<Record<string, number>> = {
  latest: 5598,
  search: 5271,
  hot_topics: 3374,
  report: 1917,
};

const typicalCalls: Readonly<Record<string, Record<string, unknown>>> = {
  latest: {},
  search: { q: 'model' },
  hot_topics: {},
  report: { kind: 'daily' },
};

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

/**
 * Tokens of the tokenizer o200k_base. Ids are random, and the same answer has up to a twentieth more tokens with others:
 * the average of ten sets of ids.
 */
export async function countTokens(client: AnyClient): Promise<TokenCounts> {
  const tokenizer = new Tiktoken(o200kBase);
  const random = seededRandom(8);
  const withOtherIds = (text: string): string => text.replaceAll(ids, () => randomId(random));
  const tokensOf = (text: string): number => {
    const counts = Array.from({ length: 10 }, () => tokenizer.encode(withOtherIds(text), [], []).length);
    return Math.round(counts.reduce((sum, count) => sum + count, 0) / counts.length);
  };
  const { tools } = await client.listTools();
  const answers: Record<string, number> = {};
  for (const [name, given] of Object.entries(typicalCalls)) {
    const { content, structuredContent } = await client.callTool({ name, arguments: given });
    answers[name] =
      tokensOf(content.map(({ text = '' }) => text).join('\n')) + tokensOf(JSON.stringify(structuredContent));
  }
  return { list: tokensOf(JSON.stringify(tools)), answers };
}

/** A time-ordered id, as the record makes them. */
function randomId(random: () => number): string {
  const hex = (length: number): string =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return `01a${hex(5)}-${hex(4)}-7${hex(3)}-a${hex(3)}-${hex(12)}`;
}
