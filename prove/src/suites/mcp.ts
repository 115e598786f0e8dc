import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createClient } from '@daybook/client';
import { follow } from '@daybook/client/mirror';
import { sqliteStore } from '@daybook/client/mirror/sqlite';
import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import { freePorts } from '../http/api-child.ts';
import { isNginxInstalled, startNginx } from '../http/nginx.ts';
import { faultOf, HostileCalls } from '../mcp/hostile-calls.ts';
import { escapeOf, unmarkedOf } from '../mcp/marked-text.ts';
import type { Ways } from '../mcp/mcp-clients.ts';
import { connectors } from '../mcp/mcp-clients.ts';
import { countTokens, tokensBefore, tokensOfListMax, tokenShareMax } from '../mcp/token-counts.ts';
import { visitEverything } from '../mcp/visit-everything.ts';
import { ask } from '../news/http-question.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import { fillRecord } from '../news/news-world.ts';
import { publishHostileBatch } from '../site/hostile-batch.ts';
import { hostileTexts } from '../site/hostile-texts.ts';

export const suite: Suite = {
  name: 'mcp',
  summary:
    'MCP clients of both protocol versions get complete answers over HTTP and stdio, hostile calls get declared errors, and third-party text is marked in both halves of an answer.',
  headline: 'hostile calls',
  promise:
    'The official clients of 2026 and of 2025 use every tool, resource and prompt over HTTP and over stdio; over HTTP their requests fall on any of several api processes behind nginx. Every scenario of the official conformance suite that needs no fixture passes; the others stand in a baseline file with their reasons. Hostile arguments get declared errors alone. No hostile title leaves its markers in the text of an answer, and the structured content names every field that holds one. The tool list and typical answers stay below a number of tokens.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await setNewsStage(context.root);
    const folder = mkdtempSync(join(tmpdir(), 'prove-mcp-'));
    try {
      await prove(context, stage, folder);
    } finally {
      await stage.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const settings = {
  DAYBOOK_RATE_PER_MINUTE: '1000000',
  // As the conformance suite expects it of a server on this machine.
  DAYBOOK_BASE_URL: 'http://localhost:8080',
};

async function prove(context: SuiteContext, stage: NewsStage, folder: string): Promise<void> {
  await fillRecord(stage.factory, 60);
  const ports: number[] = [];
  for (let left = context.quick ? 1 : 3; left > 0; left -= 1) ports.push(await stage.startApi(settings));
  const edge = await startEdge(context, ports);
  const [direct = 0] = ports;
  try {
    const mirror = join(folder, 'mirror.db');
    await copyNews(`http://127.0.0.1:${direct}`, mirror);
    const program = fileURLToPath(new URL('../../../packages/cli/src/bin/daybook.ts', import.meta.url));
    await reportVisits(context, {
      address: `http://127.0.0.1:${edge.port}/mcp`,
      program: [program, 'mcp', '--url', `http://127.0.0.1:${direct}`, '--sqlite', mirror],
    });
    await reportTokens(context, `http://127.0.0.1:${direct}/mcp`);
    await reportConformance(context, `http://127.0.0.1:${direct}/mcp`, folder);
    await reportHostileCalls(context, direct);
    await reportHostileTitles(context, stage, direct);
  } finally {
    await edge.stop();
  }
}

/** In a quick run the one process itself. */
async function startEdge(
  context: SuiteContext,
  ports: readonly number[],
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  context.figure({ name: 'api processes', value: ports.length, unit: 'processes' });
  if (context.quick || !isNginxInstalled()) {
    if (!context.quick) context.note('nginx is not installed: HTTP goes to one process');
    return { port: ports[0] ?? 0, stop: () => Promise.resolve() };
  }
  const [port = 0] = await freePorts(1);
  return { port, stop: (await startNginx(context.root, port, ports)).stop };
}

async function copyNews(baseUrl: string, path: string): Promise<void> {
  const store = sqliteStore(path);
  for await (const event of follow({ client: createClient({ baseUrl }), store, once: true }))
    if (event.kind === 'exact') break;
  await store.close();
}

async function reportVisits(context: SuiteContext, ways: Ways): Promise<void> {
  const visits = await Promise.all(
    // In a quick run each client and each transport once.
    Object.entries(connectors)
      .filter(([name]) => !context.quick || /2026.*stdio|2025.*HTTP/.test(name))
      .map(async ([name, connect]) => {
        const client = await connect(ways);
        const visit = await visitEverything(client);
        await client.close();
        return { name, ...visit };
      }),
  );
  for (const { name, asked, faults } of visits) {
    for (const fault of faults) context.note(`${name}: ${fault}`);
    context.figure({ name: `answers to a ${name}`, value: asked, unit: 'answers', goal: { atLeast: 40 } });
  }
  const faults = visits.reduce((sum, visit) => sum + visit.faults.length, 0);
  context.figure({ name: 'of these not whole', value: faults, unit: 'answers', goal: { exactly: 0 } });
}

/** On the same record as the counts before compact answers. */
async function reportTokens(context: SuiteContext, address: string): Promise<void> {
  const client = await connectors['client of 2026 over HTTP']?.({ address, program: [] });
  if (client === undefined) throw new Error('there is no such client');
  const { list, answers } = await countTokens(client);
  await client.close();
  context.figure({
    name: 'tool list, tokens of o200k_base',
    value: list,
    unit: 'tokens',
    goal: { atMost: tokensOfListMax },
  });
  for (const [name, tokens] of Object.entries(answers)) {
    context.note(`${name}: ${tokens} tokens, ${tokensBefore[name]} with full items in both halves`);
    context.figure({
      name: `answer of ${name}, share of the tokens with full items in both halves`,
      value: tokens / (tokensBefore[name] ?? 0),
      unit: 'share',
      goal: { atMost: tokenShareMax },
    });
  }
}

/** The suite judges by its exit code: failures must be in the baseline, and baseline entries must fail. */
async function reportConformance(context: SuiteContext, address: string, folder: string): Promise<void> {
  const program = join(context.root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const versions = context.quick ? ['2026-07-28'] : ['2026-07-28', '2025-11-25'];
  const judged = await Promise.all(
    versions.map(async (version) => {
      const baseline = baselineOf(version);
      const flags = ['--suite=all', `--spec-version=${version}`, `--expected-failures=${baseline}`];
      return { version, ...(await run([program, 'server', `--url=${address}`, ...flags], folder)) };
    }),
  );
  for (const { version, exitCode, output } of judged) {
    const passed = Number(/Total: (\d+) passed/.exec(output)?.[1]);
    if (exitCode !== 0) context.note(output.slice(-3_000));
    context.figure({ name: `conformance with ${version}, checks passed`, value: passed, unit: 'checks' });
    context.figure({
      name: `conformance with ${version}, beyond the baseline`,
      value: exitCode,
      unit: 'exit code',
      goal: { exactly: 0 },
    });
  }
  const entries = versions.flatMap(
    (version) => readFileSync(baselineOf(version), 'utf8').match(/^ {2}- /gm) ?? [],
  );
  context.figure({ name: 'in the baseline, with reasons', value: entries.length, unit: 'entries' });
}

function baselineOf(version: string): string {
  return fileURLToPath(new URL(`../mcp/conformance-${version}.yml`, import.meta.url));
}

function run(
  args: readonly string[],
  cwd: string,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd, maxBuffer: 1 << 26 }, (_error, output) =>
      resolve({ exitCode: child.exitCode ?? -1, output }),
    );
  });
}

const atOnce = 8;

async function reportHostileCalls(context: SuiteContext, port: number): Promise<void> {
  const total = context.quick ? 300 : 5_000;
  const calls = new HostileCalls(seededRandom(20));
  const faults: string[] = [];
  let left = total;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const question = calls.next();
      const fault = faultOf(await ask(port, question));
      if (fault !== null) faults.push(`${question.body?.slice(0, 300)}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  for (const fault of faults.slice(0, 5)) context.note(fault);
  context.figure({ name: 'hostile calls', value: total, unit: 'calls' });
  context.figure({
    name: 'of these with an undeclared answer',
    value: faults.length,
    unit: 'calls',
    goal: { exactly: 0 },
  });
}

const batchSize = 20;

async function reportHostileTitles(context: SuiteContext, stage: NewsStage, port: number): Promise<void> {
  const texts = hostileTexts(context.quick ? 20 : 300);
  const client = await connectors['client of 2026 over HTTP']?.({
    address: `http://127.0.0.1:${port}/mcp`,
    program: [],
  });
  if (client === undefined) throw new Error('there is no such client');
  const escapes: string[] = [];
  let read = 0;
  const look = async (name: string, given: Record<string, unknown>): Promise<void> => {
    const { content, structuredContent = {} } = await client.callTool({ name, arguments: given });
    const escape = escapeOf(content[0]?.text ?? '') ?? unmarkedOf(structuredContent);
    read += 1;
    if (escape !== null) escapes.push(`${name} ${JSON.stringify(given)}: ${escape}`);
  };
  for (let index = 0; index * batchSize < texts.length; index += 1) {
    const batch = texts.slice(index * batchSize, (index + 1) * batchSize);
    const { storyId, period } = await publishHostileBatch(stage.factory, batch, index);
    if (storyId !== null) await look('story', { id: storyId });
    await look('report', { kind: 'daily', period });
    // A page size that was not requested yet is not cached.
    await look('latest', { limit: batchSize + (index % 20) });
  }
  await client.close();
  for (const escape of escapes.slice(0, 5)) context.note(escape);
  context.figure({ name: 'hostile texts published', value: texts.length, unit: 'texts' });
  context.figure({ name: 'documents of them', value: read, unit: 'documents' });
  context.figure({
    name: 'documents with unmarked third-party text in either half',
    value: escapes.length,
    unit: 'documents',
    goal: { exactly: 0 },
  });
}
