import type { Problem } from './generated/news-api.ts';

/** The origin of a response: the network, or the cache, with or without revalidation by the server. */
export type AnswerOrigin = 'network' | 'revalidated' | 'kept';

/** The server's response, including properties that this version does not know. */
export interface Found<T> {
  readonly ok: true;
  readonly data: T;
  readonly from: AnswerOrigin;
  /** Until when a new request gets the same response, in milliseconds since 1970: its `s-maxage`. */
  readonly freshUntil: number;
  /** The address that has replaced the requested one; update your stored address. */
  readonly movedTo: string | null;
}

/** Why the request failed. Branch on `problem.code`. */
export interface NotFound {
  readonly ok: false;
  /** 0 if the server was not reached or its response could not be read. */
  readonly status: number;
  readonly problem: ClientProblem;
}

/** A problem of the server, or `unreachable`, `timeout` and `unreadable_answer` of the way to it. */
export type ClientProblem = Pick<Problem, 'code' | 'detail'> & Partial<Problem>;

export type Answer<T> = Found<T> | NotFound;
