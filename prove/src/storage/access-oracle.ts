import type { WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';
import { allowedByWitness, uncoveredByWitness } from '../permissions/witness-oracle.ts';
import type { AccessTree, TreeEntry, TreeProject } from './access-tree.ts';

type Verb = 'read' | 'create' | 'update' | 'delete' | 'purge';
type ShareVerb = 'read' | 'create' | 'delete';

const currentOf = ({ versions }: TreeEntry): number => versions.at(-1)?.number ?? 0;
const resourceOf = { folder: 'Folders', file: 'Files' } as const;

/** The expected responses under these policies: each resource is decided separately, by walking up from it. */
export class AccessOracle {
  readonly tree: AccessTree;
  readonly organizationKey: string;
  /** Changes when a resource is shared with them. */
  readonly policies: WrittenPolicy[];

  constructor(tree: AccessTree, organizationKey: string, policies: readonly WrittenPolicy[]) {
    this.tree = tree;
    this.organizationKey = organizationKey;
    this.policies = [...policies];
  }

  mayProject(verb: Verb, { id }: TreeProject): boolean {
    return this.#may(`Daybook.Storage/Projects/${verb}`, [this.#projectPath(id)]);
  }

  mayEntry(verb: Verb, entry: TreeEntry): boolean {
    return this.#may(`Daybook.Storage/${resourceOf[entry.kind]}/${verb}`, this.#entryPaths(entry));
  }

  /** Its links and shares, for who may read it. */
  shares(verb: ShareVerb, entry: TreeEntry, done: number): number {
    if (!this.readsEntry(entry)) return 404;
    return this.#may(`Daybook.Storage/Shares/${verb}`, this.#entryPaths(entry)) ? done : 403;
  }

  sharesProject(verb: ShareVerb, project: TreeProject, done: number): number {
    const may = this.#may(`Daybook.Storage/Shares/${verb}`, [this.#projectPath(project.id)]);
    if (!may) return this.mayProject('read', project) ? 403 : 404;
    return project.trashed ? 404 : done;
  }

  /** Whether these policies include that policy, pair by pair. */
  holds(policy: WrittenPolicy): boolean {
    return uncoveredByWitness(this.policies, [policy]).length === 0;
  }

  readsProject(project: TreeProject): boolean {
    return !project.trashed && this.mayProject('read', project);
  }

  readsEntry(entry: TreeEntry): boolean {
    return this.tree.isLive(entry) && this.mayEntry('read', entry);
  }

  readsContainer(project: TreeProject, folder: TreeEntry | null): boolean {
    return folder === null ? this.readsProject(project) : this.readsEntry(folder);
  }

  /** Its earlier versions, for callers who may read it. */
  readsVersions(entry: TreeEntry): number {
    if (!this.readsEntry(entry)) return 404;
    return this.#may('Daybook.Storage/Versions/read', this.#entryPaths(entry)) ? 200 : 403;
  }

  /** For a version that does not exist. */
  purgesVersion(entry: TreeEntry): number {
    if (!this.readsEntry(entry)) return 404;
    return this.#may('Daybook.Storage/Versions/purge', this.#entryPaths(entry)) ? 404 : 403;
  }

  /** Null if it would succeed and so change the tree. */
  refusalOfPurge(entry: TreeEntry): number | null {
    if (!this.mayEntry('purge', entry)) return this.mayEntry('read', entry) ? 403 : 404;
    return entry.trashed ? null : 409;
  }

  refusalOfEmptying(project: TreeProject): number | null {
    if (this.#may('Daybook.Storage/Trash/purge', [this.#projectPath(project.id)])) return null;
    return this.mayProject('read', project) ? 403 : 404;
  }

  setsQuota(project: TreeProject): number {
    if (!this.#may('Daybook.Storage/Quotas/set', [this.#projectPath(project.id)]))
      return this.mayProject('read', project) ? 403 : 404;
    return project.trashed ? 404 : 200;
  }

  /** The refusal of an action: 403 for callers who may read the resource, else 404. */
  changes(verb: 'update' | 'delete', entry: TreeEntry, done: number): number {
    if (!this.mayEntry(verb, entry)) return this.mayEntry('read', entry) ? 403 : 404;
    return this.tree.isLive(entry) ? done : 404;
  }

  creates(kind: 'folder' | 'file', project: TreeProject, folder: TreeEntry | null): number {
    const lineage = folder === null ? [] : [folder, ...this.tree.above(folder)];
    const action = `Daybook.Storage/${resourceOf[kind]}/create`;
    const isLive = folder === null ? !project.trashed : this.tree.isLive(folder);
    if (this.#may(action, this.#paths(project.id, lineage, `${kind}s`))) return isLive ? 201 : 404;
    const reads = folder === null ? this.mayProject('read', project) : this.mayEntry('read', folder);
    return reads ? 403 : 404;
  }

  /** Whether a move there would let them delete permanently what they cannot delete permanently here. */
  gainsPurge(entry: TreeEntry, project: TreeProject, folder: TreeEntry | null): boolean {
    const before = this.#purges(entry, entry.projectId, this.tree.above(entry));
    const after = this.#purges(
      entry,
      project.id,
      folder === null ? [] : [folder, ...this.tree.above(folder)],
    );
    if (before.whole) return false;
    return (
      after.whole || (after.below && !before.below) || (after.versions && !before.versions && !before.below)
    );
  }

  #purges(entry: TreeEntry, projectId: string, above: readonly TreeEntry[]) {
    const may = (resource: string, lineage: readonly TreeEntry[], tail: string): boolean =>
      this.#may(`Daybook.Storage/${resource}/purge`, this.#paths(projectId, lineage, tail));
    const isFile = entry.kind === 'file';
    const inside = [entry, ...above];
    const project = this.#projectPath(projectId);
    return {
      whole:
        may(resourceOf[entry.kind], above, `${entry.kind}s/${entry.id}`) ||
        above.some((folder, at) => may('Folders', above.slice(at + 1), `folders/${folder.id}`)) ||
        this.#may('Daybook.Storage/Trash/purge', [project]) ||
        this.#may('Daybook.Storage/Projects/purge', [project]),
      below: !isFile && (may('Files', inside, 'files/any') || may('Folders', inside, 'folders/any')),
      versions: isFile ? may('Versions', above, `files/${entry.id}`) : may('Versions', inside, 'files/any'),
    };
  }

  /** Whether a move within the project would let them read what they cannot read here. */
  gainsReading(entry: TreeEntry, folder: TreeEntry | null): boolean {
    const before = this.#reads(entry, this.tree.above(entry));
    const after = this.#reads(entry, folder === null ? [] : [folder, ...this.tree.above(folder)]);
    return after.some((may, at) => may && before[at] !== true);
  }

  #reads(entry: TreeEntry, above: readonly TreeEntry[]): readonly boolean[] {
    const may = (resource: string, lineage: readonly TreeEntry[], tail: string): boolean =>
      this.#may(`Daybook.Storage/${resource}/read`, this.#paths(entry.projectId, lineage, tail));
    if (entry.kind === 'file')
      return [
        may('Files', above, `files/${entry.id}`),
        currentOf(entry) !== 1 && may('Versions', above, `files/${entry.id}`),
      ];
    const inside = [entry, ...above];
    return [
      may('Folders', above, `folders/${entry.id}`),
      may('Folders', inside, 'folders/any'),
      may('Files', inside, 'files/any'),
      may('Versions', inside, 'files/any'),
    ];
  }

  /** Renames or moves within the project. */
  movesInside(entry: TreeEntry, folder: TreeEntry | null): number {
    const may = this.changes('update', entry, 200);
    const project = this.tree.projectOf(entry);
    const created = may === 200 ? this.creates(entry.kind, project, folder) : 201;
    if (may !== 200 || created !== 201) return may === 200 ? created : may;
    if (this.gainsPurge(entry, project, folder) || this.gainsReading(entry, folder)) return 403;
    return folder !== null && [folder, ...this.tree.above(folder)].includes(entry) ? 409 : 200;
  }

  /** Restored to where it was. */
  restores(entry: TreeEntry): number {
    if (!this.mayEntry('delete', entry)) return this.mayEntry('read', entry) ? 403 : 404;
    const isBelowTrash = this.tree.above(entry).some(({ trashed }) => trashed);
    return isBelowTrash || this.tree.projectOf(entry).trashed ? 409 : 200;
  }

  changesProject(verb: 'delete' | 'purge', project: TreeProject, done: number, otherwise: number): number {
    if (!this.mayProject(verb, project)) return this.mayProject('read', project) ? 403 : 404;
    return project.trashed === (verb === 'purge') ? done : otherwise;
  }

  /** The content of one version. */
  readsVersion(entry: TreeEntry, number: number): number {
    if (!this.readsEntry(entry)) return 404;
    if (number === currentOf(entry)) return 200;
    if (this.readsVersions(entry) !== 200) return 403;
    return entry.versions.some((version) => version.number === number) ? 200 : 404;
  }

  restoresVersion(entry: TreeEntry, number: number): number {
    const may = this.changes('update', entry, 200);
    if (may !== 200 || number === currentOf(entry)) return may;
    if (!this.#may('Daybook.Storage/Versions/read', this.#entryPaths(entry)))
      return this.mayEntry('read', entry) ? 403 : 404;
    return entry.versions.some((version) => version.number === number) ? 200 : 404;
  }

  deletesVersion(entry: TreeEntry, number: number): number {
    const may = this.purgesVersion(entry);
    if (may === 403 || !this.readsEntry(entry)) return may;
    if (number === currentOf(entry)) return 409;
    return entry.versions.some((version) => version.number === number) ? 204 : 404;
  }

  /** Stores a file of this name, or its next version. */
  stores(project: TreeProject, folder: TreeEntry | null, replaced: TreeEntry | null): number {
    const created = this.creates('file', project, folder);
    return created === 201 && replaced !== null ? this.changes('update', replaced, 201) : created;
  }

  revokesLinkOf(entry: TreeEntry): number {
    if (!this.mayEntry('read', entry)) return 404;
    return this.#may('Daybook.Storage/Shares/delete', this.#entryPaths(entry)) ? 204 : 403;
  }

  foundByText(words: readonly string[]): readonly TreeEntry[] {
    return this.tree.entries.filter(
      (entry) =>
        entry.kind === 'file' &&
        this.readsEntry(entry) &&
        words.every((word) => entry.versions.at(-1)?.text.includes(word)),
    );
  }

  listsTrash(project: TreeProject): number {
    if (!this.mayProject('delete', project)) return this.mayProject('read', project) ? 403 : 404;
    return project.trashed ? 404 : 200;
  }

  trashOf({ id }: TreeProject): readonly TreeEntry[] {
    return this.tree.entries.filter((entry) => entry.projectId === id && entry.trashed);
  }

  children(project: TreeProject, folder: TreeEntry | null): readonly TreeEntry[] {
    return this.tree.childrenOf(project.id, folder).filter((entry) => this.readsEntry(entry));
  }

  found(project: TreeProject, folder: TreeEntry | null, part: string): readonly TreeEntry[] {
    return this.tree.entries.filter(
      (entry) =>
        entry.projectId === project.id &&
        entry.name.includes(part) &&
        (folder === null || this.tree.above(entry).includes(folder)) &&
        this.readsEntry(entry),
    );
  }

  /** Paths in an archive: nothing below a folder that may not be read. */
  archived(project: TreeProject, folder: TreeEntry | null, root: string): readonly string[] {
    return this.children(project, folder).flatMap((entry) => {
      const path = `${root}/${entry.name}`;
      return entry.kind === 'file' ? [path] : [`${path}/`, ...this.archived(project, entry, path)];
    });
  }

  #may(action: string, paths: readonly string[]): boolean {
    return paths.some((path) => allowedByWitness(this.policies, action, path));
  }

  #entryPaths(entry: TreeEntry): readonly string[] {
    return this.#paths(entry.projectId, this.tree.above(entry), `${entry.kind}s/${entry.id}`);
  }

  #projectPath(projectId: string): string {
    return `/organizations/${this.organizationKey}/projects/${projectId}`;
  }

  #paths(projectId: string, above: readonly TreeEntry[], tail: string): readonly string[] {
    const project = this.#projectPath(projectId);
    return [`${project}/${tail}`, ...above.map(({ id }) => `${project}/folders/${id}/${tail}`)];
  }
}
