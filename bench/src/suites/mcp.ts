import type { Suite, SuiteContext } from '@daybook/evidence';

import type { DatabaseUrls } from '../../../apps/server/src/foundation/database/logins.ts';
import { alternatingRates, compareRates } from '../alternating-rates.ts';
import { isInstalled } from '../load-generator.ts';
import { startNewsChild } from '../news/news-child.ts';
import type { NewsSet } from '../news/news-load.ts';
import { folderOf, openCluster } from '../news/saved-cluster.ts';
import { loadMissingSets } from '../news/saved-sets.ts';

const set: NewsSet = { inWindow: 10_000, older: 0, olderSelected: 0 };

export const suite: Suite = {
  name: 'mcp',
  nightly: true,
  summary: 'a tool call beside the same answer by REST',
  promise:
    'A call of the tool `latest` over `POST /mcp` that was made before is to be answered at 0.6 or more of the rate at which `GET /api/v1/items` is, with the same twenty items; one process, rounds alternate. Answers to calls are kept, which took it from 0.02 to 0.3, and sent in front of the router, which took it to about a half: what is left is that Node reads the body of a POST as a stream, and that its JSON is parsed and compared. The length of the answer, which has the items twice, as data and as Markdown, costs little: REST sends forty items for hardly more than twenty.',
  run: async (context) => {
    if (!isInstalled('wrk')) {
      context.didNotRun('wrk is not installed (Debian package wrk)');
      return;
    }
    await loadMissingSets(context, [set]);
    const { cluster, urls } = await openCluster(folderOf(context.root, set));
    try {
      await measureToolCall(context, urls);
    } finally {
      await cluster.stop();
    }
  },
};

const version = '2026-07-28';
const call = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'latest',
    arguments: { limit: 20 },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};
const callHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': version,
  'mcp-method': 'tools/call',
  'mcp-name': 'latest',
};

async function measureToolCall(context: SuiteContext, urls: DatabaseUrls): Promise<void> {
  const server = await startNewsChild(urls);
  try {
    const rates = await alternatingRates<'tool call' | 'REST'>(
      context,
      [
        {
          name: 'tool call',
          server,
          url: `${server.address}/mcp`,
          headers: callHeaders,
          body: JSON.stringify(call),
        },
        { name: 'REST', server, url: `${server.address}/api/v1/items?limit=20`, headers: {} },
      ],
      context.quick ? 3 : 9,
    );
    compareRates(
      context,
      'a tool call, beside REST',
      rates('tool call'),
      rates('REST'),
      { atLeast: 0.6 },
      0.4,
    );
  } finally {
    await server.stop();
  }
}
