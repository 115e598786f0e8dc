import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { Random } from '../permissions/policy-draw.ts';
import { storeFile } from './hostile-storing.ts';

/** A content that a file has or had. */
export interface TreeVersion {
  readonly number: number;
  readonly text: string;
  /** The name of a caller. */
  readonly storedBy: string;
}

export interface TreeEntry {
  readonly id: string;
  readonly kind: 'folder' | 'file';
  projectId: string;
  readonly name: string;
  readonly createdAt: string;
  parentId: string | null;
  /** Deleted itself, independent of its parent folders. */
  trashed: boolean;
  /** Of a file, oldest first. */
  versions: TreeVersion[];
}

export interface TreeProject {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  trashed: boolean;
}

export interface TreeSize {
  readonly projects: number;
  readonly folders: number;
  readonly files: number;
  readonly deletions: number;
}

const byOwner = { text: '', storedBy: 'owner' };
const words = ['alpha', 'beta', 'plan', 'note'];

/** The resources that an owner created, from the responses; in memory, so that no request is repeated. */
export class AccessTree {
  readonly projects: TreeProject[] = [];
  readonly entries: TreeEntry[] = [];
  readonly #stage: StorageStage;
  readonly #random: Random;
  readonly #byId = new Map<string, TreeEntry>();
  #named: number;

  /** Names are numbered from there, so that several trees of an organization share none. */
  constructor(stage: StorageStage, random: Random, firstNumber: number) {
    this.#stage = stage;
    this.#random = random;
    this.#named = firstNumber;
  }

  async grow({ projects, folders, files, deletions }: TreeSize): Promise<void> {
    for (let made = 0; made < projects; made += 1) await this.growProject({ folders, files });
    const gone = await this.#addProject(true);
    await this.addFolder(gone.id, null);
    await this.#tell('DELETE', `/api/v1/projects/${gone.id}`, 204);
    for (let turn = 0; turn < deletions; turn += 1) await this.setTrashed(this.#pickLive(), true);
  }

  async growProject({ folders, files }: Pick<TreeSize, 'folders' | 'files'>): Promise<void> {
    const { id } = await this.#addProject(false);
    for (let turn = 0; turn < folders; turn += 1) await this.addFolder(id, this.#deepFolder(id));
    const first = await this.#addFirstFile(id);
    for (let turn = 1; turn < files; turn += 1) await this.#copy(first, this.#anyFolder(id));
  }

  /** So that the lists of the organization contain none of it. */
  async remove(): Promise<void> {
    for (const { id, trashed } of this.projects)
      if (!trashed) await this.#tell('DELETE', `/api/v1/projects/${id}`, 204);
  }

  /** Folders above, the nearest first. */
  above({ parentId }: TreeEntry): readonly TreeEntry[] {
    const folder = this.#byId.get(parentId ?? '');
    return folder === undefined ? [] : [folder, ...this.above(folder)];
  }

  isLive(entry: TreeEntry): boolean {
    return ![entry, ...this.above(entry)].some(({ trashed }) => trashed) && !this.#inTrash(entry.projectId);
  }

  childrenOf(projectId: string, folder: TreeEntry | null): readonly TreeEntry[] {
    return this.entries.filter(
      (entry) => entry.projectId === projectId && entry.parentId === (folder?.id ?? null),
    );
  }

  /** The live entries below a folder, at any depth. */
  liveBelow(entry: TreeEntry): readonly TreeEntry[] {
    return this.childrenOf(entry.projectId, entry)
      .filter(({ trashed }) => !trashed)
      .flatMap((child) => [child, ...this.liveBelow(child)]);
  }

  /** A guest has moved it to another project: deleted entries in it stay where it was. */
  transfer(entry: TreeEntry, projectId: string, folder: TreeEntry | null): void {
    const moved = [entry, ...this.liveBelow(entry)];
    const before = entry.parentId;
    for (const { id } of moved)
      for (const left of this.entries) if (left.parentId === id && left.trashed) left.parentId = before;
    for (const one of moved) one.projectId = projectId;
    entry.parentId = folder?.id ?? null;
  }

  /** Purged, with everything in it, also what was deleted before. */
  purge(entry: TreeEntry): readonly TreeEntry[] {
    const gone = this.#withAllBelow(entry);
    this.#remove(gone);
    return gone;
  }

  purgeProject(project: TreeProject): readonly TreeEntry[] {
    project.trashed = true;
    const gone = this.entries.filter(({ projectId }) => projectId === project.id);
    this.#remove(gone);
    this.projects.splice(this.projects.indexOf(project), 1);
    return gone;
  }

  projectOf({ projectId }: TreeEntry): TreeProject {
    const project = this.projects.find(({ id }) => id === projectId);
    if (project === undefined) throw new Error('an entry without a project');
    return project;
  }

  parentOf({ parentId }: TreeEntry): TreeEntry | null {
    return this.#byId.get(parentId ?? '') ?? null;
  }

  foldersOf(projectId: string): readonly TreeEntry[] {
    return this.entries.filter((entry) => entry.projectId === projectId && entry.kind === 'folder');
  }

  /** By the owner: moves, deletes or restores an entry. */
  async change(): Promise<void> {
    const entry = pick(this.#random, this.entries);
    if (this.#inTrash(entry.projectId)) return;
    const chance = this.#random();
    if (entry.trashed || chance < 0.2) {
      const isBelowTrash = this.above(entry).some(({ trashed }) => trashed);
      if (!isBelowTrash) await this.setTrashed(entry, !entry.trashed);
    } else if (this.isLive(entry)) await this.#move(entry);
  }

  async setTrashed(entry: TreeEntry, trashed: boolean): Promise<void> {
    const path = `/api/v1/${entry.kind}s/${entry.id}`;
    if (trashed) await this.#tell('DELETE', path, 204);
    else await this.#tell('POST', `${path}/restore`, 200, {});
    entry.trashed = trashed;
  }

  async addFolder(projectId: string, parent: TreeEntry | null): Promise<TreeEntry> {
    const path = `/api/v1/projects/${projectId}/folders`;
    const asked = { name: this.freshName(), folderId: parent?.id ?? null };
    return this.keep(await this.#tell<TreeEntry>('POST', path, 201, asked));
  }

  keep(answered: TreeEntry, content: Omit<TreeVersion, 'number'> = byOwner): TreeEntry {
    const { id, kind, projectId, name, createdAt, parentId } = answered;
    const versions = kind === 'file' ? [{ number: 1, ...content }] : [];
    const entry = { id, kind, projectId, name, createdAt, parentId, trashed: false, versions };
    this.entries.push(entry);
    this.#byId.set(id, entry);
    return entry;
  }

  freshName(): string {
    this.#named += 1;
    return `${pick(this.#random, words)}${pick(this.#random, words)}${this.#named}`;
  }

  async #move(entry: TreeEntry): Promise<void> {
    const target = pick(this.#random, [null, ...this.foldersOf(entry.projectId)]);
    const isBelow = target !== null && [target, ...this.above(target)].includes(entry);
    if (isBelow || (target !== null && !this.isLive(target))) return;
    const parentId = target?.id ?? null;
    await this.#tell('PATCH', `/api/v1/${entry.kind}s/${entry.id}`, 200, { folderId: parentId });
    entry.parentId = parentId;
  }

  async #addProject(trashed: boolean): Promise<TreeProject> {
    const answer = await this.#tell<TreeProject>('POST', '/api/v1/projects', 201, { name: this.freshName() });
    const { id, name, createdAt } = answer;
    const project = { id, name, createdAt, trashed };
    this.projects.push(project);
    return project;
  }

  /** Empty: the comparison is about who may read it. */
  async #addFirstFile(projectId: string): Promise<TreeEntry> {
    const file = { name: this.freshName(), mediaType: 'text/plain', bytes: Buffer.alloc(0) };
    const id = await storeFile(this.#stage, projectId, file);
    return this.keep(await this.#tell<TreeEntry>('GET', `/api/v1/files/${id}`, 200));
  }

  async #copy(file: TreeEntry, parent: TreeEntry | null): Promise<void> {
    const asked = { name: this.freshName(), folderId: parent?.id ?? null };
    this.keep(await this.#tell<TreeEntry>('POST', `/api/v1/files/${file.id}/copy`, 201, asked));
  }

  async #tell<Body>(method: string, path: string, status: number, json?: unknown): Promise<Body> {
    const answer = await this.#stage.ask(method, path, json);
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.text === '' ? null : answer.json()) as Body;
  }

  #withAllBelow(entry: TreeEntry): readonly TreeEntry[] {
    return [entry, ...this.childrenOf(entry.projectId, entry).flatMap((child) => this.#withAllBelow(child))];
  }

  #remove(gone: readonly TreeEntry[]): void {
    for (const entry of gone) {
      entry.trashed = true;
      this.entries.splice(this.entries.indexOf(entry), 1);
      this.#byId.delete(entry.id);
    }
  }

  #inTrash(projectId: string): boolean {
    return this.projects.some(({ id, trashed }) => id === projectId && trashed);
  }

  #pickLive(): TreeEntry {
    return pick(
      this.#random,
      this.entries.filter((entry) => this.isLive(entry)),
    );
  }

  #anyFolder(projectId: string): TreeEntry | null {
    return pick(this.#random, [null, ...this.foldersOf(projectId)]);
  }

  /** Mostly below the last one, so that paths are deep. */
  #deepFolder(projectId: string): TreeEntry | null {
    const last = this.foldersOf(projectId).at(-1);
    return last !== undefined && this.#random() < 0.5 ? last : this.#anyFolder(projectId);
  }
}
