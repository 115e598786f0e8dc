import type { Problem } from './generated/news-api.ts';

/** Where an answer came from: the network, or what was kept, as it was or after the server said that it still holds. */
export type AnswerOrigin = 'network' | 'revalidated' | 'kept';

/** What the server answered, with everything it said that this version does not know. */
export interface Found<T> {
  readonly ok: true;
  readonly data: T;
  readonly from: AnswerOrigin;
  /** Until when asking again gets the same, in milliseconds since 1970: `s-maxage` of the answer. */
  readonly freshUntil: number;
  /** The address that has replaced the one that was asked for; replace what you keep. */
  readonly movedTo: string | null;
}

/** Why there is no answer. Branch on `problem.code`. */
export interface NotFound {
  readonly ok: false;
  /** 0 where the server was not reached or its answer could not be read. */
  readonly status: number;
  readonly problem: ClientProblem;
}

/** A problem of the server, or `unreachable` and `unreadable_answer` of the way to it. */
export type ClientProblem = Pick<Problem, 'code' | 'detail'> & Partial<Problem>;

export type Answer<T> = Found<T> | NotFound;
