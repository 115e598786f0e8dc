import type { WrittenPolicy } from '../../../apps/server/src/access/permissions/index.ts';
import { allowedByWitness, uncoveredByWitness } from '../permissions/witness-oracle.ts';
import type { AccessTree, TreeEntry, TreeProject } from './access-tree.ts';

type Verb = 'read' | 'create' | 'update' | 'delete' | 'purge';
type ShareVerb = 'read' | 'create' | 'delete';

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
