import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { parseIsoInstant } from '../src/foundation/instant.ts';
import type { ItemFacts } from '../src/record/items/item-body.ts';
import { itemDigest, setVersion } from '../src/record/items/item-digest.ts';
import type { TestAccess } from './access.ts';
import { startTestAccess } from './access.ts';
import { createTestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { createRecordFactory, valueOf } from './factories/record-factory.ts';
import type { Sample } from './markdown-samples.ts';
import { readSamples } from './markdown-samples.ts';
import { startNewsApp } from './news-app.ts';
import { startTestStorage } from './storage.ts';

const run = promisify(execFile);
const guides = new URL('../../../docs/guides/', import.meta.url);

interface GuideSample extends Sample {
  readonly guide: string;
}

async function readGuides(): Promise<readonly GuideSample[]> {
  const names = await readdir(guides);
  const samples = names.sort().map(async (guide) => {
    const found = await readSamples(new URL(guide, guides));
    return found.map((sample) => ({ guide, ...sample }));
  });
  return (await Promise.all(samples)).flat();
}

const samples = await readGuides();
const only = (guide: string, language: string): string => {
  const [sample, second] = samples.filter((one) => one.guide === guide && one.language === language);
  if (sample === undefined || second !== undefined)
    throw new Error(`${guide} has not one sample in ${language}`);
  return sample.text;
};

interface Vector {
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly originalTitle: string | null;
    readonly summary: string;
    readonly source: { readonly name: string };
    readonly links: { readonly original: string };
    readonly publishedAt: string | null;
    readonly discoveredAt: string;
    readonly category: string;
  }[];
  readonly set: object;
}

describe('the program that mirrors', () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daybook-guide-'));
    program = join(folder, 'mirror.mjs');
    await writeFile(program, only('news-api.md', 'js'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('makes a copy that passes its check, also after changes and withdrawals', async () => {
    const clock = createTestClock('2026-11-15T12:00:00.000Z');
    const database = await createTestDatabase();
    const factory = createRecordFactory({ database: database.database, clock });
    const withdrawn = await factory.publishSelected();
    for (const title of ['One', '二："模型"', 'Three\nlines']) await factory.publishSelected({ title });
    valueOf(await factory.publisher.withdrawItem({ itemId: withdrawn }));
    const app = await startNewsApp({ database, clock });
    try {
      const env = { ...process.env, DAYBOOK_URL: `http://127.0.0.1:${app.port}` };
      expect((await run(process.execPath, [program], { env })).stdout).toBe('3 items, exact\n');
    } finally {
      await app.stop();
      await database.drop();
    }
  });

  test('and the server agree with the test vector', async () => {
    const { items, set } = JSON.parse(only('news-api.md', 'json')) as Vector;
    const { setOf } = (await import(program)) as { setOf: (items: Vector['items']) => object };
    expect(setOf(items)).toEqual(set);
    const instant = (text: string): ItemFacts['discoveredAt'] => {
      const parsed = parseIsoInstant(text);
      if (!parsed.ok) throw new Error(text);
      return parsed.value;
    };
    const sum = items.reduce((total, item) => {
      const digest = itemDigest({
        ...item,
        sourceName: item.source.name,
        originalUrl: item.links.original,
        publishedAt: item.publishedAt === null ? null : instant(item.publishedAt),
        discoveredAt: instant(item.discoveredAt),
      } as unknown as ItemFacts);
      return total + BigInt(`0x${digest.toString('hex')}`);
    }, 0n);
    const hash = BigInt.asUintN(256, sum).toString(16).padStart(64, '0');
    expect({ version: setVersion, size: items.length, hash }).toEqual(set);
  });
});

describe('commands of the guides', () => {
  let stage: TestAccess;
  beforeAll(async () => {
    stage = await startTestAccess();
  });
  afterAll(() => stage.stop());

  test('each command works as the guide says', async () => {
    const { owner, key, id } = await stage.createOrganization();
    const reading = JSON.parse(only('platform-api.md', 'json')) as { resources: string[] };
    const policy = {
      ...reading,
      platform_key: key,
      resources: reading.resources.map((resource) => resource.replace('acme', key)),
    };
    expect((await stage.send('POST', '/dm/api/core/rbac/policies/', owner.headers, policy)).status).toBe(201);
    const { refresh_token } = await stage.signIn(owner);
    // The placeholders of the guides and their values.
    const own: readonly (readonly [string, string])[] = [
      ['https://daybook.example', `http://127.0.0.1:${stage.app.port}`],
      ['you@example.org', owner.email],
      ['"password":"…"', `"password":"${owner.password}"`],
      ['9f2c…', refresh_token],
      ['"organizations":["…"]', `"organizations":["${id}"]`],
      ['"username": "ann"', `"username": "${owner.username}"`],
      ['"platform_key": "acme"', `"platform_key": "${key}"`],
    ];
    const ACCESS_TOKEN = (owner.headers['authorization'] ?? '').replace('Bearer ', '');
    // login-command.test.ts runs the commands of `daybook` itself; this server has no news.
    const shell = samples.filter(
      ({ guide, language, text }) =>
        /^(?:sh|bash)$/.test(language) &&
        !/^daybook /m.test(text) &&
        !['news-api.md', 'storage-api.md'].includes(guide),
    );
    const fields: string[] = [];
    for (const { guide, text } of shell) {
      const command = own.reduce((line, [theirs, ours]) => line.replaceAll(theirs, ours), text);
      expect([guide, command]).toEqual([guide, expect.not.stringContaining('…')]);
      const env = { ...process.env, ACCESS_TOKEN };
      const { stdout } = await run('bash', ['-euc', command.replaceAll('curl -s', 'curl -sS')], { env });
      const answer = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
      expect([guide, command, answer['code']]).toEqual([guide, command, undefined]);
      fields.push(`${guide}: ${Object.keys(answer).slice(0, 2).join(', ')}`);
    }
    expect(fields).toEqual([
      'accounts-api.md: access_token, refresh_token',
      'accounts-api.md: access_token, refresh_token',
      'accounts-api.md: id, name',
      'platform-api.md: username, name',
    ]);
  });
});

test('the requests of the storage guide succeed one after the other', async () => {
  const stage = await startTestStorage();
  const folder = await mkdtemp(join(tmpdir(), 'daybook-guide-'));
  try {
    const { id: PROJECT } = await stage.newProject();
    const { id: FOLDER } = await stage.newFolder(PROJECT, '2025');
    const { id: FILE } = await stage.newFile(PROJECT, 'draft.txt', 'one');
    for (const bytes of ['two', 'three']) await stage.newFile(PROJECT, 'draft.txt', bytes, 'ifTaken=version');
    const { id: DELETED } = await stage.newFile(PROJECT, 'old.txt', 'old');
    await stage.send('DELETE', `/api/v1/files/${DELETED}`, stage.owner);
    await writeFile(join(folder, 'plan.pdf'), 'a plan');
    const reserved = { projectId: PROJECT, name: 'another.pdf', size: 6 };
    const upload = await stage.send('POST', '/api/v1/uploads', stage.owner, reserved);
    const key = await stage.send('POST', '/api/v1/api-keys', stage.owner, { name: 'guide' });
    const { username: MEMBER } = await stage.acme.addMember('guest');
    const given = { member: MEMBER, level: 'read' };
    const share = await stage.send('POST', `/api/v1/files/${FILE}/shares`, stage.owner, given);
    const link = (await stage.send('POST', `/api/v1/files/${FILE}/links`, stage.owner, {})).json();
    const env = {
      ...process.env,
      PROJECT,
      FOLDER,
      FILE,
      DELETED,
      UPLOAD: String(upload.json()['id']),
      MEMBER,
      SHARE: String(share.json()['id']),
      LINK: String(link['id']),
      SECRET: /\/shared\/(\w+)\//.exec(String(link['url']))?.[1] ?? '',
      KEY: String(key.json()['key']),
      URL: `http://127.0.0.1:${stage.app.port}/api/v1`,
    };
    const shell = samples.filter(
      ({ guide, language, text }) =>
        // Parts need a reachable bucket: the S3 tests run their sample where one exists.
        guide === 'storage-api.md' && language === 'sh' && !text.includes('/parts'),
    );
    expect(shell).toHaveLength(10);
    for (const { text } of shell) {
      const command = text.replaceAll(/^curl /gm, 'curl -sS --fail-with-body ');
      await run('bash', ['-euc', command], { env, cwd: folder });
    }
    // Saved under the name in the response.
    expect(await readdir(folder)).toContain('draft.txt');
  } finally {
    await rm(folder, { recursive: true });
    await stage.stop();
  }
});
