import type { Answer, NewsClient } from '@daybook/client';
import type { AgentQuestion, Answer as AgentAnswer } from '@daybook/client/platform';
import type { StorageClient } from '@daybook/client/storage';
import type { Item } from '@daybook/client/types';

import { plainText } from './markdown/markdown-text.ts';

/** The data source of the tools: a server, and for lists of selected items a local copy where one exists. */
export interface McpNews {
  readonly client: NewsClient;
  readonly mirror: MirrorReads | null;
  /** Asks an agent of an organization for the signed-in caller; null without credentials: then no tool asks. */
  readonly ask: ((asked: AgentQuestion) => Promise<AgentAnswer>) | null;
  /** The files of an account, with its credential. Absent: no tool reads files. */
  readonly files?: StorageClient;
  /** Milliseconds since 1970, on the client's clock. */
  readonly nowMs: () => number;
}

/** The reads of a mirror; the SQLite store of `@daybook/client` implements them. */
export interface MirrorReads {
  readonly progress: (copy: 'current') => Promise<{ readonly exactAt: number | null } | null>;
  readonly latest: (limit: number) => readonly Item[];
  readonly search: (words: string, limit: number) => readonly Item[];
}

/** The output of a tool, resource or prompt: the same content as data and as documents. */
export interface NewsAnswer {
  /** The structured half of a tool's answer. */
  readonly data: Record<string, unknown>;
  /** The text half of a tool's answer. */
  readonly outline: string;
  /** The whole as a document, for resources and prompts. */
  readonly markdown: string;
  /** How long a new request gets the same response. */
  readonly freshForMs: number;
}

/** The error message, which names the next action. */
export class NewsRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The response's data and its freshness, or the refusal. */
export function required<T>(
  news: McpNews,
  answer: Answer<T>,
): { readonly data: T; readonly freshForMs: number } {
  if (!answer.ok) throw refusalOf(answer);
  return { data: answer.data, freshForMs: Math.max(0, Math.round(answer.freshUntil - news.nowMs())) };
}

const advice: Readonly<Record<string, string>> = {
  not_found: 'Use ids, dates, weeks and months from other responses; never invent them.',
  withdrawn: 'The item was withdrawn; do not report it.',
  invalid_cursor: 'Start again without a cursor.',
  snapshot_required:
    'The cursor is too old or belongs to another server; call changes_since without a cursor.',
  rate_limited: 'Wait before the next call.',
  unreachable: 'The server is unreachable; try again later.',
};

export function refusalOf({
  problem,
}: Pick<Extract<Answer<unknown>, { readonly ok: false }>, 'problem'>): NewsRefused {
  const wait = problem.retryAfter === undefined ? '' : ` Retry after ${problem.retryAfter} s.`;
  const code = problem.code.replaceAll(/\W/g, '');
  const hint = advice[code];
  return new NewsRefused(
    code,
    `${plainText(problem.detail.replace(/\.$/, ''))} (${code}).${wait}${hint === undefined ? '' : ` ${hint}`}`,
  );
}
