import { median } from '@daybook/evidence';

import { applyLoad } from '../load-generator.ts';
import type { NewsChild } from '../news/news-child.ts';

const listPath = '/api/v1/items';

/** Polls of the list, a share of them conditional. */
async function pollingScript(address: string, unchangedShare: number): Promise<string> {
  const response = await fetch(address + listPath);
  await response.arrayBuffer();
  const tag = JSON.stringify(response.headers.get('etag') ?? '');
  return `local count = 0
function request()
  count = count + 1
  local headers = {}
  if count % 100 < ${Math.round(unchangedShare * 100)} then headers["If-None-Match"] = ${tag} end
  return wrk.format("GET", "${listPath}", headers)
end
`;
}

/** Processor seconds of all processes for a poll: the middle of several rounds. */
export async function measurePolls(
  servers: readonly NewsChild[],
  { unchangedShare, rounds, seconds }: { unchangedShare: number; rounds: number; seconds: number },
): Promise<number> {
  const cpuSeconds = async (): Promise<number> =>
    (await Promise.all(servers.map((server) => server.usage()))).reduce(
      (sum, one) => sum + one.cpuSeconds,
      0,
    );
  const costs: number[] = [];
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    const before = await cpuSeconds();
    const results = await Promise.all(
      servers.map(async ({ address }) =>
        applyLoad({
          url: address + listPath,
          headers: {},
          seconds,
          script: await pollingScript(address, unchangedShare),
        }),
      ),
    );
    const requests = results.reduce((sum, one) => sum + one.requests, 0);
    if (round > 0) costs.push(((await cpuSeconds()) - before) / requests);
  }
  return median(costs);
}
