import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { Asker } from './access-checks.ts';
import type { AccessChecks } from './access-checks.ts';
import type { AccessOracle } from './access-oracle.ts';
import type { AccessTree, TreeEntry, TreeProject } from './access-tree.ts';

interface Target {
  readonly project: TreeProject;
  readonly folder: TreeEntry | null;
}

/** Copies and moves to other projects, deleted projects and quotas, compared with the oracle. */
export class AccessTransfers {
  /** Copies and moves that were allowed. */
  made = 0;
  readonly #stage: StorageStage;
  readonly #checks: AccessChecks;
  readonly #random: () => number;

  readonly #onMoved: (moved: readonly TreeEntry[]) => void;

  constructor(
    stage: StorageStage,
    checks: AccessChecks,
    random: () => number,
    onMoved: (moved: readonly TreeEntry[]) => void = () => {},
  ) {
    this.#stage = stage;
    this.#checks = checks;
    this.#random = random;
    this.#onMoved = onMoved;
  }

  /** The owner removes each copy, so that the model stays the same. */
  async copy(asker: Asker, entry: TreeEntry): Promise<void> {
    const { oracle } = asker;
    const { project, folder } = this.#target(oracle.tree);
    const path = `/api/v1/${entry.kind}s/${entry.id}/copy`;
    const asked = { projectId: project.id, folderId: folder?.id ?? null, name: oracle.tree.freshName() };
    const answer = await this.#checks.ask(asker, 'POST', path, asked);
    const expected = copies(oracle, entry, { project, folder });
    this.#checks.compare(asker, `POST ${path} to ${folder?.id ?? project.id}`, answer.status, expected);
    if (answer.status !== 201) return;
    this.made += 1;
    const { id, copied } = answer.json<{ id: string; copied?: number }>();
    if (entry.kind === 'folder') {
      const below = oracle.archived(oracle.tree.projectOf(entry), entry, '').length;
      this.#checks.compare(asker, `entries of ${path}`, copied, below + 1);
    } else {
      const { text } = await this.#stage.ask('GET', `/api/v1/files/${id}/content`);
      this.#checks.compare(asker, `content of ${path}`, text, entry.versions.at(-1)?.text);
    }
    await this.#stage.ask('DELETE', `/api/v1/${entry.kind}s/${id}`);
    await this.#stage.ask('POST', `/api/v1/${entry.kind}s/${id}/purge`);
  }

  /** To another project; a success is recorded in the model. Shares and links of the entry end. */
  async move(asker: Asker, entry: TreeEntry): Promise<void> {
    const { oracle } = asker;
    const target = this.#target(oracle.tree);
    if (target.project.id === entry.projectId) return;
    const { project, folder } = target;
    const path = `/api/v1/${entry.kind}s/${entry.id}/move`;
    const asked = { projectId: project.id, folderId: folder?.id ?? null };
    const status = await this.#checks.status(asker, 'POST', path, moves(oracle, entry, target), asked);
    if (status !== 200) return;
    this.made += 1;
    const moved = [entry, ...oracle.tree.liveBelow(entry)];
    oracle.tree.transfer(entry, project.id, folder);
    this.#onMoved(moved);
  }

  async readProjects(asker: Asker): Promise<void> {
    const { oracle } = asker;
    const { projects } = oracle.tree;
    for (const project of projects) {
      const path = `/api/v1/projects/${project.id}/quota`;
      await this.#checks.status(asker, 'PUT', path, oracle.setsQuota(project), { quotaBytes: null });
    }
    const path = `/api/v1/deleted-projects?limit=100&organization=${oracle.organizationKey}`;
    const answer = await this.#checks.ask(asker, 'GET', path);
    const { data } = answer.json<{ data: readonly { readonly id: string }[] }>();
    const listed = new Set(data.map(({ id }) => id));
    // Earlier worlds of this run have left deleted projects.
    const known = projects.filter(({ id }) => listed.has(id)).map(({ id }) => id);
    const expected = projects.filter((project) => project.trashed && oracle.mayProject('delete', project));
    this.#checks.compare(asker, `ids of ${path}`, known.toSorted(), expected.map(({ id }) => id).toSorted());
  }

  #target(tree: AccessTree): Target {
    const project = pick(this.#random, tree.projects);
    return { project, folder: pick(this.#random, [null, ...tree.foldersOf(project.id)]) };
  }
}

function copies(oracle: AccessOracle, entry: TreeEntry, { project, folder }: Target): number {
  if (!oracle.readsEntry(entry)) return 404;
  const created = oracle.creates(entry.kind, project, folder);
  if (created !== 201 || entry.kind === 'file') return created;
  const paths = oracle.archived(oracle.tree.projectOf(entry), entry, '');
  return paths.some((path) => !path.endsWith('/')) ? oracle.creates('file', project, folder) : 201;
}

function moves(oracle: AccessOracle, entry: TreeEntry, { project, folder }: Target): number {
  if (!oracle.mayEntry('read', entry)) return 404;
  const created = oracle.creates(entry.kind, project, folder);
  if (created !== 201) return created;
  if (!oracle.mayEntry('delete', entry)) return 403;
  if (!oracle.tree.isLive(entry)) return 404;
  const below = oracle.tree.liveBelow(entry);
  if (![entry, ...below].every((one) => readsAll(oracle, one))) return 403;
  if (oracle.gainsPurge(entry, project, folder)) return 403;
  const hasFiles = entry.kind === 'folder' && below.some(({ kind }) => kind === 'file');
  const files = hasFiles ? oracle.creates('file', project, folder) : 201;
  return files === 201 ? 200 : files;
}

/** Also earlier versions. */
function readsAll(oracle: AccessOracle, entry: TreeEntry): boolean {
  return oracle.mayEntry('read', entry) && (entry.versions.length < 2 || oracle.readsVersions(entry) === 200);
}
