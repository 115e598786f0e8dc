import { randomBytes } from 'node:crypto';

import { hash, verify } from '@node-rs/argon2';

import { temporarilyUnavailable } from '../../foundation/http/http-problems.ts';
import { createBoundedQueue } from '../../foundation/limits/bounded-queue.ts';
import { ProblemError } from '../../foundation/problem.ts';

export interface PasswordHasherOptions {
  /** Hashes at once; each takes a core. */
  readonly runningMax: number;
  /** Hashes at once and in waiting; beyond them callers are turned away. */
  readonly placesMax: number;
}

export interface HashingPlace {
  /** With null for a hash it works as long as with one, and says no. */
  readonly verify: (password: string, passwordHash: string | null) => Promise<boolean>;
  readonly hash: (password: string) => Promise<string>;
  readonly leave: () => void;
}

export interface PasswordHasher {
  /** Taken before anything else is done for the request; 503 when there is none. */
  readonly takePlace: () => HashingPlace;
  readonly isOutdated: (passwordHash: string) => boolean;
  /** How many have been computed since the start. */
  readonly count: () => number;
}

/** OWASP's minimum: 19 MiB, two passes, one lane. The variant is the library's default, argon2id. */
export const argon2Parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const currentPrefix = '$argon2id$v=19$m=19456,t=2,p=1$';
const retryAfterSeconds = 3;

/** A hash takes about 20 ms of one core: bounded, or sign-ins could take the CPU from everything else. */
export async function createPasswordHasher(options: PasswordHasherOptions): Promise<PasswordHasher> {
  const queue = createBoundedQueue(options);
  const decoy = await hash(randomBytes(32), argon2Parameters);
  let count = 0;
  const takePlace = (): HashingPlace => {
    const place = queue.take();
    if (place === null) {
      throw new ProblemError(temporarilyUnavailable, 'Too many concurrent sign-ins.', { retryAfterSeconds });
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
    takePlace,
    isOutdated: (passwordHash) => !passwordHash.startsWith(currentPrefix),
    count: () => count,
  };
}
