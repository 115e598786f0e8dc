import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { openAsBlob } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Entry, StorageClient } from '@daybook/client/storage';
import { RequestRefused, uploadFile } from '@daybook/client/storage';

import { mediaTypeOf } from './media-type.ts';

export interface PushedFolder {
  readonly created: number;
  readonly changed: number;
  readonly equal: number;
  readonly sentBytes: number;
  /** Paths that only the server has; moved to the trash where that was asked. */
  readonly extra: readonly string[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Moves what the folder does not have to the trash of the project. `all`: also where no entry would remain; else that is
 * refused, since a folder that is empty or another one is more often a mistake.
 */
export type Deleting = 'nothing' | 'extra' | 'all';

/** Nothing was sent or moved. */
export class NothingInCommon extends Error {}

export interface PushOptions {
  readonly folder: string;
  readonly projectId: string;
  /** Null at the top level of the project. */
  readonly folderId: string | null;
  readonly deleting: Deleting;
  readonly onFile: (path: string) => void;
}

/** Larger files are sent in parts that are repeated where the connection is lost. */
const oneRequestBytesMax = 1024 * 1024;
const concurrency = 4;
/** The queue and the journal of `daybook-migrate`, which belong to one machine. */
const stayingName = '.migration';

/**
 * Stores a folder with everything in it. A file whose hash the server has is not sent. The server compares each hash, and
 * refuses a file that another person changed meanwhile.
 */
export async function pushFolder(client: StorageClient, options: PushOptions): Promise<PushedFolder> {
  const push = new FolderPush(client, options);
  await push.folder('', options.folderId, true);
  return push.result;
}

class FolderPush {
  readonly result = {
    created: 0,
    changed: 0,
    equal: 0,
    sentBytes: 0,
    extra: [] as string[],
    refused: [] as { path: string; reason: string }[],
  };
  readonly #client: StorageClient;
  readonly #options: PushOptions;

  constructor(client: StorageClient, options: PushOptions) {
    this.#client = client;
    this.#options = options;
  }

  /** `mayExist`: the server may have entries in it. */
  async folder(path: string, folderId: string | null, mayExist: boolean): Promise<void> {
    const local = await this.#attempt(path, () => this.#localEntries(path));
    if (local === null) return;
    const remote = mayExist ? await this.#remoteEntries(folderId) : new Map<string, Entry>();
    if (path === '') this.#checkDeletion(local, remote);
    await this.#renameByCase(path, local, remote);
    const files = [...local].filter(([, entry]) => entry.isFile());
    await inParallel(files, ([name, { name: file }]) =>
      this.#attempt(pathOf(path, name), () =>
        this.#file({ path: pathOf(path, file), name, folderId }, remote.get(name)),
      ),
    );
    for (const [name, entry] of local) {
      const below = pathOf(path, entry.name);
      if (entry.isDirectory()) await this.#subfolder(below, { name, folderId }, remote.get(name));
      else if (entry.isSymbolicLink()) this.#refuse(below, 'is a symbolic link, so it was skipped');
      else if (!entry.isFile()) this.#refuse(below, 'is not a file or folder, so it was skipped');
    }
    for (const [name, entry] of remote) if (!local.has(name)) await this.#extra(pathOf(path, name), entry);
  }

  #checkDeletion(local: ReadonlyMap<string, unknown>, remote: ReadonlyMap<string, unknown>): void {
    const names = new Set([...local.keys()].map((name) => name.toLowerCase()));
    const remains = remote.size === 0 || [...remote.keys()].some((name) => names.has(name.toLowerCase()));
    if (this.#options.deleting === 'extra' && !remains) throw new NothingInCommon();
  }

  async #localEntries(path: string): Promise<ReadonlyMap<string, Dirent>> {
    const found = new Map<string, Dirent>();
    for (const entry of await readdir(join(this.#options.folder, path), { withFileTypes: true })) {
      if (path === '' && entry.name === stayingName) continue;
      // As the server stores names.
      const name = entry.name.normalize('NFC');
      if (found.has(name)) this.#refuse(pathOf(path, entry.name), 'has the same name as another file');
      else found.set(name, entry);
    }
    return found;
  }

  async #remoteEntries(folderId: string | null): Promise<Map<string, Entry>> {
    const found = new Map<string, Entry>();
    const where = { project: this.#options.projectId, limit: 100, ...within(folderId) };
    for await (const entry of this.#client.each('listChildren', where)) found.set(entry.name, entry);
    return found;
  }

  /** Entries whose names differ in case only: the server has no two such names in a folder. */
  async #renameByCase(
    path: string,
    local: ReadonlyMap<string, Dirent>,
    remote: Map<string, Entry>,
  ): Promise<void> {
    const others = new Map([...remote.keys()].map((name) => [name.toLowerCase(), name]));
    for (const [name, entry] of local) {
      const formerName = others.get(name.toLowerCase()) ?? name;
      const former = remote.get(formerName);
      const isSameKind = former?.kind === (entry.isDirectory() ? 'folder' : 'file');
      if (former === undefined || !isSameKind || local.has(formerName)) continue;
      await this.#attempt(pathOf(path, entry.name), async () => {
        const wish = { id: former.id, body: { name } };
        const renamed =
          former.kind === 'file'
            ? await this.#client.changeFile(wish)
            : await this.#client.changeFolder(wish);
        if (!renamed.ok) throw new RequestRefused(renamed.status, renamed.problem);
        remote.delete(formerName);
        remote.set(name, renamed.data);
      });
    }
  }

  async #subfolder(path: string, place: Placed, existing: Entry | undefined): Promise<void> {
    if (existing?.kind === 'folder') return this.folder(path, existing.id, true);
    const id = await this.#attempt(path, async () => {
      const { projectId: project } = this.#options;
      const body = { name: place.name, folderId: place.folderId };
      const made = await this.#client.createFolder({ project, body });
      if (!made.ok) throw new RequestRefused(made.status, made.problem);
      return made.data.id;
    });
    if (id !== null) await this.folder(path, id, false);
  }

  async #file(file: Placed & { readonly path: string }, existing: Entry | undefined): Promise<void> {
    const content = await openAsBlob(join(this.#options.folder, file.path));
    const sha256 = await hashOf(content);
    if (existing?.sha256 === sha256) {
      this.result.equal += 1;
      return;
    }
    this.#options.onFile(file.path);
    await this.#send(file, { content, sha256 }, existing?.kind === 'file' ? existing : undefined);
    this.result[existing === undefined ? 'created' : 'changed'] += 1;
    this.result.sentBytes += content.size;
  }

  async #send(
    { name, folderId }: Placed,
    { content, sha256 }: { readonly content: Blob; readonly sha256: string },
    existing: Entry | undefined,
  ): Promise<void> {
    const { projectId } = this.#options;
    // A name that only differs in case from an existing one is refused: no version of another file is made.
    const ifTaken = existing === undefined ? 'refuse' : 'version';
    const place = { name, sha256, mediaType: mediaTypeOf(name), ifTaken } as const;
    const ifMatch = existing?.etag;
    if (content.size <= oneRequestBytesMax) {
      const stored = await this.#client.storeFile(
        { ...place, project: projectId, ...within(folderId), body: content },
        { headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch } },
      );
      if (stored.ok) return;
      // A server that refuses a file before its bytes have arrived closes the connection: the upload below gets the reason.
      if (stored.status !== 0) throw new RequestRefused(stored.status, stored.problem);
    }
    await uploadFile(this.#client, content, {
      ...place,
      projectId,
      ...within(folderId),
      ...(ifMatch === undefined ? {} : { ifMatch }),
    });
  }

  async #extra(path: string, { id, kind }: Entry): Promise<void> {
    if (this.#options.deleting !== 'nothing') {
      const deleted = await this.#attempt(path, async () => {
        const answer =
          kind === 'file' ? await this.#client.deleteFile({ id }) : await this.#client.deleteFolder({ id });
        if (!answer.ok) throw new RequestRefused(answer.status, answer.problem);
        return true;
      });
      if (deleted === null) return;
    }
    this.result.extra.push(path);
  }

  /** Null if it failed for this path alone; the others continue. */
  async #attempt<T>(path: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (!isAboutOne(error)) throw error;
      this.#refuse(path, error.message);
      return null;
    }
  }

  #refuse(path: string, reason: string): void {
    this.result.refused.push({ path, reason });
  }
}

interface Placed {
  readonly name: string;
  readonly folderId: string | null;
}

/** A refusal of this entry by the server, or a file that cannot be read; not a missing session or a lost connection. */
function isAboutOne(error: unknown): error is Error {
  if (error instanceof RequestRefused)
    return (
      [400, 403, 404, 409, 412, 413, 422].includes(error.status) && error.problem.code !== 'quota_exceeded'
    );
  return error instanceof Error && 'code' in error;
}

function within(folderId: string | null): { folderId?: string } {
  return folderId === null ? {} : { folderId };
}

const pathOf = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

async function hashOf(content: Blob): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of content.stream()) hash.update(part);
  return hash.digest('hex');
}

/** After a failure no further value begins. Returns or fails when all that began have ended. */
async function inParallel<T>(values: readonly T[], work: (value: T) => Promise<unknown>): Promise<void> {
  const queue = values.values();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (const value of queue) {
      if (failures.length > 0) return;
      try {
        await work(value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  if (failures.length > 0) throw failures[0];
}
