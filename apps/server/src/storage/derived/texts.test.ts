import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestMember } from '../../../test/access.ts';
import { docxOf, odtOf, pdfOf, pptxOf, xlsxOf } from '../../../test/document-files.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import { noSandbox } from '../../../test/no-sandbox.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { inspectDueBlobs } from '../inspection/inspect-blobs.ts';
import { emptyTrash } from '../trash/empty-trash.ts';
import { verifyStorage } from '../verify-storage.ts';
import { countUnreadContents } from './derivation-store.ts';
import { deriveDueContents, queueEarlierContents } from './derive-contents.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
let made = 0;
const newFile = async (
  bytes: Buffer | string,
  name = `file ${(made += 1)}.txt`,
  query = '',
): Promise<string> => (await stage.newFile(project, name, bytes, query)).id;
const deriveAll = async (): Promise<void> => {
  await stage.inspectAll();
  await stage.deriveAll();
};
const textOf = async (id: string, headers = stage.owner): Promise<Record<string, unknown>> =>
  (await send('GET', `/api/v1/files/${id}/text`, headers)).json();
const search = (q: string, headers = stage.owner, rest = ''): Promise<Answer> =>
  send('GET', `/api/v1/search?organization=${stage.acme.key}&q=${encodeURIComponent(q)}${rest}`, headers);
const found = async (q: string, headers = stage.owner, rest = ''): Promise<readonly string[]> => {
  const { data } = (await search(q, headers, rest)).json() as unknown as { readonly data: { id: string }[] };
  return data.map(({ id }) => id);
};
const usedBytes = async (): Promise<number> =>
  Number((await send('GET', '/api/v1/usage', stage.owner)).json()['usedBytes']);
const derivedRows = async (): Promise<unknown> =>
  (
    await stage.database.asSuperuser('SELECT count(*)::int AS rows FROM storage.derived WHERE bytes > 0')
  )[0]?.['rows'];
const shareWith = async (path: string, { username }: TestMember): Promise<Answer> => {
  const answer = await send('POST', `/api/v1/${path}/shares`, stage.owner, {
    member: username,
    level: 'read',
  });
  stage.age();
  return answer;
};

type Documents = Readonly<Record<string, readonly [Buffer | string, string]>>;
/** The texts of new files with these contents, and as expected. */
const textsOf = async (documents: Documents) => {
  const ids = new Map<string, string>();
  for (const [name, [bytes]] of Object.entries(documents)) ids.set(name, await newFile(bytes, name));
  await deriveAll();
  const read: Record<string, unknown> = {};
  for (const [name, id] of ids) read[name] = await textOf(id);
  const expected = Object.entries(documents).map(([name, [, text]]) => [
    name,
    { state: 'ready', text, truncated: false },
  ]);
  return { read, expected: Object.fromEntries(expected) as unknown };
};

describe('the text of a file', () => {
  test('is read from plain text in five encodings, and is pending until then', async () => {
    const waiting = await newFile('not read yet');
    expect(await textOf(waiting)).toEqual({ state: 'pending', text: null, truncated: false });
    const { read, expected } = await textsOf({
      'a.txt': ['plain 文本\r\nsecond line  \n\n\n\nend', 'plain 文本\nsecond line\n\nend'],
      'b.md': ['# Title\n\n- **item**', '# Title\n\n- **item**'],
      'wide.txt': [
        Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('wide text', 'utf16le')]),
        'wide text',
      ],
      'chinese.txt': [Buffer.from('d6d0cec4cec4b1be', 'hex'), '中文文本'],
      'latin.txt': [Buffer.from('caf\u00e9 cr\u00e8me', 'latin1'), 'café crème'],
    });
    expect(read).toEqual(expected);
  });

  test.skipIf(noSandbox !== null)('is read from HTML, PDF, Office and OpenDocument', async () => {
    const { read, expected } = await textsOf({
      'page.html': [
        '<!doctype html><title>Page</title><script>let hidden;</script><p>One &amp; two<p>Three<style>p{}</style>',
        'Page\n\nOne & two\n\nThree',
      ],
      'a.docx': [docxOf('First <paragraph>', '第二段'), 'First <paragraph>\n第二段'],
      'a.xlsx': [xlsxOf('shared', 42, 'own'), 'shared\t42\town'],
      'a.pptx': [pptxOf('slide one', 'slide two'), 'slide one\n\nslide two'],
      'a.odt': [odtOf('open one', 'open two'), 'open one\nopen two'],
      'a.pdf': [pdfOf('first page', 'second page'), 'first page\n\n\fsecond page'],
    });
    expect(read).toEqual(expected);
  });

  test('is none for other and empty content, at most one megabyte, and reading it takes linear time', async () => {
    const none = [
      await newFile(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), 'picture.png'),
      await newFile('', 'empty.txt'),
    ];
    const long = await newFile(`${'😀 long line\n'.repeat(100_000)}the end`, 'long.txt');
    // Sorting all these marks would take minutes.
    const marked = await newFile(`a${'\u0301\u0316'.repeat(100_000)}b`, 'marked.txt');
    await deriveAll();
    for (const id of none) expect((await textOf(id))['state']).toBe('none');
    expect(Array.from(String((await textOf(marked))['text']))).toHaveLength(1 + 30 + 1 - 1);
    const { text, truncated } = await textOf(long);
    expect([
      truncated,
      Buffer.byteLength(String(text)) <= 1_000_000,
      String(text).endsWith('\ufffd'),
    ]).toEqual([true, true, false]);
  });

  test.skipIf(noSandbox !== null)('is none for damaged documents, after a second try', async () => {
    const damaged = [
      await newFile(pdfOf('damaged').subarray(0, 40), 'damaged.pdf'),
      await newFile(docxOf('damaged').subarray(0, 200), 'damaged.docx'),
    ];
    await deriveAll();
    for (const id of damaged) expect((await textOf(id))['state']).toBe('pending');
    await stage.database.asSuperuser("UPDATE storage.derived SET due_at = '2000-01-01' WHERE tries > 0");
    await stage.deriveAll();
    for (const id of damaged) expect((await textOf(id))['state']).toBe('none');
  });

  test('of a document waits on a machine without a sandbox, and others do not wait for it', async () => {
    const page = await newFile('<p>waits', 'waiting.html');
    const plain = await newFile('does not wait');
    await stage.inspectAll();
    await deriveDueContents(
      { ...stage.upkeep, whyNoSandbox: async () => 'not here' },
      {
        signal: new AbortController().signal,
        transaction: (work) => stage.access.database.transaction().execute(work),
      },
    );
    expect([(await textOf(page))['state'], (await textOf(plain))['state']]).toEqual(['pending', 'ready']);
    expect(await countUnreadContents(stage.access.database)).toBe(1);
    await stage.database.asSuperuser('UPDATE storage.derived SET due_at = NULL WHERE due_at IS NOT NULL');
  });

  test('is not served to others than readers of the file', async () => {
    const id = await newFile('only for readers');
    await deriveAll();
    const guest = await stage.acme.addMember('guest');
    for (const headers of [stage.stranger, guest.headers])
      expectProblem(await send('GET', `/api/v1/files/${id}/text`, headers), 404, 'not_found');
    await shareWith(`files/${id}`, guest);
    expect((await textOf(id, guest.headers))['text']).toBe('only for readers');
  });

  test('counts toward the quota once, and is deleted with the last reference to its content', async () => {
    const [before, rows] = [await usedBytes(), Number(await derivedRows())];
    const text = 'counted text';
    const id = await newFile(text);
    const other = (await stage.newProject()).id;
    await deriveAll();
    expect(await usedBytes()).toBe(before + 2 * text.length);
    const copied = await send('POST', `/api/v1/files/${id}/copy`, stage.owner, { projectId: other });
    const copy = String(copied.json()['id']);
    expect((await textOf(copy))['text']).toBe(text);
    expect([await usedBytes(), await derivedRows()]).toEqual([before + 3 * text.length, rows + 1]);
    for (const [one, left] of [
      [id, rows + 1],
      [copy, rows],
    ]) {
      await send('DELETE', `/api/v1/files/${one}`, stage.owner);
      await send('POST', `/api/v1/files/${one}/purge`, stage.owner, {});
      expect(await derivedRows()).toBe(left);
    }
    expect(await usedBytes()).toBe(before);
    await emptyTrash(stage.upkeep);
    const wrong = await verifyStorage(stage.upkeep);
    expect(wrong.flatMap(({ offenders }) => offenders)).toEqual([]);
  });

  test('waits while the quota has no space for it', async () => {
    const id = await newFile('no space for this');
    const free = await usedBytes();
    await stage.giveRoom(Math.ceil(free / 0.95) + 5);
    await deriveAll();
    expect([(await textOf(id))['state'], await usedBytes()]).toEqual(['pending', free]);
    await stage.giveRoom(10_000_000_000);
    await stage.database.asSuperuser("UPDATE storage.derived SET due_at = due_at - interval '2 hours'");
    await stage.deriveAll();
    expect((await textOf(id))['state']).toBe('ready');
  });

  test('of content of an earlier release is read as well', async () => {
    const id = await newFile('of an earlier release');
    await stage.inspectAll();
    await stage.database.asSuperuser('DELETE FROM storage.derived WHERE due_at IS NOT NULL');
    await stage.database.asSuperuser("UPDATE storage.derivation_progress SET after_key = ''");
    while ((await queueEarlierContents(stage.upkeep)) > 0);
    await stage.deriveAll();
    expect((await textOf(id))['text']).toBe('of an earlier release');
  });
});

describe('GET /api/v1/search', () => {
  test('200: files with all words in their text, newest first, with passages', async () => {
    const first = await newFile(`${'filler\n'.repeat(50)}The quarterly Budget grew.\nIt names 数据中心 too.`);
    await deriveAll();
    const second = await newFile('Budget and quarterly');
    await newFile('Budget alone');
    await deriveAll();
    expect(await found('BUDGET quarter')).toEqual([second, first]);
    expect(await found('数据中心')).toEqual([first]);
    expect(await found('据中 budget')).toEqual([first]);
    expect(await found('nowhere to be found')).toEqual([]);
    const { data } = (await search('budget 数据')).json() as unknown as { data: { passages: string[] }[] };
    expect(data[0]?.passages).toEqual(['The quarterly Budget grew.', 'It names 数据中心 too.']);
  });

  test('pages in both directions, over slices of the index and copies of one content', async () => {
    const ids: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      ids.unshift(await newFile(`paged text ${turn}`));
      await deriveAll();
      await stage.database.asSuperuser('UPDATE storage.text_order SET position = position + 9000');
    }
    const copied = await send('POST', `/api/v1/files/${ids[3] ?? ''}/copy`, stage.owner, {
      ifTaken: 'rename',
    });
    ids.splice(3, 0, String(copied.json()['id']));
    expect(await found('paged text')).toEqual(ids);
    for (const direction of ['forward', 'backward']) {
      const seen: string[] = [];
      let rest = `&limit=2&direction=${direction}`;
      for (;;) {
        const { data, pagination } = (await search('paged text', stage.owner, rest)).json() as unknown as {
          readonly data: { readonly id: string }[];
          readonly pagination: Readonly<Record<string, string | boolean>>;
        };
        const page = data.map(({ id }) => id);
        seen.push(...(direction === 'forward' ? page : page.toReversed()));
        if (pagination['hasMore'] !== true) break;
        const cursor = pagination[direction === 'forward' ? 'nextCursor' : 'prevCursor'];
        rest = `&limit=2&direction=${direction}&cursor=${String(cursor)}`;
      }
      expect(seen).toEqual(direction === 'forward' ? ids : ids.toReversed());
    }
  });

  test('finds what the caller can read at that moment, and nothing else', async () => {
    const folder = (await stage.newFolder(project, 'shared folder')).id;
    const inner = (await stage.newFolder(project, 'inner folder', folder)).id;
    const inFolder = await newFile('secret meadow', 'in folder.txt', `folderId=${inner}`);
    const single = await newFile('secret meadow', 'single.txt');
    const elsewhere = (await stage.newProject()).id;
    const away = (await stage.newFile(elsewhere, 'away.txt', 'secret meadow')).id;
    await deriveAll();
    expect(new Set(await found('secret meadow'))).toEqual(new Set([inFolder, single, away]));
    const scoped = `&projectId=${project}`;
    expect(new Set(await found('secret meadow', stage.owner, scoped))).toEqual(new Set([inFolder, single]));
    expect(await found('secret meadow', stage.owner, `${scoped}&folderId=${folder}`)).toEqual([inFolder]);
    const guest = await stage.acme.addMember('guest');
    expect(await found('secret meadow', guest.headers)).toEqual([]);
    expectProblem(await search('secret meadow', stage.stranger), 404, 'not_found');
    const share = await shareWith(`folders/${folder}`, guest);
    expect(await found('secret meadow', guest.headers)).toEqual([inFolder]);
    await shareWith(`files/${single}`, guest);
    expect(new Set(await found('secret meadow', guest.headers))).toEqual(new Set([inFolder, single]));
    await send('DELETE', `/api/v1/shares/${String(share.json()['id'])}`, stage.owner);
    stage.age();
    expect(await found('secret meadow', guest.headers)).toEqual([single]);
    await shareWith(`projects/${elsewhere}`, guest);
    expect(new Set(await found('secret meadow', guest.headers))).toEqual(new Set([single, away]));
    await send('DELETE', `/api/v1/projects/${elsewhere}`, stage.owner);
    expect(await found('secret meadow', guest.headers)).toEqual([single]);
  });

  test('does not find deleted, replaced, infected and waiting content', async () => {
    const folder = (await stage.newFolder(project, 'to be deleted')).id;
    const deleted = await newFile('vanishing words', 'deleted.txt', `folderId=${folder}`);
    const replaced = await newFile('vanishing words', 'replaced.txt');
    const infected = await newFile('vanishing words', 'infected.txt');
    await deriveAll();
    expect((await found('vanishing words')).toSorted()).toEqual([deleted, replaced, infected].toSorted());
    await send('DELETE', `/api/v1/folders/${folder}`, stage.owner);
    await newFile('other words', 'replaced.txt', 'ifTaken=version');
    expect(await found('vanishing words')).toEqual([infected]);
    await send('POST', `/api/v1/folders/${folder}/restore`, stage.owner, {});
    expect(new Set(await found('vanishing words'))).toEqual(new Set([deleted, infected]));
    const key = await stage.database.asSuperuser('SELECT blob_key FROM storage.version WHERE file_id = $1', [
      infected,
    ]);
    await stage.database.asSuperuser(
      "UPDATE storage.blob SET inspection_due_at = '2000-01-01' WHERE key = $1",
      [key[0]?.['blob_key']],
    );
    await inspectDueBlobs(
      { ...stage.upkeep, scan: async () => ({ state: 'infected', finding: 'Test' }) },
      {
        signal: new AbortController().signal,
        transaction: (work) => stage.access.database.transaction().execute(work),
      },
    );
    expect(await found('vanishing words')).toEqual([deleted]);
    expectProblem(await send('GET', `/api/v1/files/${infected}/text`, stage.owner), 409, 'infected');
  });

  test('400: for a single letter, a folder without its project and a foreign cursor', async () => {
    expectProblem(await search('a b'), 400, 'invalid_request');
    const folder = (await stage.newFolder(project, 'some folder')).id;
    expectProblem(await search('words', stage.owner, `&folderId=${folder}`), 400, 'invalid_request');
    expectProblem(await search('words', stage.owner, '&cursor=x'), 400, 'invalid_cursor');
  });
});
