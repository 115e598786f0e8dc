import type { ProblemDefinition } from '../problem.ts';

export interface Caller {
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
  readonly admit: ((caller: Caller) => void) | null;
  /** What `admit` can raise; declared on each of the surface's routes. */
  readonly problems: readonly ProblemDefinition[];
}

export interface CorsPolicy {
  readonly allowOrigin: string;
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
  readonly maxAgeSeconds: number;
}
