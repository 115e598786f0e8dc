import { setTimeout as delay } from 'node:timers/promises';

import { queryOnce } from '../http/api-child.ts';
import type { ChaosFault } from './faults.ts';
import { drawFaults } from './faults.ts';
import type { ChaosInstallation } from './installation.ts';
import type { Members } from './members.ts';

export interface ChaosRound {
  readonly kinds: readonly string[];
  /** From the end of the faults until everything works; infinite if it did not within two minutes. */
  readonly recoveredMs: number;
  /** What did not work until then. */
  readonly last: string;
}

export interface RoundPlan {
  readonly random: () => number;
  readonly endsAtMs: number;
  readonly isChosen: (fault: ChaosFault) => boolean;
  readonly faultMs: { readonly from: number; readonly to: number };
  readonly onRound: (round: ChaosRound) => void;
}

/** When which parts of the installation were under a fault; an end is infinite while the fault lasts. */
export class FaultTimes {
  readonly #spans: { affects: ChaosFault['affects']; fromMs: number; toMs: number }[] = [];

  begin(affects: ChaosFault['affects']): () => void {
    const span = { affects, fromMs: performance.now(), toMs: Infinity };
    this.#spans.push(span);
    return () => {
      span.toMs = performance.now();
    };
  }

  /** Whether a fault of this kind was there between the two moments, or ended shortly before. */
  touches(
    affects: ChaosFault['affects'],
    [fromMs, toMs]: readonly [number, number],
    afterMs: number,
  ): boolean {
    return this.#spans.some(
      (one) => one.affects === affects && one.fromMs <= toMs && one.toMs + afterMs >= fromMs,
    );
  }
}

const recoveredWithinMs = 120_000;

/** One or two faults at a time, until the time is over: every kind once before any comes a second time. */
export async function causeChaos(
  installation: ChaosInstallation,
  members: Members,
  times: FaultTimes,
  { random, endsAtMs, faultMs, isChosen, onRound }: RoundPlan,
): Promise<readonly ChaosRound[]> {
  const rounds: ChaosRound[] = [];
  const end = (round: ChaosRound): void => {
    rounds.push(round);
    onRound(round);
  };
  end({ kinds: ['none'], ...(await recover(installation, members)) });
  let left: ChaosFault[] = [];
  while (performance.now() < endsAtMs) {
    if (left.length === 0) left = shuffled(drawFaults(installation, random).filter(isChosen), random);
    const [first] = left.splice(0, 1) as [ChaosFault];
    const isPair = rounds.length % 3 === 0;
    const second = isPair ? left.findIndex(({ target }) => target !== first.target) : -1;
    const faults = second === -1 ? [first] : [first, ...left.splice(second, 1)];
    const lastsMs = faultMs.from + random() * (faultMs.to - faultMs.from);
    await causeFaults(faults, lastsMs, times);
    end({ kinds: faults.map(({ kind }) => kind), ...(await recover(installation, members)) });
  }
  return rounds;
}

async function causeFaults(faults: readonly ChaosFault[], lastsMs: number, times: FaultTimes): Promise<void> {
  const ends = [];
  for (const { affects, begin } of faults) {
    const over = times.begin(affects);
    const end = await begin();
    ends.push(async () => {
      await end();
      over();
    });
  }
  await delay(lastsMs);
  for (const end of ends.toReversed()) await end();
}

/** Until a list is read, a folder created, a file uploaded, and an article that is published now has become an item. */
async function recover(
  { cluster, wire }: ChaosInstallation,
  { probe }: Members,
): Promise<Omit<ChaosRound, 'kinds'>> {
  const fromMs = performance.now();
  const isOver = (): boolean => performance.now() - fromMs > recoveredWithinMs;
  const article = wire.urls.length;
  let last = '';
  for (let missing = await probe(); missing !== null; missing = await probe()) {
    last = missing;
    if (isOver()) return { recoveredMs: Infinity, last };
    await delay(100);
  }
  for (;;) {
    const url = wire.urls[article];
    const text = `SELECT FROM record.item WHERE original_url = '${url}'`;
    if (url !== undefined && (await queryOnce(cluster.url('daybook'), text).catch(() => [])).length > 0)
      return { recoveredMs: performance.now() - fromMs, last };
    last = 'an article';
    if (isOver()) return { recoveredMs: Infinity, last };
    await delay(100);
  }
}

function shuffled<Value>(values: readonly Value[], random: () => number): Value[] {
  return values
    .map((value) => ({ value, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ value }) => value);
}
