import type { SuiteContext } from '@daybook/evidence';

import { applyLoad } from '../load-generator.ts';
import type { MeasuredEdge } from './measured-edge.ts';
import { polledPaths } from './poll-stage.ts';

export const listFile = 'list.json';

interface Case {
  readonly name: string;
  readonly headers: (etag: string) => Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  { name: 'a list that is unchanged', headers: (etag) => ({ 'If-None-Match': etag }) },
  { name: 'a list in full', headers: () => ({}) },
  {
    name: 'a list that is unchanged, a connection for each request',
    headers: (etag) => ({ 'If-None-Match': etag, Connection: 'close' }),
  },
];

/** Responses of nginx from its cache beside those of the same nginx from a file of the same size, by turns. */
export async function compareWithFiles(context: SuiteContext, edge: MeasuredEdge): Promise<void> {
  const addresses = {
    ours: `http://127.0.0.1:${edge.port}${polledPaths[0]}`,
    bare: `http://127.0.0.1:${edge.filesPort}/${listFile}`,
  };
  const seconds = context.quick ? 1 : 2;
  for (const { name, headers } of context.quick ? cases.slice(0, 1) : cases) {
    const rates = { ours: [] as number[], bare: [] as number[] };
    for (let round = -1; round < (context.quick ? 3 : 9); round += 1)
      for (const side of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const)) {
        const load = { url: addresses[side], headers: headers(await etagOf(addresses[side])), seconds };
        const before = edge.cpuSeconds();
        const { requests } = await applyLoad(load);
        if (round >= 0) rates[side].push(requests / (edge.cpuSeconds() - before));
      }
    context.ratio({
      name: `${name}, beside a file`,
      unit: 'requests per second of CPU',
      ...rates,
      goal: { atLeast: 0.85 },
    });
  }
}

async function etagOf(url: string): Promise<string> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}
