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

/** Tokens of the tokenizer o200k_base. */
export async function countTokens(client: AnyClient): Promise<TokenCounts> {
  const tokenizer = new Tiktoken(o200kBase);
  const tokensOf = (text: string): number => tokenizer.encode(text, [], []).length;
  const { tools } = await client.listTools();
  const answers: Record<string, number> = {};
  for (const [name, given] of Object.entries(typicalCalls)) {
    const { content, structuredContent } = await client.callTool({ name, arguments: given });
    answers[name] =
      tokensOf(content.map(({ text = '' }) => text).join('\n')) + tokensOf(JSON.stringify(structuredContent));
  }
  return { list: tokensOf(JSON.stringify(tools)), answers };
}
