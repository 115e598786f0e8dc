import { randomBytes } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';

import { temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import { createBoundedQueue } from '../../foundation/limits/bounded-queue.ts';
import { ProblemError } from '../../foundation/problem.ts';

export interface PasswordHasherOptions {
  /** Concurrent hashes; each takes a core. */
  readonly runningMax: number;
  /** Hashes running and waiting; beyond them callers are refused. */
  readonly placesMax: number;
}

export interface HashingSlot {
  /** With null as hash it takes as long as with one, and returns false. */
  readonly verify: (password: string, passwordHash: string | null) => Promise<boolean>;
  readonly hash: (password: string) => Promise<string>;
  readonly leave: () => void;
}

export interface PasswordHasher {
  /** Reserved before any other work of the request; 503 if all are in use. */
  readonly reserveSlot: () => HashingSlot;
  readonly isOutdated: (passwordHash: string) => boolean;
  /** The number of hashes since the start. */
  readonly count: () => number;
}

/** OWASP's minimum: 19 MiB, two passes, one lane. The variant is the library's default, argon2id. */
export const argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const currentPrefix = '$argon2id$v=19$m=19456,t=2,p=1$';
const retryAfterSeconds = 3;

/** A hash takes about 20 ms of one core: bounded, so that sign-ins do not starve other work. */
export async function createPasswordHasher(options: PasswordHasherOptions): Promise<PasswordHasher> {
  const queue = createBoundedQueue(options);
  const decoy = await hash(randomBytes(32), argon2Parameters);
  let count = 0;
  const reserveSlot = (): HashingSlot => {
    const place = queue.take();
    if (place === null) {
      throw new ProblemError(temporarilyUnavailable, 'Too many concurrent sign-ins.', {
        retryAfterSeconds,
      });
    }
    return {
      verify: (password, passwordHash) =>
        place.run(async () => {
          count += 1;
          const matches = await verify(passwordHash ?? decoy, password.normalize('NFKC'));
          return matches && passwordHash !== null;
        }),
      hash: (password) =>
        place.run(async () => {
          count += 1;
          return hash(password.normalize('NFKC'), argon2Parameters);
        }),
      leave: place.leave,
    };
  };
  return {
    reserveSlot,
    isOutdated: (passwordHash) => !passwordHash.startsWith(currentPrefix),
    count: () => count,
  };
}
