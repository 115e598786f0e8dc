import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Id } from '../../../src/foundation/ids.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import { createRecordFactory, valueOf } from '../../factories/record-factory.ts';
import { expectProblem } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { baseUrl, startNewsApp } from '../../news-app.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let factory: ReturnType<typeof createRecordFactory>;
let lead: Id<'item'>;
let second: Id<'item'>;
let flash: Id<'item'>;
let storyId: Id<'story'>;

const editions = [
  { kind: 'daily', plural: 'dailies', label: 'date', periods: ['2026-11-13', '2026-11-15', '2026-11-14'] },
  { kind: 'weekly', plural: 'weeklies', label: 'week', periods: ['2026-W45', '2026-W46', '2020-W53'] },
  { kind: 'monthly', plural: 'monthlies', label: 'month', periods: ['2026-10', '2026-09', '2026-08'] },
] as const;
const newest = { daily: '2026-11-15', weekly: '2026-W46', monthly: '2026-10' } as const;

beforeAll(async () => {
  database = await createTestDatabase();
  factory = createRecordFactory({ database: database.database, clock });
  app = await startNewsApp({ database, clock });
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

const fresh = async (path: string): Promise<Record<string, unknown>> => {
  clock.advance({ seconds: 61 });
  const answer = await app.get(path);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json();
};

describe.each(editions)('before the first $kind edition', ({ plural, periods }) => {
  test('the index is empty', async () => {
    expect(await fresh(`/api/v1/${plural}`)).toEqual({ schemaVersion: 1, count: 0, reports: [] });
  });

  test('404 for the latest and for a valid label without an edition', async () => {
    expectProblem(await app.get(`/api/v1/${plural}/latest`), 404, 'not_found');
    expectProblem(await app.get(`/api/v1/${plural}/${periods[0]}`), 404, 'not_found');
  });
});

describe('with editions', () => {
  beforeAll(async () => {
    lead = await factory.publish({ title: 'Lead' });
    second = await factory.publish({ title: 'Second', sourceName: 'Other' });
    flash = await factory.publish({ title: 'Flash' });
    ({ storyId } = valueOf(await factory.publisher.openStory({ title: 'Story', itemIds: [lead] })));
    for (const { kind, periods } of editions) {
      for (const period of periods) {
        const contents = {
          headline: `Headline of ${period}`,
          overview: 'An overview.',
          headlineCites: [lead],
          overviewCites: [second],
          sections: [{ key: 'models', label: 'Models', itemIds: [second, lead] }],
          flashes: [flash],
        };
        valueOf(await factory.publisher.issueEdition({ kind, period, contents }));
      }
    }
  });

  describe.each(editions)('$kind', ({ kind, plural, label, periods }) => {
    test('the index lists editions newest first and applies limit', async () => {
      const { reports, count } = (await fresh(`/api/v1/${plural}`)) as {
        reports: Record<string, unknown>[];
        count: number;
      };
      expect(count).toBe(3);
      expect(reports.map((entry) => entry[label])).toEqual([...periods].sort().reverse());
      expect(reports[0]).toMatchObject({
        [label]: newest[kind],
        headline: `Headline of ${newest[kind]}`,
        generatedAt: expect.stringMatching(/Z$/),
        links: { report: `${baseUrl}/${kind}/${newest[kind]}` },
      });
      expect((await fresh(`/api/v1/${plural}?limit=1`))['reports']).toHaveLength(1);
    });

    test('the label in the index links to the edition, and latest is the newest', async () => {
      const { reports } = (await fresh(`/api/v1/${plural}?limit=1`)) as { reports: Record<string, string>[] };
      const dated = await fresh(`/api/v1/${plural}/${reports[0]?.[label]}`);
      expect(dated['report']).toMatchObject({ [label]: newest[kind], revision: 1 });
      expect(await fresh(`/api/v1/${plural}/latest`)).toEqual(dated);
    });

    test('400 for limits outside the bounds', async () => {
      const max = kind === 'daily' ? 180 : 60;
      for (const limit of ['0', String(max + 1), 'x', '-1', ''])
        expectProblem(await app.get(`/api/v1/${plural}?limit=${limit}`), 400, 'invalid_request');
      expect((await app.get(`/api/v1/${plural}?limit=${max}`)).status).toBe(200);
    });
  });

  test('a daily has sections, flashes and its window, and links.story for items with a story', async () => {
    const { report } = await fresh('/api/v1/dailies/2026-11-15');
    expect(report).toEqual({
      date: '2026-11-15',
      generatedAt: expect.any(String),
      revision: 1,
      windowStart: '2026-11-14T00:00:00.000Z',
      windowEnd: '2026-11-15T00:00:00.000Z',
      headline: 'Headline of 2026-11-15',
      overview: 'An overview.',
      language: 'en',
      links: { report: `${baseUrl}/daily/2026-11-15` },
      sections: [
        {
          key: 'models',
          label: 'Models',
          items: [
            expect.objectContaining({ id: second, title: 'Second', source: { name: 'Other' } }),
            {
              id: lead,
              title: 'Lead',
              language: null,
              summary: expect.any(String),
              source: { name: 'The Wire' },
              links: {
                item: `${baseUrl}/items/${lead}`,
                original: 'https://wire.example/model',
                story: `${baseUrl}/story/${storyId}`,
              },
              publishedAt: null,
            },
          ],
        },
      ],
      flashes: [
        {
          id: flash,
          title: 'Flash',
          language: null,
          source: { name: 'The Wire' },
          links: { item: `${baseUrl}/items/${flash}`, original: 'https://wire.example/model' },
          publishedAt: null,
        },
      ],
      unselectedCount: 0,
      editorsNotes: [],
      corrections: [],
    });
  });

  test('an edition that is filled up says so in JSON, Markdown and on the page in both languages', async () => {
    const contents = {
      headline: 'A quiet day',
      overview: 'Little happened.',
      headlineCites: [],
      overviewCites: [],
      sections: [{ key: 'models', label: 'Models', itemIds: [second, lead] }],
      flashes: [],
      filled: [second],
    };
    valueOf(await factory.publisher.issueEdition({ kind: 'daily', period: '2026-11-10', contents }));
    expect((await fresh('/api/v1/dailies/2026-11-10'))['report']).toMatchObject({ unselectedCount: 1 });
    const english = '1 of 2 entries were not selected';
    expect((await app.get('/agent/daily/2026-11-10.md')).text).toContain(english);
    expect((await app.get('/daily/2026-11-10')).text).toContain(english);
    expect((await app.get('/zh/daily/2026-11-10')).text).toContain('2 条中有 1 条未入选');
    expect((await app.get('/daily/2026-11-15')).text).not.toContain('not selected');
  });

  test.each([
    ['/api/v1/weeklies/2026-W46', { week: '2026-W46', periodStart: '2026-11-09', periodEnd: '2026-11-15' }],
    ['/api/v1/weeklies/2020-W53', { week: '2020-W53', periodStart: '2020-12-28', periodEnd: '2021-01-03' }],
    ['/api/v1/monthlies/2026-10', { month: '2026-10', periodStart: '2026-10-01', periodEnd: '2026-10-31' }],
  ])('%s names its first and last day', async (path, days) => {
    const { report } = await fresh(path);
    expect(report).toMatchObject(days);
    expect(report).not.toHaveProperty('flashes');
  });

  test.each([
    'dailies/2026-02-29',
    'dailies/2026-13-01',
    'dailies/2026-11-31',
    'dailies/2026-1-1',
    'dailies/0000-01-01',
    'dailies/today',
    'weeklies/2026-W54',
    'weeklies/2025-W53',
    'weeklies/2026-W00',
    'weeklies/2026-w46',
    'weeklies/2026-46',
    'monthlies/2026-13',
    'monthlies/2026-00',
    'monthlies/2026-1',
    'monthlies/2026-11-01',
  ])('400 for an impossible date: %s', async (path) => {
    expectProblem(await app.get(`/api/v1/${path}`), 400, 'invalid_request');
    expectProblem(await app.get(agentPath(path)), 400, 'invalid_request');
  });

  test.each(['dailies/2026-11-16', 'dailies/2024-02-29', 'weeklies/2026-W53', 'monthlies/2026-11'])(
    '404, never another edition, for a valid label without one: %s',
    async (path) => {
      expectProblem(await app.get(`/api/v1/${path}`), 404, 'not_found');
      expectProblem(await app.get(agentPath(path)), 404, 'not_found');
    },
  );

  test('a correction creates a new revision and is noted below the edition', async () => {
    const before = await app.get('/api/v1/dailies/2026-11-13');
    valueOf(
      await factory.publisher.correctEdition({
        kind: 'daily',
        period: '2026-11-13',
        note: 'A name was wrong.',
      }),
    );
    const { report } = await fresh('/api/v1/dailies/2026-11-13');
    expect(report).toMatchObject({ revision: 2, corrections: [{ note: 'A name was wrong.' }] });
    const stale = { 'if-none-match': before.headers.etag as string };
    expect((await app.get('/api/v1/dailies/2026-11-13', { headers: stale })).status).toBe(200);
  });

  test('a withdrawn citation is removed from every edition with a new revision, and so is the text written from it', async () => {
    valueOf(await factory.publisher.withdrawItem({ itemId: lead }));
    for (const path of ['dailies/2026-11-15', 'weeklies/2026-W46', 'monthlies/2026-10']) {
      const { report } = (await fresh(`/api/v1/${path}`)) as { report: Record<string, unknown> };
      expect(JSON.stringify(report)).not.toContain(lead);
      expect(report).toMatchObject({ revision: 2, sections: [{ items: [{ id: second }] }] });
      expect(report['headline']).not.toContain('Headline of');
    }
  });
});

function agentPath(path: string): string {
  const kinds: Record<string, string> = { dailies: 'daily', weeklies: 'weekly', monthlies: 'monthly' };
  const [plural = '', label] = path.split('/');
  return `/agent/${kinds[plural]}/${label}.md`;
}
