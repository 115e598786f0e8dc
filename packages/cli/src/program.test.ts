import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { TestServer } from '../../client/test/ledger-server.ts';
import { item, LedgerServer, serve } from '../../client/test/ledger-server.ts';
import { cliCommands, runDaybook } from './program.ts';
import { cellsOf } from './terminal-text.ts';

const notFound = { code: 'not_found', detail: 'There is no such thing', status: 404 };

let home: string;
let server: TestServer;
let ledger: LedgerServer;
let answers: Record<string, unknown>;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'daybook-cli-'));
  ledger = new LedgerServer();
  answers = {};
  server = await serve((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://x');
    if (pathname.includes('/selected/')) {
      ledger.handle(request, response);
      return;
    }
    const body = answers[`${pathname}${search}`] ?? answers[pathname] ?? notFound;
    const { status } = body as { status?: number };
    response.writeHead(status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly out: readonly string[];
  readonly said: string;
}

async function daybook(
  args: readonly string[],
  { columns = 80, isTerminal = false, isOffline = false, env = {}, nowMs = Date.now } = {},
): Promise<Ran> {
  const out: string[] = [];
  const said: string[] = [];
  const code = await runDaybook(args, {
    env: { DAYBOOK_URL: server.baseUrl, ...env },
    home,
    nowMs,
    print: (line) => out.push(...line.split('\n')),
    say: (line) => said.push(line),
    page: (lines) => out.push(...lines),
    openBrowser: () => Promise.resolve(false),
    screen: { columns, isTerminal },
    fetch: isOffline ? () => Promise.reject(new TypeError('offline')) : fetch,
  });
  return { code, out, said: said.join('\n') };
}

const news = [
  { ...item('1', '新的大模型发布，价格下降一半，开发者可以免费试用三个月'), source: { name: '机器之心' } },
  {
    ...item('2', 'A small planning model for laptops is open now, with a licence that allows commercial use'),
    source: { name: 'Model Gazette' },
  },
];

describe('--language', () => {
  it('requests stories and items in that language, without the mirror', async () => {
    answers['/api/v1/hot-topics?language=zh'] = { items: [] };
    answers['/api/v1/items?language=zh&limit=20'] = { items: news, page: { nextCursor: null } };
    expect((await daybook(['hot', '--language', 'zh', '--json'])).out).toEqual(['{"items":[]}']);
    expect((await daybook(['today', '--language', 'zh'])).out.join('')).toContain('新的大');
  });

  it.each([
    [['daily'], '/api/v1/dailies/latest?language=zh'],
    [['weekly', '2026-W46'], '/api/v1/weeklies/2026-W46?language=zh'],
    [['monthly', '2026-10'], '/api/v1/monthlies/2026-10?language=zh'],
  ])('requests the words of a report in that language: %j', async (words, path) => {
    answers[path] = { report: { headline: '标题', overview: '', sections: [], corrections: [] } };
    expect((await daybook([...words, '--language', 'zh'])).out.join('')).toContain('标题');
  });

  it('is refused for any other language', async () => {
    const { code, said } = await daybook(['hot', '--language', 'fr']);
    expect([code, said]).toEqual([2, '--language must be en or zh']);
  });
});

describe('today', () => {
  it.each([80, 40])('fits %i columns, with Chinese columns that line up', async (columns) => {
    answers['/api/v1/items'] = { items: news, page: { nextCursor: null } };
    const { out, code } = await daybook(['today'], { columns });
    expect([code, Math.max(...out.map(cellsOf)) <= columns]).toEqual([0, true]);
    expect(out.join('').replace(/\s/g, '')).toContain('开发者可以免费试用三个月'.slice(0, 4));
  });

  it('starts every title in the same cell', async () => {
    answers['/api/v1/items'] = { items: news, page: { nextCursor: null } };
    const { out } = await daybook(['today'], { columns: 100 });
    const starts = ['新的大', 'A small'].map((title) => {
      const line = out.find((one) => one.includes(title)) ?? '';
      return cellsOf(line.slice(0, line.indexOf(title)));
    });
    expect(starts[0]).toBe(starts[1]);
  });

  it('uses colours only at a terminal, and removes control sequences from titles', async () => {
    answers['/api/v1/items'] = {
      items: [{ ...news[1], title: 'red \u001b[31malert\u001b[2J\u0007 \u202eevil' }],
      page: { nextCursor: null },
    };
    const plain = (await daybook(['today'])).out.join('\n');
    const painted = (await daybook(['today'], { isTerminal: true })).out.join('\n');
    expect([plain.includes('\u001b'), painted.includes('\u001b[36m')]).toEqual([false, true]);
    const quiet = await daybook(['today'], { isTerminal: true, env: { NO_COLOR: '1' } });
    expect(quiet.out.join('\n')).toBe(plain);
    const obeyed = ['\u001b[31m', '\u001b[2J', '\u0007', '\u202e'];
    expect(obeyed.filter((code) => plain.includes(code) || painted.includes(code))).toEqual([]);
  });
});

describe('lists', () => {
  it.each([80, 40])('print the id and the link of every item at %i columns', async (columns) => {
    answers['/api/v1/items'] = { items: news, page: { nextCursor: null } };
    const { out } = await daybook(['today'], { columns });
    const lines = out.map((line) => line.trim());
    expect(lines).toEqual(expect.arrayContaining(['1', 'https://gazette.example/1']));
    expect(lines).toEqual(expect.arrayContaining(['2', 'https://gazette.example/2']));
  });

  it('pass filters to the server, with the source by name', async () => {
    answers['/api/v1/sources'] = { sources: [{ id: 's-1', name: 'Gazette' }], page: { nextCursor: null } };
    const page = { count: 1, hasMore: false, nextCursor: null };
    answers['/api/v1/items?category=paper&language=en&limit=5&mode=all&q=model&source=s-1'] = {
      items: news,
      page,
    };
    const filters = ['--category', 'paper', '--source', 'gazette', '--language', 'en', '--limit', '5'];
    expect(await daybook(['search', 'model', ...filters, '--json'])).toMatchObject({
      code: 0,
      out: [JSON.stringify({ items: news, page })],
    });
    expect(await daybook(['today', '--source', 'Gazete'])).toMatchObject({
      code: 3,
      said: 'no source is named Gazete; did you mean Gazette?',
    });
  });

  it('leave out items received before --since', async () => {
    const received = (id: string, hours: number) => ({
      ...item(id),
      discoveredAt: new Date(Date.now() - hours * 3_600_000).toISOString(),
    });
    const page = { count: 2, hasMore: true, nextCursor: 'next' };
    answers['/api/v1/items?limit=20&window=24h'] = { items: [received('1', 1), received('2', 5)], page };
    answers['/api/v1/items?limit=20&window=7d'] = { items: [received('1', 1), received('2', 30)], page };
    const ids = async (since: string) => {
      const body = JSON.parse((await daybook(['today', '--since', since, '--json'])).out[0] ?? '') as {
        items: { id: string }[];
      };
      return body.items.map(({ id }) => id);
    };
    expect(await ids('3h')).toEqual(['1']);
    expect(await ids('24h')).toEqual(['1', '2']);
    expect(await ids('2d')).toEqual(['1', '2']);
    const from = new Date(Date.now() - 30 * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
    answers[`/api/v1/archive/items?from=${from}&limit=20`] = {
      items: [received('1', 1), received('9', 31 * 24)],
      page,
    };
    expect(await ids('30d')).toEqual(['1']);
    expect((await daybook(['today', '--since', 'monday'])).code).toBe(2);
  });

  it('continue with the cursor of the previous page', async () => {
    answers['/api/v1/items?cursor=abc&limit=20'] = { items: news, page: { nextCursor: null } };
    expect((await daybook(['today', '--cursor', 'abc'])).code).toBe(0);
  });
});

describe('item', () => {
  it('shows an item by its id or address, and the command for its story', async () => {
    answers['/api/v1/items/1'] = {
      item: { ...news[1], links: { ...news[1]?.links, story: 'https://daybook.example/stories/s9' } },
    };
    const { out } = await daybook(['item', 'https://daybook.example/items/1']);
    expect(out.join('\n')).toContain('https://gazette.example/2\ndaybook story s9');
  });
});

describe('--version', () => {
  it('prints the version of the package', async () => {
    const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect((await daybook(['--version'])).out).toEqual([(JSON.parse(file) as { version: string }).version]);
  });
});

describe('an unknown command', () => {
  it.each([
    ['tody', 'unknown command: tody. Did you mean daybook today? See daybook --help'],
    ['mirorr', 'unknown command: mirorr. Did you mean daybook mirror? See daybook --help'],
    ['frobnicate', 'unknown command: frobnicate. See daybook --help'],
  ])('%s is named with the nearest known one', async (name, said) => {
    expect(await daybook([name])).toEqual({ code: 2, out: [], said });
  });
});

describe('errors with --json', () => {
  it('are the problem of the server', async () => {
    const problem = {
      code: 'invalid_request',
      detail: 'category is unknown.',
      status: 400,
      field: 'category',
    };
    answers['/api/v1/items'] = problem;
    expect(await daybook(['today', '--category', 'x', '--json'])).toEqual({
      code: 2,
      out: [JSON.stringify({ error: problem })],
      said: '',
    });
  });

  it.each([
    [['today', '--limit', '0', '--json'], 'invalid_usage', 2],
    [['tody', '--json'], 'invalid_usage', 2],
    [['story', 'x', '--json'], 'not_found', 3],
    [['mirror', 'verify', '--json'], 'not_found', 3],
    [['hot', '--url', 'nonsense', '--json'], 'invalid_usage', 2],
  ])('%j has the code %s', async (args, problemCode, code) => {
    const ran = await daybook(args);
    const { error } = JSON.parse(ran.out.join('')) as { error: unknown };
    expect([ran.code, ran.said, error]).toMatchObject([code, '', { code: problemCode }]);
  });
});

describe('exit codes', () => {
  it.each([
    [['nonsense'], 2],
    [['--help'], 0],
    [['today', '--limit', '0'], 2],
    [['today', '--nope'], 2],
    [['search'], 2],
    [['hot', '--category', 'paper'], 2],
    [['hot', 'words'], 2],
    [['whoami', '--nope'], 2],
    [['completion', 'csh'], 2],
    [['story', 'unknown'], 3],
    [['daily', '2026-01-01'], 3],
    [['mirror', 'verify'], 3],
    [['mirror', 'something'], 2],
  ])('daybook %j ends with %i', async (args, code) => {
    expect((await daybook(args)).code).toBe(code);
  });

  it('every command has help', async () => {
    for (const { name } of cliCommands) expect((await daybook([name, '--help'])).code).toBe(0);
  });
});

describe('a mirror', () => {
  beforeEach(async () => {
    for (const one of news) ledger.put(one);
    await daybook(['mirror']);
  });

  it('reports that it is exact', async () => {
    expect((await daybook(['mirror'])).out.at(-1)).toMatch(/^2 items in .*mirror\.db, exact\.$/);
  });

  it('serves today and search without a network, and prints its age', async () => {
    const today = await daybook(['today', '--json'], { isOffline: true });
    expect([today.code, today.said]).toEqual([0, 'From your mirror, confirmed by the server 0 minutes ago.']);
    expect((JSON.parse(today.out[0] ?? '') as { items: unknown[] }).items).toHaveLength(2);
    expect((await daybook(['search', '模型'], { isOffline: true })).out.join('')).toContain('新的大模型');
  });

  it('is verified, and a wrong byte is named with exit code 4', async () => {
    expect((await daybook(['mirror', 'verify'])).out[0]).toMatch(/^2 items, all intact/);
    const path = join(home, '.local/share/daybook/mirror.db');
    writeFileSync(
      path,
      readFileSync(path, 'latin1').replaceAll('small planning', 'small plan.ing'),
      'latin1',
    );
    expect(await daybook(['mirror', 'verify'])).toMatchObject({
      code: 4,
      said: 'these items are damaged:\n  2',
    });
  });

  it('is repaired, and refused for another server', async () => {
    const path = join(home, '.local/share/daybook/mirror.db');
    writeFileSync(path, readFileSync(path).subarray(0, 5000));
    expect(await daybook(['mirror', 'verify'])).toMatchObject({ code: 4 });
    expect(await daybook(['today'])).toMatchObject({ code: 4 });
    const repaired = await daybook(['mirror', 'repair']);
    expect([repaired.code, repaired.said]).toEqual([
      0,
      expect.stringContaining('mirror.db.damaged. Downloading a new copy'),
    ]);
    expect((await daybook(['mirror', 'verify', '--online'])).out[0]).toMatch(/up to date with the server\.$/);
    for (const words of [['mirror'], ['mirror', 'verify', '--online'], ['today'], ['mcp']]) {
      const elsewhere = await daybook([...words, '--url', 'http://127.0.0.1:9']);
      expect([words, elsewhere.code, elsewhere.said]).toEqual([
        words,
        2,
        expect.stringMatching(/belongs to/),
      ]);
    }
  });

  it('is left out with --online, and its age is part of the JSON', async () => {
    answers['/api/v1/items?limit=20'] = {
      items: [item('9', 'Only at the server')],
      page: { nextCursor: null },
    };
    expect((await daybook(['today', '--online'])).out.join('')).toContain('Only at the server');
    const today = JSON.parse((await daybook(['today', '--json'])).out[0] ?? '') as {
      readonly mirror: { readonly confirmedAt: string };
    };
    const later = { nowMs: () => Date.parse(today.mirror.confirmedAt) + 90_000 };
    const { mirror } = JSON.parse((await daybook(['today', '--json'], later)).out[0] ?? '') as {
      mirror: unknown;
    };
    expect(mirror).toEqual({ confirmedAt: expect.stringMatching(/Z$/), ageSeconds: 90 });
    const verified = (await daybook(['mirror', 'verify', '--json'], later)).out[0] ?? '';
    expect(JSON.parse(verified)).toMatchObject({ ok: true, ageSeconds: 90 });
  });

  it('filters by category, source, language and time', async () => {
    ledger.put({ ...item('3', '论文'), language: 'zh-CN', category: 'paper', source: { name: '机器之心' } });
    await daybook(['mirror']);
    const found = async (...flags: string[]) => {
      const ran = await daybook(['today', '--json', ...flags], { isOffline: true });
      const { items } = JSON.parse(ran.out[0] ?? '') as { items: { id: string }[] };
      return items.map(({ id }) => id);
    };
    expect(await found('--category', 'paper')).toEqual(['3']);
    expect(await found('--source', 'model gazette')).toEqual(['2']);
    expect(await found('--language', 'zh')).toEqual(['3']);
    expect(await found('--since', '2026-11-15')).toHaveLength(3);
    expect(await found('--since', '2026-11-15T00:00:01Z')).toEqual([]);
  });

  it('prints the changes', async () => {
    ledger.remove('1');
    ledger.put(item('3'));
    expect((await daybook(['mirror'])).out.slice(0, 2)).toEqual(['- 1', '+ 3']);
  });
});
