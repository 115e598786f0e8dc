import { brotliCompressSync } from 'node:zlib';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Page, PageElement } from '../../../src/ingest/parse/html-page.ts';
import { openPage } from '../../../src/ingest/parse/html-page.ts';
import type { DescribedApi } from '../../../src/site/index.ts';
import type { ApiDocument, Operation, Schema } from '../../../src/site/public/reference/api-document.ts';
import { readApiDocument } from '../../../src/site/public/reference/api-document.ts';
import { exampleOf } from '../../../src/site/public/reference/example-value.ts';
import { accessibilityFaults, launchBrowser, looks, noBrowser } from '../../browser.ts';
import { createTestClock } from '../../clock.ts';
import type { TestDatabase } from '../../database.ts';
import { createTestDatabase } from '../../database.ts';
import type { Answer } from '../../http-client.ts';
import type { NewsApp } from '../../news-app.ts';
import { startNewsApp } from '../../news-app.ts';
import { unusedAccounts } from '../../openapi-description.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let database: TestDatabase;
let app: NewsApp;
let newsOnly: NewsApp;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startNewsApp({ database, clock, accounts: await unusedAccounts() });
  newsOnly = await startNewsApp({ database, clock, storyLayer: false });
});
afterAll(async () => {
  await app.stop();
  await newsOnly.stop();
  await database.drop();
});

const apis: readonly Pick<DescribedApi, 'name' | 'path'>[] = [
  { name: 'news', path: '/openapi-v1.json' },
  { name: 'accounts', path: '/openapi-accounts.json' },
  { name: 'platform', path: '/openapi-platform.json' },
  { name: 'storage', path: '/openapi-storage.json' },
];

async function documentOf(api: Pick<DescribedApi, 'name' | 'path'>, from = app): Promise<ApiDocument> {
  const description = JSON.parse((await from.get(api.path)).text) as Record<string, unknown>;
  return readApiDocument({ ...api, describe: () => description });
}

async function pageOf(path: string, from = app): Promise<Page> {
  const { status, text } = await from.get(path);
  expect([path, status]).toEqual([path, 200]);
  return openPage(text);
}

/** Every parameter, header and field of an operation's description, except errors. */
function namesIn({ parameters, body, responses }: Operation, { schemas }: ApiDocument): readonly string[] {
  const fields = (schema: Schema): readonly string[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [name, ...fields(inner)]),
    ...[schema.items ?? {}, ...(schema.anyOf ?? [])].flatMap((inner) =>
      Object.keys(inner).length === 0 ? [] : fields(inner),
    ),
    ...(schema.$ref === undefined ? [] : fields(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})),
  ];
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return [
    ...parameters.map(({ name }) => name),
    ...(body === null ? [] : fields(body.schema)),
    ...answers.flatMap(([, { headers = {}, content = {} }]) => [
      ...Object.keys(headers),
      ...Object.values(content).flatMap(({ schema }) => fields(schema)),
    ]),
  ];
}

const textOf = (element: PageElement | null | undefined): string => element?.textContent ?? '';

describe.each(apis)('the page of the $name API', (api) => {
  test('has every operation of the served description under its id, below its tag', async () => {
    const [document, page] = [await documentOf(api), await pageOf(`/docs/${api.name}`)];
    for (const tag of document.tags) {
      const section = page.querySelector(`#tag-${tag.name}`);
      expect(textOf(section?.querySelector('h2'))).toBe(tag.name);
      for (const operation of tag.operations) {
        const part = section?.querySelector(`#${operation.operationId}`);
        expect(textOf(part?.querySelector('h3')).replaceAll(/\s+/g, ' ').trim()).toBe(
          `${operation.method} ${operation.path}`,
        );
        expect(textOf(part?.querySelector('.summary'))).toBe(operation.summary.replaceAll('`', ''));
        const statuses = [...(part?.querySelectorAll('.status') ?? [])].map(textOf);
        expect(statuses).toEqual(Object.keys(operation.responses));
        const fields = [...(part?.querySelectorAll('.field-name') ?? [])].map(textOf);
        expect(new Set(fields)).toEqual(new Set(namesIn(operation, document)));
        expect(textOf(part?.querySelector(`#curl-${operation.operationId}`))).toMatch(/^curl /);
      }
    }
  });

  test('has no duplicate id and stays below 100 KB compressed', async () => {
    const { text } = await app.get(`/docs/${api.name}`);
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(brotliCompressSync(text).byteLength).toBeLessThan(100_000);
  });

  test('shows examples that fit the declared schemas', async () => {
    const document = await documentOf(api);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'api', components: { schemas: document.schemas } });
    for (const { operationId, body, responses } of document.tags.flatMap(({ operations }) => operations)) {
      const answers = Object.values(responses).flatMap(({ content = {} }) => Object.entries(content));
      const shown = answers.filter(([type]) => type.includes('json')).map(([, media]) => media);
      for (const { schema, example } of [...shown, ...(body === null ? [] : [body])]) {
        const pointed = JSON.parse(
          JSON.stringify(schema).replaceAll('"#/components', '"api#/components'),
        ) as object;
        const isValid = ajv.validate(pointed, example ?? exampleOf(schema, document));
        expect([operationId, isValid, ajv.errors]).toEqual([operationId, true, null]);
      }
    }
  });
});

test('every link of the reference and the guides leads to an existing page and anchor', async () => {
  const start = ['/docs', ...apis.map(({ name }) => `/docs/${name}`)];
  const overview = await pageOf('/docs');
  const guides = [...overview.querySelectorAll('.guides a')].map((link) => link.getAttribute('href') ?? '');
  expect(guides).toEqual(
    expect.arrayContaining([
      '/docs/guides/news-api',
      '/docs/guides/accounts-api',
      '/docs/guides/configuration',
    ]),
  );
  const answers = new Map<string, Answer>();
  const answerOf = async (path: string): Promise<Answer> => {
    const answer = answers.get(path) ?? (await app.get(path));
    answers.set(path, answer);
    return answer;
  };
  for (const path of [...start, ...guides].flatMap((one) => [one, `/zh${one}`])) {
    const [, main = ''] = (await answerOf(path)).text.split('<main');
    const links = [...main.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(0);
    for (const link of new Set(links)) {
      const { host, pathname, hash } = new URL(link, `https://here.example${path}`);
      if (host !== 'here.example') continue;
      const { status, text } = await answerOf(pathname);
      const isThere = hash === '' || text.includes(` id="${decodeURIComponent(hash.slice(1))}"`);
      expect([path, link, status, isThere]).toEqual([path, link, 200, true]);
    }
  }
});

test('the page about the API links to how the hash of the mirror is computed', async () => {
  const link = [...(await pageOf('/api')).querySelectorAll('main a')].find((one) =>
    textOf(one).startsWith('How to compute'),
  );
  expect(link?.getAttribute('href')).toBe('/docs/news#tag-mirror');
  expect((await pageOf('/docs/news')).querySelector('#tag-mirror')).not.toBeNull();
});

describe('without accounts and stories', () => {
  test('only the news API is listed, and the others have no page', async () => {
    const overview = await pageOf('/docs', newsOnly);
    expect([...overview.querySelectorAll('.apis h2')].map(textOf)).toEqual(['Daybook news API']);
    for (const path of ['/docs/accounts', '/docs/platform', '/docs/storage'])
      expect([path, (await newsOnly.get(path)).status]).toEqual([path, 404]);
  });

  test('the page has exactly the operations of the served description', async () => {
    const [news] = apis;
    const document = await documentOf(news as DescribedApi, newsOnly);
    const page = await pageOf('/docs/news', newsOnly);
    const declared = document.tags.flatMap(({ operations }) => operations.map((one) => one.operationId));
    expect([...page.querySelectorAll('.operation')].map((one) => one.getAttribute('id'))).toEqual(declared);
    expect(declared).not.toContain('getStory');
  });

  test('guides link only to served pages', async () => {
    const page = await pageOf('/docs/guides/platform-api', newsOnly);
    expect([...page.querySelectorAll('.guide a')].map((link) => link.getAttribute('href'))).not.toContain(
      '/openapi-platform.json',
    );
  });
});

test('a guide that does not exist is 404', async () => {
  for (const name of ['none', '..%2F..%2FREADME', 'news-api.md'])
    expect([name, (await app.get(`/docs/guides/${name}`)).status]).toEqual([name, 404]);
});

describe.skipIf(noBrowser !== null)('in a browser', () => {
  test.each(['phone-light', 'desktop-dark'] as const)(
    'axe finds no violation: %s',
    { timeout: 120_000 },
    async (look) => {
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage(looks[look]);
        for (const path of ['/docs', '/docs/accounts', '/docs/guides/configuration']) {
          await page.goto(`http://127.0.0.1:${app.port}${path}`);
          expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
        }
      } finally {
        await browser.close();
      }
    },
  );
});
