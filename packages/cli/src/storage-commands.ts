import { createWriteStream, existsSync, openAsBlob, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Entry, Project, StorageClient } from '@daybook/client/storage';
import { createStorageClient, uploadFile } from '@daybook/client/storage';

import type { CliHost } from './cli-host.ts';
import { CliError, required } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { mediaTypeOf } from './media-type.ts';
import { all, signedIn, withRefusals } from './signed-in.ts';
import { painter, printable } from './terminal-text.ts';

/** Lists projects, or the folders and files at a path such as `reports/2026`. */
export async function ls(line: CommandLine, host: CliHost): Promise<void> {
  const client = storageOf(line, host);
  const [path, ...more] = line.words;
  if (more.length > 0) throw new CliError('usage', 'specify at most one path: daybook ls [project[/folder]]');
  await withRefusals(async () => {
    const found = path === undefined ? await all(client.each('listProjects')) : await listed(client, path);
    if (line.json) host.print(JSON.stringify({ data: found }));
    else for (const one of found) host.print(entryLine(one, host));
  });
}

/** Uploads a file, in parts that are repeated where the connection is lost. */
export async function put(line: CommandLine, host: CliHost): Promise<void> {
  const [file, target, ...more] = line.words;
  if (file === undefined || target === undefined || more.length > 0)
    throw new CliError('usage', 'specify a file and a destination: daybook put <file> <project>[/folder]');
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) throw new CliError('notFound', `file not found: ${file}`);
  if (found.isDirectory()) throw new CliError('usage', `${file} is a folder: use daybook push`);
  const client = storageOf(line, host);
  await withRefusals(async () => {
    const { project, folder } = await placeOf(client, target);
    const content = await openAsBlob(file);
    const upload = await uploadFile(client, content, {
      projectId: project.id,
      name: basename(file),
      mediaType: mediaTypeOf(file),
      ifTaken: 'version',
      ...(folder === null ? {} : { folderId: folder.id }),
      onProgress: ({ sentBytes, totalBytes }) => {
        if (host.screen.isTerminal) host.say(`${sentBytes} of ${totalBytes} bytes`);
      },
    });
    const stored = { name: basename(file), project: project.name, size: content.size, upload };
    host.print(
      line.json ? JSON.stringify(stored) : `Stored ${stored.name} (${stored.size} bytes) in ${target}.`,
    );
  });
}

/** Downloads a file; an interrupted download leaves no file under its name. */
export async function get(line: CommandLine, host: CliHost): Promise<void> {
  const [path, given, ...more] = line.words;
  if (path === undefined || more.length > 0)
    throw new CliError('usage', 'specify a file: daybook get <project>/<path> [file]');
  const client = storageOf(line, host);
  await withRefusals(async () => {
    const { folder: entry } = await placeOf(client, path, 'file');
    if (entry === null) throw new CliError('usage', 'specify a file: daybook get <project>/<path> [file]');
    const file = fileFor(given, entry.name);
    const answer = required(await client.readContent({ id: entry.id }));
    const part = `${file}.part`;
    try {
      if (answer.body === null) throw new CliError('failed', 'the server returned no content');
      await pipeline(Readable.fromWeb(answer.body), createWriteStream(part));
      await rename(part, file);
    } finally {
      await rm(part, { force: true });
    }
    host.print(line.json ? JSON.stringify({ ...entry, file }) : `Wrote ${file}.`);
  });
}

/** Where a download is written: like `cp`, a folder gets the file under its own name. */
function fileFor(given: string | undefined, name: string): string {
  if (given === undefined) return basename(name);
  const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
  const file = isFolder ? join(given, basename(name)) : given;
  if (!existsSync(dirname(file))) throw new CliError('notFound', `folder not found: ${dirname(file)}`);
  return file;
}

export function storageOf(line: CommandLine, host: CliHost): StorageClient {
  return createStorageClient(signedIn(line, host));
}

interface Place {
  readonly project: Project;
  /** Null at the top level of the project. */
  readonly folder: Entry | null;
}

/** Names from the project downwards; the last one is of the given kind. */
export async function placeOf(
  client: StorageClient,
  path: string,
  last: Entry['kind'] = 'folder',
): Promise<Place> {
  const [name = '', ...names] = path.split('/').filter((part) => part !== '');
  const projects = await all(client.each('listProjects'));
  const project = projects.find((one) => one.name === name || one.id === name);
  if (project === undefined)
    throw new CliError(
      'notFound',
      `no project is named ${name}; list the projects with daybook ls, or create one on the page Files`,
    );
  let folder: Entry | null = null;
  for (const [at, part] of names.entries()) {
    const kind: Entry['kind'] = at === names.length - 1 ? last : 'folder';
    const within: Entry[] = await all(client.each('listChildren', childrenOf(project, folder)));
    const found: Entry | undefined = within.find((one) => one.name === part && one.kind === kind);
    if (found === undefined) throw new CliError('notFound', `no ${kind} is named ${part} in ${project.name}`);
    folder = found;
  }
  return { project, folder };
}

function childrenOf(
  project: Project,
  folder: Entry | null,
): { project: string; folderId?: string; limit: number } {
  return { project: project.id, limit: 100, ...(folder === null ? {} : { folderId: folder.id }) };
}

async function listed(client: StorageClient, path: string): Promise<readonly Entry[]> {
  const { project, folder } = await placeOf(client, path);
  return all(client.each('listChildren', { ...childrenOf(project, folder), sort: 'name' }));
}

function entryLine(one: Entry | Project, host: CliHost): string {
  const paint = painter(host);
  const isFile = 'kind' in one && one.kind === 'file';
  const size = isFile ? `${one.size ?? 0} bytes  ` : '';
  return `${printable(one.name)}${isFile ? '' : '/'}  ${paint('dim', `${size}${printable(one.id)}`)}`;
}
