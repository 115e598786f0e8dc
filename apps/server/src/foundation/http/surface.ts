import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';

import type { ProblemDefinition, ProblemError } from '../problem.ts';
import type { ProblemResponse } from './problem-response.ts';

export interface ClientInfo {
  /** The client's address, from trusted proxies. */
  readonly address: string;
  /** The rate-limit key: the address, or its /64. */
  readonly key: string;
  readonly userAgent: string | undefined;
}

/** A family of routes under one policy: cross-origin access, denied clients, rate limits. */
export interface Surface {
  readonly name: string;
  /** Headers on every response and on OPTIONS; null where other origins have no access. */
  readonly cors: CorsPolicy | null;
  /** Runs before the request is parsed. Throws a problem, or admits it. */
  readonly admit: ((client: ClientInfo) => void | Promise<void>) | null;
  /** Identifies the caller, of declared methods only, after `admit` and before the body is read. */
  readonly authenticate?: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
  /** Answers 400 to any unreadable body, whatever is wrong with it: no 413, no 415. */
  readonly unreadableBodyIsInvalid?: boolean;
  /** The same problem as a page for people; status and headers except the type stay the same. */
  readonly presentProblem?: (
    error: ProblemError,
    problem: ProblemResponse,
    request: FastifyRequest,
  ) => ProblemResponse;
  /** Described on each response that has passed `authenticate`. */
  readonly answerHeaders?: HeaderDeclarations;
  /** What `admit` and `authenticate` can raise; declared on each of the surface's routes. */
  readonly problems: readonly ProblemDefinition[];
}

export type HeaderDeclarations = Readonly<
  Record<string, { readonly description: string; readonly schema: TSchema }>
>;

export interface CorsPolicy {
  /** Every origin, or these. Requests of other origins have no CORS headers in their responses. */
  readonly allowOrigin: '*' | readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}
