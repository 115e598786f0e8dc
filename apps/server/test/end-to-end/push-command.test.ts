import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { cliCommands } from '@daybook/cli';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { TestStorage } from '../storage.ts';
import { startTestStorage } from '../storage.ts';

let stage: TestStorage;
let server: string;
let home: string;
let notes: string;
beforeAll(async () => {
  stage = await startTestStorage();
  await stage.giveRoom(100 * 1024 * 1024);
  server = `http://127.0.0.1:${stage.app.port}`;
});
afterAll(() => stage.stop());
beforeEach(async () => {
  stage.clock.advance({ minutes: 2 });
  home = await mkdtemp(join(tmpdir(), 'daybook-push-'));
  notes = join(home, 'notes');
  await signIn();
  return () => rm(home, { recursive: true });
});

/** The file that `daybook login` writes. */
async function signIn(): Promise<void> {
  const folder = join(home, '.config/daybook');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const session = {
    accessToken: stage.owner['authorization']?.slice('Bearer '.length),
    refreshToken: 'r',
    issuedAtMs: Date.now(),
    lifetimeSeconds: 3600,
    email: 'a@b.example',
  };
  const content = JSON.stringify({ version: 1, servers: { [server]: session } });
  await writeFile(join(folder, 'credentials.json'), content, { mode: 0o600 });
}

async function write(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(notes, name)), { recursive: true });
    await writeFile(join(notes, name), content);
  }
}

interface Pushed {
  readonly created: number;
  readonly changed: number;
  readonly equal: number;
  readonly extra: readonly string[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/** Null if the command ends with an error. */
async function push(project: string, ...flags: readonly string[]): Promise<Pushed & { isFailure: boolean }> {
  const out: string[] = [];
  const command = cliCommands.find(({ name }) => name === 'push');
  let isFailure = false;
  await command
    ?.run([notes, project, '--json', ...flags], {
      env: { DAYBOOK_URL: server },
      home,
      nowMs: Date.now,
      print: (line) => out.push(line),
      say: () => undefined,
      page: () => undefined,
      openBrowser: () => Promise.resolve(false),
      screen: { columns: 80, isTerminal: false },
      fetch,
    })
    .catch((error: unknown) => {
      if (out.length === 0) throw error;
      isFailure = true;
    });
  return { ...(JSON.parse(out[0] ?? 'null') as Pushed), isFailure };
}

/** Path to hash of everything in a project. */
async function remoteTree(project: string, folder: string | null = null, above = ''): Promise<string[]> {
  const query = folder === null ? '' : `&folderId=${folder}`;
  const page = await stage.send('GET', `/api/v1/projects/${project}/children?limit=100${query}`, stage.owner);
  const found: string[] = [];
  for (const entry of page.json()['data'] as { id: string; name: string; kind: string }[]) {
    if (entry.kind === 'folder')
      found.push(...(await remoteTree(project, entry.id, `${above}${entry.name}/`)));
    else found.push(`${above}${entry.name} ${hashOf((await stage.contentOf(entry.id)).body)}`);
  }
  return found.sort();
}

async function localTree(): Promise<string[]> {
  const entries = await readdir(notes, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const lines = files.map(
    async (file) => `${file.slice(notes.length + 1).normalize('NFC')} ${hashOf(await readFile(file))}`,
  );
  return (await Promise.all(lines)).sort();
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

test('a folder is stored exactly, and a second run sends no content', async () => {
  const project = await stage.newProject();
  await write({
    'GOALS.md': '# Goals\n',
    'Journal/2026/2026-11-18.md': 'A day\r\n',
    'Knowledge/人物/王.md': '认识于 2019',
    'Attachments/large.bin': randomBytes(9 * 1024 * 1024),
    'Attachments/empty': '',
    ['Knowledge/Cafe\u0301.md']: 'decomposed name',
  });
  expect(await push(project.id)).toMatchObject({ created: 6, changed: 0, equal: 0, refused: [] });
  expect(await remoteTree(project.id)).toEqual(await localTree());
  expect(await push(project.id)).toMatchObject({ created: 0, changed: 0, equal: 6, extra: [], refused: [] });
});

test('changed, new and renamed files are sent; deleted ones stay until --delete moves them to the trash', async () => {
  const project = await stage.newProject();
  await write({ 'a.md': 'one', 'b/c.md': 'two', 'b/d.md': 'three' });
  await push(project.id);
  await write({ 'a.md': 'one, changed', 'new/e.md': 'four' });
  await rename(join(notes, 'b/d.md'), join(notes, 'moved.md'));
  expect(await push(project.id)).toMatchObject({ created: 2, changed: 1, equal: 1, extra: ['b/d.md'] });
  expect(await remoteTree(project.id)).toHaveLength(5);
  await rm(join(notes, 'b'), { recursive: true });
  expect(await push(project.id, '--delete')).toMatchObject({ extra: ['b'], isFailure: false });
  expect(await remoteTree(project.id)).toEqual(await localTree());
  const trash = await stage.send('GET', `/api/v1/projects/${project.id}/trash`, stage.owner);
  expect(trash.json()['data']).toHaveLength(1);
});

test('names that change in case only are renamed, and files have the media type of their name', async () => {
  const project = await stage.newProject();
  await write({ 'README.md': 'one', 'Drafts/a.md': 'two' });
  await push(project.id);
  await rename(join(notes, 'README.md'), join(notes, 'Readme.md'));
  await rename(join(notes, 'Drafts'), join(notes, 'drafts'));
  expect(await push(project.id, '--delete')).toMatchObject({ created: 0, equal: 2, extra: [], refused: [] });
  expect(await remoteTree(project.id)).toEqual(await localTree());
  const { rows } = await stage.database.pool.query('SELECT DISTINCT media_type FROM storage.version');
  expect(rows).toContainEqual({ media_type: 'text/markdown' });
});

test('--delete of an empty or another folder is refused before anything is moved; --delete-all confirms it', async () => {
  const project = await stage.newProject();
  await write({ 'a.md': 'one', 'b/c.md': 'two' });
  await push(project.id);
  const before = await remoteTree(project.id);
  await rm(notes, { recursive: true });
  await mkdir(notes);
  await expect(push(project.id, '--delete')).rejects.toThrow('use --delete-all');
  await write({ 'another.md': 'three' });
  await expect(push(project.id, '--delete')).rejects.toThrow('use --delete-all');
  expect(await remoteTree(project.id)).toEqual(before);
  expect(await push(project.id, '--delete-all')).toMatchObject({ created: 1, isFailure: false });
  expect(await remoteTree(project.id)).toEqual(await localTree());
});

test('the queue of daybook-migrate stays, and links are listed', async () => {
  const project = await stage.newProject();
  await write({ 'a.md': 'one', '.migration/queue.db': 'private' });
  await symlink('/etc/passwd', join(notes, 'link.md'));
  const pushed = await push(project.id);
  expect(pushed).toMatchObject({ created: 1, isFailure: true });
  expect(pushed.refused.map(({ path }) => path)).toEqual(['link.md']);
  expect((await remoteTree(project.id)).map((line) => line.split(' ')[0])).toEqual(['a.md']);
});

test('names that the server considers equal, and names it refuses, are listed; the others are stored', async () => {
  const project = await stage.newProject();
  await write({ 'Notes.md': 'one', 'notes.md': 'two', 'bad\u0007name.md': 'three', 'fine.md': 'four' });
  const pushed = await push(project.id);
  expect(pushed).toMatchObject({ created: 2, changed: 0, isFailure: true });
  expect(pushed.refused).toHaveLength(2);
  const again = await push(project.id);
  expect(again).toMatchObject({ created: 0, changed: 0, equal: 2 });
});

test('a file and a folder with the same name are not mixed', async () => {
  const project = await stage.newProject();
  await write({ 'topic/a.md': 'one' });
  await push(project.id);
  await rm(join(notes, 'topic'), { recursive: true });
  await write({ topic: 'now a file' });
  const pushed = await push(project.id);
  expect(pushed.refused.map(({ path }) => path)).toEqual(['topic']);
  expect((await remoteTree(project.id)).map((line) => line.split(' ')[0])).toEqual(['topic/a.md']);
});

test('a full quota ends the command; it continues after the quota is raised', async () => {
  const project = await stage.newProject();
  await write(
    Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${at}.bin`, randomBytes(1024 * 1024)])),
  );
  await cp(join(notes, '0.bin'), join(notes, 'copy.bin'));
  await stage.giveRoom(1);
  await expect(push(project.id)).rejects.toThrow('quota_exceeded');
  await stage.giveRoom(200 * 1024 * 1024);
  expect((await push(project.id)).refused).toEqual([]);
  expect(await remoteTree(project.id)).toEqual(await localTree());
});
