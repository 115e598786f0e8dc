import type { SuiteContext } from '@daybook/evidence';

import { applyLoad } from './load-generator.ts';
import type { ServerChild } from './server-child.ts';

export interface Contender<Name extends string> {
  readonly name: Name;
  readonly server: Pick<ServerChild, 'usage'>;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Posted where it is given. */
  readonly body?: string;
}

export interface Rate {
  readonly perSecond: number;
  /** What the server itself spent; a neighbour on its core changes the first figure and hardly this one. */
  readonly perCpuSecond: number;
}

/** What each gets done, round by round and warm; nothing for who did not take part. */
export async function alternatingRates<Name extends string>(
  { quick }: Pick<SuiteContext, 'quick'>,
  contenders: readonly Contender<Name>[],
  rounds = quick ? 3 : 9,
): Promise<(name: Name) => readonly Rate[]> {
  const seconds = quick ? 1 : 2;
  const rates = new Map<Name, Rate[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await measure(contender, 1);
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first changes, so that a machine that grows slower or faster favours nobody.
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)])
      rates.get(contender.name)?.push(await measure(contender, seconds));
  }
  return (name) => rates.get(name) ?? [];
}

async function measure({ server, ...load }: Contender<string>, seconds: number): Promise<Rate> {
  const before = await server.usage();
  const { requests, perSecond } = await applyLoad({ ...load, seconds });
  const after = await server.usage();
  return { perSecond, perCpuSecond: requests / (after.cpuSeconds - before.cpuSeconds) };
}

/**
 * By the clock and by what the servers spent. Three rounds are too few to tell a server from its neighbours by the
 * clock: a quick run judges what was spent.
 */
export function compareRates(
  context: SuiteContext,
  name: string,
  ours: readonly Rate[],
  bare: readonly Rate[],
  goal?: { readonly atLeast: number },
  reached?: number,
  what = 'requests',
): void {
  for (const [unit, per] of [
    [`${what}/s`, 'perSecond'],
    [`${what} per second of CPU`, 'perCpuSecond'],
  ] as const) {
    const rounds = { ours: ours.map((rate) => rate[per]), bare: bare.map((rate) => rate[per]) };
    context.ratio({
      name,
      unit,
      ...rounds,
      ...(goal === undefined || (context.quick && per === 'perSecond') ? {} : { goal }),
      ...(reached === undefined ? {} : { reached }),
    });
  }
}
