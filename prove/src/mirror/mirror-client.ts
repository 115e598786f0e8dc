import { setTimeout as delay } from 'node:timers/promises';

import { MirrorCopy } from './mirror-copy.ts';
import type { MirrorSource } from './mirror-source.ts';

export interface ClientReport {
  readonly copy: MirrorCopy;
  readonly pages: number;
  readonly stops: number;
  /** How often it received the digest of the set, and how often the digest of its copy differed at first, and again. */
  readonly checks: number;
  readonly doubts: number;
  readonly disagreements: number;
  readonly caughtUp: boolean;
}

export interface ClientOptions {
  readonly source: MirrorSource;
  readonly random: () => number;
  /** Whether the copy is final: the writers have ended and no changes remain. */
  readonly isFinal: (set: { readonly size: number; readonly hash: string }) => boolean;
  readonly givesUp: () => boolean;
}

const pollMs = 30;

/** Follows until it has everything, and is stopped now and then: with its work saved, or with its last pages lost. */
export async function followMirror({
  source,
  random,
  isFinal,
  givesUp,
}: ClientOptions): Promise<ClientReport> {
  let copy = new MirrorCopy();
  let saved = copy.save();
  const seen = { pages: 0, stops: 0, checks: 0, doubts: 0, disagreements: 0 };
  // Half of the pages have the largest size, so that clients share copies of the server's cache.
  const shared = (): number => (random() < 0.5 ? 0.999 : random());
  let isInDoubt = false;
  for (;;) {
    const set = await copy.readPage(source, isInDoubt ? random : shared);
    seen.pages += 1;
    if (set !== null) {
      seen.checks += 1;
      const agrees = copy.agrees(set);
      if (!agrees) seen[isInDoubt ? 'disagreements' : 'doubts'] += 1;
      isInDoubt = !agrees;
      if (agrees && isFinal(set)) return { copy, ...seen, caughtUp: true };
      if (agrees) await delay(pollMs);
    }
    if (givesUp()) return { copy, ...seen, caughtUp: false };
    if (random() < 0.1) saved = copy.save();
    if (random() < 0.05) {
      seen.stops += 1;
      copy = MirrorCopy.resume(saved);
      isInDoubt = false;
    }
  }
}
