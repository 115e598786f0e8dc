import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';

import type { ProblemDefinition, ProblemError } from '../problem.ts';
import type { ProblemResponse } from './problem-response.ts';

export interface ClientInfo {
  /** The client's address as trusted proxies tell it. */
  readonly address: string;
  /** What it is counted by: the address, or its /64. */
  readonly key: string;
  readonly userAgent: string | undefined;
}

/** A family of routes under one policy: who may read answers across origins, who is turned away, who must wait. */
export interface Surface {
  readonly name: string;
  /** Headers on every answer and on OPTIONS; null where browsers of other origins have no business. */
  readonly cors: CorsPolicy | null;
  /** Decided before anything of the request is parsed. Throws a problem, or lets pass. */
  readonly admit: ((client: ClientInfo) => void | Promise<void>) | null;
  /** Who speaks? Asked of declared methods only, after `admit` and before the body is read. */
  readonly authenticate?: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
  /** Where any body that cannot be read is 400, whatever is wrong with it: no 413, no 415. */
  readonly unreadableBodyIsInvalid?: boolean;
  /** The same problem for a person to read; status and headers but the type stay as they are. */
  readonly presentProblem?: (error: ProblemError, problem: ProblemResponse) => ProblemResponse;
  /** Described on each answer that has passed `authenticate`. */
  readonly answerHeaders?: HeaderDeclarations;
  /** What `admit` and `authenticate` can raise; declared on each of the surface's routes. */
  readonly problems: readonly ProblemDefinition[];
}

export type HeaderDeclarations = Readonly<
  Record<string, { readonly description: string; readonly schema: TSchema }>
>;

export interface CorsPolicy {
  readonly allowOrigin: string;
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}
