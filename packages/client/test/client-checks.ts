// Runs unchanged in every runtime and in a browser: uses only the installed packages and web APIs.
import type { ClientOptions, NewsClient } from '@daybook/client';
import { createClient } from '@daybook/client';
import type { MirrorStore } from '@daybook/client/mirror';
import { follow, memoryStore, verify } from '@daybook/client/mirror';

import { same, storeContract, thrownBy } from './store-contract.ts';

export interface CheckWorld {
  /** A server whose behaviour is selected by the first part of the path. */
  readonly checks: string;
  /** A Daybook. In a browser it is another origin. */
  readonly news: string;
}

export interface CheckReport {
  readonly passed: number;
  readonly failed: readonly string[];
}

/** A clock that advances only during waits. */
export class StandingClock {
  time = 1_000_000;
  readonly waits: number[] = [];
  readonly now = (): number => this.time;
  readonly wait = (milliseconds: number): Promise<void> => {
    this.waits.push(milliseconds);
    this.time += milliseconds;
    return Promise.resolve();
  };
}

class CheckStage {
  readonly run = crypto.randomUUID();
  readonly clock = new StandingClock();
  readonly #world: CheckWorld;

  constructor(world: CheckWorld) {
    this.#world = world;
  }

  client(behaviour: string, options: Partial<ClientOptions> = {}): NewsClient {
    const world = { now: this.clock.now, wait: this.clock.wait, random: () => 1, ...options.world };
    return createClient({ baseUrl: this.address(behaviour), ...options, world });
  }

  address(behaviour: string): string {
    return `${this.#world.checks}/${behaviour}/${this.run}`;
  }

  /** How many requests the server received. */
  async asked(behaviour: string): Promise<number> {
    const answer = await fetch(`${this.#world.checks}/count?of=${behaviour}/${this.run}`);
    return ((await answer.json()) as { readonly count: number }).count;
  }

  get news(): string {
    return this.#world.news;
  }
}

type Check = (stage: CheckStage) => Promise<void>;

/** `from` of a response, or the code of its problem. */
function outcome(answer: Awaited<ReturnType<NewsClient['listHotTopics']>>): string {
  return answer.ok ? answer.from : answer.problem.code;
}

async function idsOf(store: MirrorStore): Promise<readonly string[]> {
  const ids: string[] = [];
  await store.read(async ({ items }) => {
    for await (const { item } of items) ids.push(item.id);
  });
  return ids.sort();
}

const calls: Record<string, Check> = {
  'escapes parameters of the path and the query': async (stage) => {
    const seen = await Promise.all([
      stage.client('echo').listItems({ q: '模型 & b', limit: 3 }),
      stage.client('echo').getDaily({ date: '../x' }),
    ]);
    const urls = seen.map((one) => (one.ok ? (one.data as unknown as { readonly url: string }).url : ''));
    same(
      urls.map((url) => url.slice(url.indexOf('/api'))),
      ['/api/v1/items?limit=3&q=%E6%A8%A1%E5%9E%8B+%26+b', '/api/v1/dailies/..%2Fx'],
    );
  },
  'returns fields that it does not know': async (stage) => {
    const answer = await stage.client('echo').listHotTopics();
    same(answer.ok && (answer.data as unknown as { readonly unknown: unknown }).unknown, { kept: [1] });
  },
  'sends a user agent where the runtime allows it': async (stage) => {
    const answer = await stage.client('echo', { userAgent: 'checks (me@example.org)' }).listHotTopics();
    const agent = answer.ok ? (answer.data as unknown as { readonly userAgent: string }).userAgent : '';
    same(agent === 'checks (me@example.org)' || agent.startsWith('Mozilla/'), true);
  },
  'returns a problem with its code and all fields': async (stage) => {
    const answer = await stage.client('withdrawn').getItem({ id: 'x' });
    same(answer, { ok: false, status: 410, problem: { code: 'withdrawn', detail: 'gone', extra: 1 } });
  },
  'returns the response of an intermediary as a problem': async (stage) => {
    const answer = await stage.client('html').listHotTopics();
    same([answer.ok ? 0 : answer.status, outcome(answer)], [404, 'unreadable_answer']);
  },
  'returns Markdown as text': async (stage) => {
    const answer = await stage.client('markdown').getMarkdownLatest();
    same(answer.ok && answer.data, '# 模型');
  },
  'follows a redirect and returns the new address': async (stage) => {
    const answer = await stage.client('moved').getStory({ publicId: 'old' });
    same(answer.ok && answer.movedTo, `${stage.address('moved')}/api/v1/stories/new`);
  },
  'pages() reads a list to its end': async (stage) => {
    const ids: string[] = [];
    for await (const page of stage.client('pages').pages('listItems', { limit: 1 }))
      if (page.ok) ids.push(...page.data.items.map(({ id }) => id));
    same(ids, ['1', '2', '3']);
  },
  'pages() ends with the first refused page': async (stage) => {
    const seen: boolean[] = [];
    for await (const page of stage.client('pages-refused').pages('listItems')) seen.push(page.ok);
    same(seen, [true, false]);
  },
};

const politeness: Record<string, Check> = {
  'sends no second request before s-maxage has passed': async (stage) => {
    const client = stage.client('fresh');
    same([outcome(await client.listHotTopics()), outcome(await client.listHotTopics())], ['network', 'kept']);
    same(await stage.asked('fresh'), 1);
  },
  'sends a second request after s-maxage has passed': async (stage) => {
    const client = stage.client('fresh');
    await client.listHotTopics();
    stage.clock.time += 60_000;
    same([outcome(await client.listHotTopics()), await stage.asked('fresh')], ['network', 2]);
  },
  'freshUntil is the end of s-maxage': async (stage) => {
    const answer = await stage.client('fresh').listHotTopics();
    same(answer.ok && answer.freshUntil, 1_060_000);
  },
  'uses max-age without s-maxage': async (stage) => {
    const client = stage.client('max-age');
    await client.listHotTopics();
    same(outcome(await client.listHotTopics()), 'kept');
  },
  'requests a response without s-maxage and max-age each time': async (stage) => {
    const client = stage.client('echo');
    await client.listHotTopics();
    same([outcome(await client.listHotTopics()), await stage.asked('echo')], ['network', 2]);
  },
  'revalidates a cached response with its entity tag': async (stage) => {
    const client = stage.client('tagged');
    const first = await client.listHotTopics();
    stage.clock.time += 60_000;
    const second = await client.listHotTopics();
    same([outcome(second), second.ok && second.data], ['revalidated', first.ok && first.data]);
    same(outcome(await client.listHotTopics()), 'kept');
  },
  'sends one request for concurrent calls of one address': async (stage) => {
    const client = stage.client('fresh');
    await Promise.all(Array.from({ length: 20 }, () => client.listHotTopics()));
    same(await stage.asked('fresh'), 1);
  },
  'requests other addresses meanwhile': async (stage) => {
    const client = stage.client('slow');
    const [hot, items] = await Promise.all([client.listHotTopics(), client.listItems()]);
    same([outcome(hot), items.ok, await stage.asked('slow')], ['network', true, 2]);
  },
};

/** Refuses once, and the client waits for the requested time and a fifth. */
async function honoursRetryAfter(stage: CheckStage, behaviour: string): Promise<void> {
  same(outcome(await stage.client(behaviour).listHotTopics()), 'network');
  same([stage.clock.waits, await stage.asked(behaviour)], [[8400], 2]);
}

const patience: Record<string, Check> = {
  'waits slightly longer than Retry-After after 429': (stage) => honoursRetryAfter(stage, 'limited'),
  'waits slightly longer than Retry-After after 503': (stage) => honoursRetryAfter(stage, 'shedding'),
  'all calls of a client wait together': async (stage) => {
    const waits: number[] = [];
    let other: Promise<unknown> | undefined;
    const { promise: otherWaits, resolve } = Promise.withResolvers<void>();
    const wait = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      if (waits.length > 1) resolve();
      other ??= client.listItems().then(() => resolve());
      await otherWaits;
      stage.clock.time += milliseconds;
    };
    const client = stage.client('limited', { world: { wait } });
    await client.listHotTopics();
    await other;
    same(waits, [8400, 8400]);
  },
  'returns a problem at once if Retry-After exceeds its limit': async (stage) => {
    const answer = await stage.client('closed').listHotTopics();
    same([outcome(answer), stage.clock.waits], ['closed', []]);
  },
  'stops after the configured number of retries': async (stage) => {
    const answer = await stage.client('failing', { patience: { retriesMax: 1 } }).listHotTopics();
    same([outcome(answer), await stage.asked('failing')], ['broken', 2]);
  },
  'retries a failing server with growing pauses': async (stage) => {
    same(outcome(await stage.client('failing').listHotTopics()), 'network');
    same(stage.clock.waits, [750, 1500]);
  },
  'retries a truncated response': async (stage) => {
    same(outcome(await stage.client('cut').listHotTopics()), 'network');
    same(await stage.asked('cut'), 2);
  },
  'retries after a broken connection': async (stage) => {
    same(outcome(await stage.client('broken').listHotTopics()), 'network');
    same(await stage.asked('broken'), 3);
  },
  'returns a problem with status 0 for an unreachable server': async (stage) => {
    const client = stage.client('', { baseUrl: 'http://127.0.0.1:9', patience: { retriesMax: 0 } });
    const answer = await client.listHotTopics();
    same([outcome(answer), answer.ok ? 1 : answer.status], ['unreachable', 0]);
  },
  'rejects an aborted call before it sends a request': async (stage) => {
    await thrownBy(() => stage.client('echo').listHotTopics({}, { signal: AbortSignal.abort() }));
    same(await stage.asked('echo'), 0);
  },
  'rejects an aborted call while the server does not answer': async (stage) => {
    const signal = AbortSignal.timeout(100);
    await thrownBy(() => stage.client('silent').listHotTopics({}, { signal }));
    same(signal.aborted, true);
  },
  'rejects an aborted call while it waits': async (stage) => {
    const client = createClient({ baseUrl: stage.address('limited') });
    const signal = AbortSignal.timeout(200);
    await thrownBy(() => client.listHotTopics({}, { signal }));
    same(await stage.asked('limited'), 1);
  },
};

/** The store contract, for the store that exists in every runtime. */
const mirror: Record<string, Check> = Object.fromEntries(
  Object.entries(storeContract).map(([name, check]) => [
    `a mirror ${name}`,
    (stage: CheckStage) => check({ ledger: stage.address('ledger'), open: memoryStore, reopens: false }),
  ]),
);

const server: Record<string, Check> = {
  'has a function for each operation of the API description': async ({ news }) => {
    const description = (await (await fetch(`${news}/openapi-v1.json`)).json()) as {
      readonly paths: Record<string, Record<string, { readonly operationId?: string }>>;
    };
    const names = Object.values(description.paths)
      .flatMap(({ get }) => get?.operationId ?? [])
      .map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    const client = createClient({ baseUrl: news }) as unknown as Record<string, unknown>;
    same([names.length > 40, names.filter((name) => typeof client[name] !== 'function')], [true, []]);
  },
  'revalidates with the entity tag of Daybook, from another origin too': async ({ news }) => {
    const clock = new StandingClock();
    const client = createClient({ baseUrl: news, world: clock });
    const first = await client.listItems({ q: '模型' });
    clock.time += 3_600_000;
    const second = await client.listItems({ q: '模型' });
    same([first.ok && first.data.items.length > 0, second.ok && second.from], [true, 'revalidated']);
  },
  'returns problems of Daybook with their codes': async ({ news }) => {
    const answer = await createClient({ baseUrl: news }).getDaily({ date: '2019-01-01' });
    same([answer.ok ? 200 : answer.status, answer.ok ? '' : answer.problem.code], [404, 'not_found']);
  },
  'mirrors exactly the items of the list': async ({ news }) => {
    const client = createClient({ baseUrl: news });
    const store = memoryStore();
    for await (const event of follow({ client, store, once: true })) same(event.kind === 'restart', false);
    const listed: string[] = [];
    for await (const page of client.pages('listItems', { mode: 'selected', limit: 10 }))
      if (page.ok) listed.push(...page.data.items.map(({ id }) => id));
    same([(await verify(store)).ok, await idsOf(store)], [true, listed.sort()]);
  },
};

/** All of them, one after the other. */
export function runChecks(world: CheckWorld): Promise<CheckReport> {
  const all = Object.entries({ ...calls, ...politeness, ...patience, ...mirror, ...server });
  return report(all.map(([name, check]) => [name, () => check(new CheckStage(world))]));
}

/** The store contract, for a store that persists its data under a name. */
export function checkStore(
  { checks }: CheckWorld,
  open: (name: string) => MirrorStore,
): Promise<CheckReport> {
  return report(
    Object.entries(storeContract).map(([name, check]) => {
      const run = crypto.randomUUID();
      const ledger = `${checks}/ledger/${run}`;
      return [name, () => check({ ledger, open: () => open(run), reopens: true })];
    }),
  );
}

async function report(checks: readonly (readonly [string, () => Promise<void>])[]): Promise<CheckReport> {
  const failed: string[] = [];
  for (const [name, check] of checks) {
    try {
      await check();
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { passed: checks.length - failed.length, failed };
}
