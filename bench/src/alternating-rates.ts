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
  /** The CPU time of the server itself; other load on its core hardly changes this figure. */
  readonly perCpuSecond: number;
}

/** The rate of each server, round by round and warm; empty for a server that did not take part. */
export async function alternatingRates<Name extends string>(
  { quick }: Pick<SuiteContext, 'quick'>,
  contenders: readonly Contender<Name>[],
  rounds = quick ? 3 : 9,
): Promise<(name: Name) => readonly Rate[]> {
  const seconds = quick ? 1 : 2;
  const rates = new Map<Name, Rate[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await measure(contender, 1);
  for (let round = 0; round < rounds; round += 1) {
    // The first server alternates, so that a machine that gets slower or faster favours neither.
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
 * By elapsed time and by the CPU time of the servers. Three rounds are too few to separate a server from other
 * load by elapsed time: a quick run judges CPU time.
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
