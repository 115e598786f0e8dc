import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import type { Random } from '../permissions/policy-draw.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { AccessChecks, Asker } from './access-checks.ts';
import type { AccessTree, TreeEntry, TreeProject, TreeVersion } from './access-tree.ts';

/** Rare and common words, so that searches find few files and many. */
export const textWords = ['quartz', 'meadow', 'harbour', 'lantern', 'orchid', '预算数据', '会议纪要'];
/** As the guide says: beyond these, an upload deletes earlier contents that its own sender stored. */
const versionsMax = 20;
const entriesMax = 90;

/** Changes of files, folders and projects by any caller: compared with the oracle, then recorded in the model. */
export class AccessChanges {
  /** Contents in the model without a searchable text yet. */
  unread = true;
  allowed = 0;
  /** By callers who are not owners. */
  readonly deleted = new Set<TreeEntry>();
  replaced = 0;
  purged = 0;
  readonly #checks: AccessChecks;
  readonly #tree: AccessTree;
  readonly #random: Random;
  readonly #onGone: (gone: readonly TreeEntry[]) => void;
  #turn = 0;

  constructor(
    checks: AccessChecks,
    tree: AccessTree,
    random: Random,
    onGone: (gone: readonly TreeEntry[]) => void,
  ) {
    this.#checks = checks;
    this.#tree = tree;
    this.#random = random;
    this.#onGone = onGone;
  }

  /** The next version of a file, or a new file. */
  async store(asker: Asker): Promise<void> {
    const isNew = this.#random() < 0.3 && this.#tree.entries.length < entriesMax;
    const replaced = isNew ? null : this.#file();
    if (replaced !== null && !this.#tree.isLive(replaced)) return;
    await this.#storeAt(asker, replaced);
  }

  /** More contents than a file retains. */
  async flood(asker: Asker): Promise<void> {
    const file = this.#file();
    if (!this.#tree.isLive(file)) return;
    for (let sent = 0; sent < versionsMax + 2; sent += 1) if (!(await this.#storeAt(asker, file))) return;
  }

  async #storeAt(asker: Asker, replaced: TreeEntry | null): Promise<boolean> {
    const { oracle, name: storedBy } = asker;
    const project =
      replaced === null ? pick(this.#random, this.#tree.projects) : this.#tree.projectOf(replaced);
    const folder =
      replaced === null
        ? pick(this.#random, [null, ...this.#tree.foldersOf(project.id)])
        : this.#tree.parentOf(replaced);
    const text = `${pick(this.#random, textWords)} ${pick(this.#random, textWords)} ${(this.#turn += 1)}`;
    const query = new URLSearchParams({
      name: replaced?.name ?? this.#tree.freshName(),
      mediaType: 'text/plain',
      ifTaken: 'version',
      ...(folder !== null && { folderId: folder.id }),
    });
    const path = `/api/v1/projects/${project.id}/files?${query.toString()}`;
    const { port, headers } = this.#checks.next(asker.credentials);
    const answer = await sendBytes(port, { method: 'POST', path, headers }, Buffer.from(text));
    const expected = oracle.stores(project, folder, replaced);
    this.#checks.compare(asker, `POST ${path}`, answer?.status, expected);
    if (answer?.status !== 201 || expected !== 201) return false;
    this.#note(asker, { replaced: replaced === null ? 0 : 1 });
    this.unread = true;
    if (replaced === null)
      this.#tree.keep(JSON.parse(answer.body.toString()) as TreeEntry, { text, storedBy });
    else addVersion(replaced, { text, storedBy });
    return true;
  }

  async restoreVersion(asker: Asker): Promise<void> {
    const file = this.#file();
    const { number, text } = this.#version(file);
    const path = `/api/v1/files/${file.id}/versions/${number}/restore`;
    const expected = asker.oracle.restoresVersion(file, number);
    const status = await this.#checks.status(asker, 'POST', path, expected);
    if (status !== 200 || expected !== 200 || number === file.versions.at(-1)?.number) return;
    this.#note(asker, { replaced: 1 });
    addVersion(file, { text, storedBy: asker.name });
  }

  async deleteVersion(asker: Asker): Promise<void> {
    const file = this.#file();
    const { number } = this.#version(file);
    const path = `/api/v1/files/${file.id}/versions/${number}`;
    const expected = asker.oracle.deletesVersion(file, number);
    if ((await this.#checks.status(asker, 'DELETE', path, expected)) !== 204) return;
    file.versions = file.versions.filter((version) => version.number !== number);
    this.#note(asker, { purged: 1 });
  }

  async delete(asker: Asker): Promise<void> {
    const entry = pick(this.#random, this.#tree.entries);
    const path = `/api/v1/${entry.kind}s/${entry.id}`;
    const expected = asker.oracle.changes('delete', entry, 204);
    if ((await this.#checks.status(asker, 'DELETE', path, expected)) !== 204) return;
    entry.trashed = true;
    this.#note(asker);
    if (asker.name !== 'owner') this.deleted.add(entry);
  }

  async restore(asker: Asker): Promise<void> {
    const entry = this.#deleted();
    const path = `/api/v1/${entry.kind}s/${entry.id}/restore`;
    const expected = asker.oracle.restores(entry);
    const asked = { ifTaken: 'rename' };
    if ((await this.#checks.status(asker, 'POST', path, expected, asked)) !== 200) return;
    entry.trashed = false;
    this.#note(asker);
  }

  async purge(asker: Asker): Promise<void> {
    const entry = this.#deleted();
    const path = `/api/v1/${entry.kind}s/${entry.id}/purge`;
    const expected = asker.oracle.refusalOfPurge(entry) ?? 204;
    if ((await this.#checks.status(asker, 'POST', path, expected)) !== 204 || expected !== 204) return;
    this.#forget(asker, this.#tree.purge(entry));
  }

  async emptyTrash(asker: Asker): Promise<void> {
    const project = pick(this.#random, this.#tree.projects);
    const path = `/api/v1/projects/${project.id}/trash`;
    const expected = asker.oracle.refusalOfEmptying(project) ?? (project.trashed ? 404 : 204);
    if ((await this.#checks.status(asker, 'DELETE', path, expected)) !== 204 || expected !== 204) return;
    for (const entry of this.#tree.entries.filter((one) => one.projectId === project.id && one.trashed))
      if (this.#tree.entries.includes(entry)) this.#forget(asker, this.#tree.purge(entry));
  }

  /** Within its project. */
  async move(asker: Asker): Promise<void> {
    const entry = pick(this.#random, this.#tree.entries);
    const folder = pick(this.#random, [null, ...this.#tree.foldersOf(entry.projectId)]);
    const path = `/api/v1/${entry.kind}s/${entry.id}`;
    const expected = asker.oracle.movesInside(entry, folder);
    const asked = { folderId: folder?.id ?? null };
    if ((await this.#checks.status(asker, 'PATCH', path, expected, asked)) !== 200) return;
    entry.parentId = folder?.id ?? null;
    this.#note(asker);
  }

  async changeProject(asker: Asker): Promise<void> {
    const project = pick(this.#random, this.#tree.projects);
    const path = `/api/v1/projects/${project.id}`;
    const chance = this.#random();
    if (chance < 0.3) await this.#deleteProject(asker, project, path);
    else if (chance < 0.9) await this.#restoreProject(asker, project, path);
    else await this.#purgeProject(asker, project, path);
  }

  async #deleteProject(asker: Asker, project: TreeProject, path: string): Promise<void> {
    const expected = asker.oracle.changesProject('delete', project, 204, 404);
    if ((await this.#checks.status(asker, 'DELETE', path, expected)) !== 204) return;
    project.trashed = true;
    this.#note(asker);
  }

  async #restoreProject(asker: Asker, project: TreeProject, path: string): Promise<void> {
    const expected = asker.oracle.changesProject('delete', project, 200, 200);
    if ((await this.#checks.status(asker, 'POST', `${path}/restore`, expected)) !== 200) return;
    project.trashed = false;
    this.#note(asker);
  }

  async #purgeProject(asker: Asker, project: TreeProject, path: string): Promise<void> {
    const expected = asker.oracle.changesProject('purge', project, 204, 409);
    if ((await this.#checks.status(asker, 'POST', `${path}/purge`, expected)) !== 204) return;
    this.#forget(asker, this.#tree.purgeProject(project));
    await this.#tree.growProject({ folders: 5, files: 5 });
  }

  #forget(asker: Asker, gone: readonly TreeEntry[]): void {
    for (const entry of gone) this.deleted.delete(entry);
    this.#onGone(gone);
    this.#note(asker, { purged: gone.length });
  }

  #note({ name }: Asker, { replaced = 0, purged = 0 } = {}): void {
    this.allowed += 1;
    if (name === 'owner') return;
    this.replaced += replaced;
    this.purged += purged;
  }

  #file(): TreeEntry {
    return pick(
      this.#random,
      this.#tree.entries.filter(({ kind }) => kind === 'file'),
    );
  }

  /** Mostly one in the trash. */
  #deleted(): TreeEntry {
    const deleted = this.#tree.entries.filter(({ trashed }) => trashed);
    return pick(this.#random, deleted.length > 0 && this.#random() < 0.8 ? deleted : this.#tree.entries);
  }

  #version({ versions }: TreeEntry): TreeVersion {
    const missing = { number: 1_000, text: '', storedBy: '' };
    return pick(this.#random, [...versions, missing]);
  }
}

function addVersion(file: TreeEntry, content: Omit<TreeVersion, 'number'>): void {
  const number = (file.versions.at(-1)?.number ?? 0) + 1;
  const isDropped = (version: TreeVersion): boolean =>
    version.number <= number - versionsMax && version.storedBy === content.storedBy;
  file.versions = [...file.versions.filter((version) => !isDropped(version)), { number, ...content }];
}
