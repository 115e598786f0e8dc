import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { openPage, sendForm, signInForCookie } from '../../../../test/form-client.ts';
import { ask } from '../../../../test/http-client.ts';
import type { TestStorage } from '../../../../test/storage.ts';
import { startTestStorage } from '../../../../test/storage.ts';

let stage: TestStorage;
let cookie: string;
let viewer: string;
let home: string;
beforeAll(async () => {
  stage = await startTestStorage({ pages: true });
  cookie = await signInForCookie(stage, stage.acme.owner);
  viewer = await signInForCookie(stage, stage.viewer);
  home = `/platform/${stage.acme.key}`;
});
afterAll(() => stage.stop());

const open = (path: string, as = cookie) => openPage(stage, path, as);
const sent = async (path: string, fields: Readonly<Record<string, string>> = {}): Promise<string> => {
  const answer = await sendForm(stage, path, fields, { cookie });
  expect([path, answer.status, answer.text]).toEqual([path, 303, '']);
  return answer.headers.location ?? '';
};
/** Uploads as the script does; returns the first refusal, if any. */
const upload = async (
  fields: Readonly<Record<string, string>>,
  body: string,
  headers: Readonly<Record<string, string>> = {},
) => {
  const own = { cookie, 'sec-fetch-site': 'same-origin', 'tus-resumable': '1.0.0', ...headers };
  const metadata = Object.entries({ ...fields, ifTaken: 'version' })
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
  const created = await ask(stage.app.port, `${home}/tus`, {
    method: 'POST',
    headers: { ...own, 'upload-length': String(body.length), 'upload-metadata': metadata },
  });
  if (created.status !== 201) return created;
  return ask(stage.app.port, created.headers.location ?? '', {
    method: 'PATCH',
    headers: { ...own, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body,
  });
};
const newProject = async (): Promise<{ readonly id: string; readonly page: string }> => {
  const { id } = await stage.newProject();
  return { id, page: `${home}/projects/${id}` };
};

test('goes from an empty organization to a file with two versions and back, by forms alone', async () => {
  const page = await sent(`${home}/projects`, { name: 'Field notes' });
  expect((await open(`${home}/projects`)).text).toMatch(/0 bytes of 10.0 MB used[^]*>Field notes<\/a>/);
  const folder = await sent(`${page}/folders`, { name: '2026' });
  const inner = await sent(`${page}/folders`, { name: 'May', folderId: folder.split('/').at(-1) ?? '' });
  expect((await open(inner)).text).toMatch(
    /class="crumbs"[^]*>Files<\/a>[^]*>Field notes<\/a>[^]*>2026<\/a>[^]*New folder/,
  );
  const target = {
    projectId: page.split('/').at(-1) ?? '',
    folderId: inner.split('/').at(-1) ?? '',
    filename: 'plan.txt',
    filetype: 'text/plain',
  };
  for (const bytes of ['one', 'two!']) expect((await upload(target, bytes)).status).toBe(204);
  const listed = (await open(inner)).text;
  expect(listed).toMatch(/>plan.txt<\/a>[^]*4 bytes/);
  const file = /href="([^"]*\/files\/[^"]*)"/.exec(listed)?.[1] ?? '';
  expect((await open(file)).text).toMatch(/text\/plain[^]*Version 2[^]*Current version[^]*Restore version 1/);
  await sent(`${file}/versions/1`);
  expect((await open(`${file}/content`)).text).toBe('one');
  expect((await open(`${file}/content?version=2`)).text).toBe('two!');
  expect(await sent(file, { name: 'plan B.txt' })).toBe(file);
  expect(await sent(`${file}/remove`)).toBe(inner);
  expect((await open(file)).status).toBe(404);
  expect((await open(`${page}/trash`)).text).toMatch(/plan B.txt[^]*Restore plan B.txt/);
  expect(await sent(`${file}/restore`)).toBe(inner);
  expect(await sent(inner, { name: 'June' })).toBe(inner);
  expect(await sent(`${inner}/remove`)).toBe(folder);
  expect(await sent(`${inner}/restore`)).toBe(folder);
  expect(await sent(page, { name: 'Notes' })).toBe(page);
  expect(await sent(`${page}/remove`)).toBe(`${home}/projects`);
  expect((await open(page)).status).toBe(404);
});

test('a list shows the small picture of a file that has one, and the page of a PDF its first page', async () => {
  const { id, page } = await newProject();
  const pdf = await stage.newFile(id, 'plan.pdf', '%PDF-1.4', 'mediaType=application/pdf');
  const key = '(SELECT blob_key FROM storage.version WHERE file_id = $1)';
  const address = `${home}/files/${pdf.id}`;
  expect((await open(page)).text).not.toContain(`${address}/picture`);
  for (const sql of [
    `INSERT INTO storage.derived (key, organization_id) SELECT ${key}, organization_id FROM storage.project
     JOIN storage.version ON version.project_id = project.id WHERE file_id = $1`,
    `INSERT INTO storage.content_picture (key, picture) VALUES (${key}, '\\xffd8ffe0'::bytea)`,
  ])
    await stage.database.asSuperuser(sql, [pdf.id]);
  for (const shown of [page, address])
    expect((await open(shown)).text).toMatch(new RegExp(`<img[^>]*src="${address}/picture"`));
  const picture = await open(`${address}/picture`);
  expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/jpeg']);
});

test('entries in the trash are deleted permanently, one or all, after a confirmation that names them', async () => {
  const { id, page } = await newProject();
  const folder = await stage.newFolder(id, 'Old <drafts>');
  const inside = await stage.newFile(id, 'inside.txt', '12345', `folderId=${folder.id}`);
  const kept = await stage.newFile(id, 'kept.txt', '1234567');
  const [a, b] = [await stage.newFile(id, 'a.txt', '123'), await stage.newFile(id, 'b.txt', '123')];
  await stage.send('POST', `/api/v1/files/${kept.id}/copy`, stage.owner, { name: 'copy.txt' });
  const copy = await stage.newFile(id, 'copy.txt', '12', 'ifTaken=version');
  const trash = `${page}/trash`;
  expect((await open(trash)).text).not.toContain('Empty trash');
  for (const path of [`folders/${folder.id}`, ...[a, b, copy].map((file) => `files/${file.id}`)])
    await sent(`${home}/${path}/remove`);
  const shown = (await open(trash)).text;
  expect(shown).toMatch(/<summary>Delete permanently<\/summary>[^]*Permanently delete a.txt/);
  expect(shown).toMatch(/Permanently delete Old &(?:lt|#60);drafts&(?:gt|#62); and its contents/);
  // Content that the live file also refers to is not freed.
  expect(shown).toContain('The trash contains 5 folders and files. Emptying it frees 13 bytes.');
  expect(shown).toMatch(/<summary>Empty trash<\/summary>[^]*Permanently delete 5 folders and files/);
  expect(await sent(`${home}/folders/${folder.id}/purge`)).toBe(trash);
  expect(await sent(`${home}/files/${a.id}/purge`)).toBe(trash);
  const left = (await open(trash)).text;
  expect(left).toContain('The trash contains 2 folders and files. Emptying it frees 5 bytes.');
  expect(left).not.toMatch(/drafts|a\.txt/);
  const again = await sendForm(stage, `${home}/files/${inside.id}/restore`, {}, { cookie });
  expect(again.status).toBe(404);
  const live = await sendForm(stage, `${home}/files/${kept.id}/purge`, {}, { cookie });
  expect([live.status, live.text]).toEqual([409, expect.stringContaining('It is not in the trash')]);
  expect(await sent(`${trash}/empty`)).toBe(trash);
  expect((await open(trash)).text).toContain('The trash is empty.');
  expect((await open(`${home}/files/${kept.id}/content`)).text).toBe('1234567');
});

test('files are sent as attachments in which nothing runs; visitors without a session are sent to sign-in', async () => {
  const { id } = await newProject();
  const file = await stage.newFile(id, 'x.html', '<script>alert(1)</script>', 'mediaType=text/html');
  const { headers } = await open(`${home}/files/${file.id}/content`);
  expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  expect(headers['content-disposition']).toMatch(/^attachment; filename="x.html"/);
  const away = await openPage(stage, `${home}/files/${file.id}/content`);
  expect([away.status, away.headers.location]).toEqual([
    303,
    expect.stringContaining('/auth/signin?return='),
  ]);
});

test('a file is previewed only where its content and its declared type are the same allowed type', async () => {
  const { id } = await newProject();
  const gif = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');
  const shown = {
    picture: await stage.newFile(id, 'dot.gif', gif, 'mediaType=image/gif'),
    text: await stage.newFile(id, 'a.md', `<b>bold</b>\n${'é'.repeat(10_000)}`, 'mediaType=text/markdown'),
  };
  const hidden = [
    await stage.newFile(id, 'lie.png', '<script>alert(1)</script>', 'mediaType=image/png'),
    await stage.newFile(id, 'page.html', '<script>alert(1)</script>', 'mediaType=text/html'),
    await stage.newFile(id, 'other.gif', gif, 'mediaType=application/octet-stream'),
  ];
  const pageOf = ({ id: file }: { readonly id: string }): string => `${home}/files/${file}`;
  const all = [...Object.values(shown), ...hidden].map(pageOf);
  for (const page of all) expect((await open(`${page}/preview`)).status).toBe(404);
  await stage.inspectAll();
  const picture = await open(`${pageOf(shown.picture)}/preview`, viewer);
  expect([picture.status, picture.headers]).toMatchObject([
    200,
    {
      'content-type': 'image/gif',
      'content-disposition': expect.stringMatching(/^inline; filename="dot.gif"/),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    },
  ]);
  expect((await open(pageOf(shown.picture))).text).toContain(
    `<img src="${pageOf(shown.picture)}/preview" alt="dot.gif"`,
  );
  const text = (await open(pageOf(shown.text))).text;
  expect(text).toMatch(/<code>[^<]*bold[^<]*é{8000,}[^<]*<\/code>/);
  expect(text).toContain('Showing the first 16.4 kB.');
  expect((await open(`${pageOf(shown.text)}/preview`)).headers['content-type']).toBe(
    'text/plain; charset=utf-8',
  );
  for (const page of hidden.map(pageOf)) {
    expect((await open(`${page}/preview`)).status).toBe(404);
    expect((await open(page)).text).not.toContain('/preview"');
  }
  expect((await open(pageOf(hidden[0]!))).text).toMatch(/image\/png[^]* detected as <code>text\/plain/);
  expect((await openPage(stage, `${pageOf(shown.picture)}/preview`)).status).toBe(303);
});

test('with a separate origin, previews are shown only there, with the ticket of a page', async () => {
  const other = await startTestStorage({ pages: true, files: { previewUrl: 'https://files.example' } });
  onTestFinished(other.stop);
  const owner = await signInForCookie(other, other.acme.owner);
  const { id: project } = await other.newProject();
  const gif = Buffer.from('R0lGODlhAQABAAAAACw=', 'base64');
  const { id } = await other.newFile(project, 'dot.gif', gif, 'mediaType=image/gif');
  await other.inspectAll();
  const here = `/platform/${other.acme.key}/files/${id}`;
  const { text, headers } = await openPage(other, here, owner);
  const ticket = /<img src="https:\/\/files\.example(\/previews\/[\w-]+)"/.exec(text)?.[1] ?? '';
  expect(headers['content-security-policy']).toContain(
    "img-src 'self' https://files.example data:; media-src 'self' https://files.example;",
  );
  const look = (path: string, host = 'files.example') => ask(other.app.port, path, { headers: { host } });
  const shown = await look(ticket);
  expect([shown.status, shown.headers]).toMatchObject([
    200,
    {
      'content-type': 'image/gif',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    },
  ]);
  expect((await look(ticket, 'daybook.example')).status).toBe(404);
  expect((await look(`${ticket.slice(0, -2)}AA`)).status).toBe(404);
  expect((await openPage(other, `${here}/preview`, owner)).status).toBe(404);
  await other.send('DELETE', `/api/v1/files/${id}`, other.owner);
  expect((await look(ticket)).status).toBe(404);
  await other.send('POST', `/api/v1/files/${id}/restore`, other.owner, {});
  expect((await look(ticket)).status).toBe(200);
  other.clock.advance({ minutes: 61 });
  expect((await look(ticket)).status).toBe(404);
});

test('a page says that a file waits for the scanner or is infected, and then offers no download', async () => {
  const { id, page } = await newProject();
  const file = await stage.newFile(id, 'a.txt', 'only inside', 'mediaType=text/plain');
  const states = async (state: string): Promise<void> => {
    const finding = state === 'infected' ? "'Test'" : 'NULL';
    await stage.database.asSuperuser(
      `UPDATE storage.blob SET scan_state = '${state}', scan_finding = ${finding} WHERE project_id = $1`,
      [id],
    );
  };
  const here = `${home}/files/${file.id}`;
  await stage.inspectAll();
  await states('waiting');
  expect((await open(here)).text).toMatch(/>Download<[^]*Not scanned yet[^]*only inside/);
  const forOthers = (await open(here, viewer)).text;
  expect(forOthers).toContain('Not scanned yet');
  expect(forOthers).not.toMatch(/>Download<|only inside/);
  expect((await open(`${here}/content`, viewer)).status).toBe(409);
  await states('infected');
  expect((await open(here)).text).toContain('downloads are blocked');
  expect((await open(here)).text).not.toMatch(/>Download<|only inside/);
  for (const way of ['content', 'preview']) expect((await open(`${here}/${way}`)).status).toBe(409);
  expect((await open(page)).text).toMatch(/>a.txt<\/a>\s*\(infected\)/);
});

test('a folder is listed by name, and entries below it are found by a part of their name', async () => {
  const { id, page } = await newProject();
  const folder = await stage.newFolder(id, 'beta');
  await stage.newFile(id, 'Alpha.txt', '1', `folderId=${folder.id}`);
  await stage.newFile(id, 'gamma.txt', '1');
  await stage.newFolder(id, 'alpha');
  expect((await open(page)).text).toMatch(/>alpha<\/a>[^]*>gamma.txt<\/a>[^]*>beta<\/a>/);
  expect((await open(`${page}?sort=name`)).text).toMatch(/>alpha<\/a>[^]*>beta<\/a>[^]*>gamma.txt<\/a>/);
  const found = (await open(`${page}/search?name=ALPHA`, viewer)).text;
  expect(found).toMatch(/>alpha<\/a>[^]*>Alpha.txt<\/a>/);
  expect(found).not.toContain('gamma');
  const within = (await open(`${page}/search?name=a&folderId=${folder.id}`)).text;
  expect(within).toMatch(/value="a"[^]*>Alpha.txt<\/a>/);
  expect(within).not.toContain('gamma');
  expect((await open(`${page}/search?name=%3Cimg`)).text).toContain('No files or folders match');
  expect((await open(`${page}/search?name=%20`)).status).toBe(400);
});

test('files are found by words in their text, which is escaped, with the permissions of the visitor', async () => {
  const { id, page } = await newProject();
  const folder = await stage.newFolder(id, 'reports');
  await stage.newFile(
    id,
    'inside.txt',
    'heading\nthe <b>yield</b> of 数据中心 rose',
    `folderId=${folder.id}`,
  );
  const read = async (): Promise<void> => {
    await stage.inspectAll();
    await stage.deriveAll();
  };
  await read();
  const outside = await stage.newFile(id, 'outside.txt', 'the yield fell');
  await read();
  expect((await open(`${page}/search?name=yield`)).text).toContain(`${page}/text-search?name&#61;yield`);
  const found = (await open(`${page}/text-search?name=YIELD`)).text;
  expect(found).toMatch(/>outside.txt<\/a>[^]*the yield fell[^]*>inside.txt<\/a>/);
  expect(found).toContain('the &#60;b&#62;yield&#60;/b&#62; of 数据中心 rose');
  const within = (await open(`${page}/text-search?name=yield&folderId=${folder.id}`)).text;
  expect(within).toMatch(/name="folderId"[^]*>inside.txt<\/a>/);
  expect(within).not.toContain('outside.txt');
  expect((await open(`${page}/text-search?name=y`)).text).toContain('at least two letters');
  expect((await open(`${page}/text-search?name=nowhere`)).text).toContain('No file contents match');
  const guest = await stage.acme.addMember('guest');
  const as = await signInForCookie(stage, guest);
  expect((await open(`${page}/text-search?name=yield`, as)).status).toBe(404);
  const shared = { member: guest.username, level: 'read' };
  await stage.send('POST', `/api/v1/files/${outside.id}/shares`, stage.owner, shared);
  stage.age();
  expect((await open(`${page}/text-search?name=yield`, as)).text).not.toContain('inside.txt');
});

test('a folder and a project are downloaded as archives with read access', async () => {
  const { id, page } = await newProject();
  const folder = await stage.newFolder(id, 'to save');
  await stage.newFile(id, 'x.txt', '1', `folderId=${folder.id}`);
  const here = `${home}/folders/${folder.id}`;
  expect((await open(here, viewer)).text).toContain(`href="${here}/archive"`);
  for (const path of [here, page]) {
    const saved = await open(`${path}/archive`, viewer);
    expect([saved.status, saved.headers['content-type'], saved.text]).toEqual([
      200,
      'application/zip',
      expect.stringContaining('to save/x.txt'),
    ]);
    expect((await openPage(stage, `${path}/archive`)).status).toBe(303);
  }
});

test('a taken or empty name is returned with the typed values; hostile names are shown as text', async () => {
  const { id, page } = await newProject();
  await stage.newFolder(id, 'Same');
  const taken = await sendForm(stage, `${page}/folders`, { name: 'same' }, { cookie });
  expect([taken.status, taken.text]).toEqual([409, expect.stringContaining('value="same"')]);
  const other = await stage.newFolder(id, 'Other');
  const renamed = await sendForm(stage, `${home}/folders/${other.id}`, { name: 'SAME' }, { cookie });
  expect([renamed.status, renamed.text]).toEqual([
    409,
    expect.stringMatching(/<dialog[^>]*\sopen[^]*value="SAME"/),
  ]);
  const empty = await sendForm(stage, `${page}/folders`, { name: '' }, { cookie });
  expect([empty.status, empty.text]).toEqual([400, expect.stringContaining('id="name-fault"')]);
  const hostile = '<img src=x onerror=alert(1)>"&';
  const folder = await stage.newFolder(id, hostile);
  for (const path of [page, `${home}/folders/${folder.id}`]) {
    const { text } = await open(path);
    expect(text).not.toContain('<img');
    expect(text).toMatch(/&(?:lt|#60);img src/);
  }
});

describe('a member with read access', () => {
  test('sees everything but no form, and is refused what a form would send', async () => {
    const { id, page } = await newProject();
    const file = await stage.newFile(id, 'a', '1');
    const folder = await stage.newFolder(id, 'b');
    const paths = [`${home}/projects`, page, `${home}/folders/${folder.id}`, `${home}/files/${file.id}`];
    for (const path of paths) {
      const { status, text } = await open(path, viewer);
      const main = text.slice(text.indexOf('<main'), text.indexOf('</main'));
      expect([path, status, /<form (?!method="get")/.test(main)]).toEqual([path, 200, false]);
    }
    expect((await open(`${page}/trash`, viewer)).status).toBe(403);
    for (const path of [`${home}/projects`, page, `${page}/folders`, `${home}/files/${file.id}/remove`]) {
      const fields = path.endsWith('/remove') ? {} : { name: 'x' };
      const answer = await sendForm(stage, path, fields, { cookie: viewer });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    await sent(`${home}/files/${file.id}/remove`);
    for (const path of [`${home}/files/${file.id}/purge`, `${page}/trash/empty`]) {
      const answer = await sendForm(stage, path, {}, { cookie: viewer });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    expect((await upload({ projectId: id, filename: 'x' }, '1', { cookie: viewer })).status).toBe(403);
  });
});

test('404 for strangers, and under the address of another organization', async () => {
  const { id, page } = await newProject();
  const file = await stage.newFile(id, 'a', '1');
  const other = await stage.createOrganization();
  const stranger = await signInForCookie(stage, other.owner);
  for (const path of [
    page,
    `${page}/trash`,
    `${home}/files/${file.id}`,
    `${home}/files/${file.id}/content`,
  ]) {
    expect([path, (await open(path, stranger)).status]).toEqual([path, 404]);
    const elsewhere = path.replace(stage.acme.key, other.key);
    expect([elsewhere, (await open(elsewhere, stranger)).status]).toEqual([elsewhere, 404]);
  }
});

test('an upload is refused from another site, without a session, and over the quota', async () => {
  const { id, page } = await newProject();
  const fields = { projectId: id, filename: 'x' };
  expect((await upload(fields, '1', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await upload(fields, '1', { cookie: '' })).status).toBe(403);
  const full = await upload(fields, 'x'.repeat(10_000_001));
  expect([full.status, full.text]).toEqual([409, expect.stringContaining('Quota exceeded')]);
  expect((await open(page)).text).toContain('This folder is empty.');
});
