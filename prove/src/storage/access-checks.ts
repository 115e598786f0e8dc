import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import type { Random } from '../permissions/policy-draw.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { AccessOracle } from './access-oracle.ts';
import type { TreeEntry, TreeProject } from './access-tree.ts';
import { zipPathsOf } from './hostile-storing.ts';

type Headers = Readonly<Record<string, string>>;

/** The caller, with each of these credentials in turn. */
export interface Asker {
  readonly name: string;
  readonly credentials: readonly Headers[];
  readonly oracle: AccessOracle;
}

interface Listed {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null };
}

const pageRows = 5;
const atOnce = 12;
const searched = ['plan', 'e'];

/** Requests every resource, one caller after the other, and compares each response with the oracle. */
export class AccessChecks {
  readonly differing: string[] = [];
  compared = 0;
  allowed = 0;
  pages = 0;
  readonly #stage: StorageStage;
  #turn = 0;

  constructor(stage: StorageStage) {
    this.#stage = stage;
  }

  async readAll(asker: Asker): Promise<void> {
    const { oracle } = asker;
    const { projects, entries } = oracle.tree;
    const checks = [
      () => this.#projects(asker),
      ...projects.flatMap((project) => this.#ofProject(asker, project)),
      ...entries.flatMap((entry) => this.#ofEntry(asker, entry)),
    ];
    for (let at = 0; at < checks.length; at += atOnce)
      await Promise.all(checks.slice(at, at + atOnce).map((check) => check()));
  }

  /** One of the questions of `readAll`. */
  async readOne(asker: Asker, random: Random): Promise<void> {
    const { projects, entries } = asker.oracle.tree;
    const questions =
      random() < 0.2
        ? this.#ofProject(asker, pick(random, projects))
        : this.#ofEntry(asker, pick(random, entries));
    await pick(random, questions)();
  }

  /** One after the other: a success is recorded in the model, or undone by the owner. */
  async changeSome(asker: Asker, chosen: readonly TreeEntry[]): Promise<void> {
    const { oracle } = asker;
    const { tree } = oracle;
    for (const entry of chosen) {
      const path = `/api/v1/${entry.kind}s/${entry.id}`;
      await this.status(asker, 'PATCH', path, oracle.changes('update', entry, 200), { name: entry.name });
      const expected = oracle.changes('delete', entry, 204);
      if ((await this.status(asker, 'DELETE', path, expected)) === 204) {
        entry.trashed = true;
        await tree.setTrashed(entry, false);
      }
      const project = tree.projects.find(({ id }) => id === entry.projectId);
      if (project === undefined || entry.kind === 'file') continue;
      const asked = { name: tree.freshName(), folderId: entry.id };
      const folders = `/api/v1/projects/${project.id}/folders`;
      const made = oracle.creates('folder', project, entry);
      const answer = await this.ask(asker, 'POST', folders, asked);
      this.compare(asker, `POST ${folders} in ${entry.id}`, answer.status, made);
      if (answer.status === 201) tree.keep(answer.json<TreeEntry>());
    }
  }

  /** Not asked if it would succeed. */
  async #refused(asker: Asker, method: string, path: string, expected: number | null): Promise<void> {
    if (expected !== null) await this.status(asker, method, path, expected);
  }

  async status(
    asker: Asker,
    method: string,
    path: string,
    expected: number,
    json?: unknown,
  ): Promise<number> {
    const { status } = await this.ask(asker, method, path, json);
    this.compare(asker, `${method} ${path}`, status, expected);
    return status;
  }

  ask({ credentials }: Asker, method: string, path: string, json?: unknown) {
    const { port, headers } = this.next(credentials);
    return send(port, path, { method, headers, ...(json !== undefined && { json }) });
  }

  next(credentials: readonly Headers[]): { readonly port: number; readonly headers: Headers } {
    this.#turn += 1;
    const { processes } = this.#stage;
    const { port = 0 } = processes[this.#turn % processes.length] ?? {};
    return { port, headers: credentials[this.#turn % credentials.length] ?? {} };
  }

  compare({ name }: Asker, what: string, told: unknown, expected: unknown): void {
    this.compared += 1;
    const [one, other] = [JSON.stringify(told), JSON.stringify(expected)];
    if (one !== other) this.differing.push(`${name}: ${what}: ${one} instead of ${other}`);
    else if (told === 200 || told === 201) this.allowed += 1;
  }

  #projects(asker: Asker): Promise<void> {
    const { oracle } = asker;
    const readable = oracle.tree.projects.filter((project) => oracle.readsProject(project));
    return this.list(asker, `/api/v1/projects?organization=${oracle.organizationKey}`, 200, readable);
  }

  #ofProject(asker: Asker, project: TreeProject): readonly (() => Promise<unknown>)[] {
    const { oracle } = asker;
    const path = `/api/v1/projects/${project.id}`;
    return [
      () => this.status(asker, 'GET', path, oracle.readsProject(project) ? 200 : 404),
      () => this.#trash(asker, project),
      () => this.#refused(asker, 'DELETE', `${path}/trash`, oracle.refusalOfEmptying(project)),
      ...this.#ofContainer(asker, project, null),
    ];
  }

  #ofEntry(asker: Asker, entry: TreeEntry): readonly (() => Promise<unknown>)[] {
    const { oracle } = asker;
    const path = `/api/v1/${entry.kind}s/${entry.id}`;
    const expected = oracle.readsEntry(entry) ? 200 : 404;
    const read = async (): Promise<void> => {
      await this.status(asker, 'GET', path, expected);
      await this.#refused(asker, 'POST', `${path}/purge`, oracle.refusalOfPurge(entry));
    };
    if (entry.kind === 'file')
      return [
        read,
        () => this.status(asker, 'GET', `${path}/content`, expected),
        () => this.status(asker, 'GET', `${path}/versions`, oracle.readsVersions(entry)),
        () => this.status(asker, 'DELETE', `${path}/versions/99`, oracle.purgesVersion(entry)),
      ];
    const project = oracle.tree.projects.find(({ id }) => id === entry.projectId);
    return project === undefined ? [read] : [read, ...this.#ofContainer(asker, project, entry)];
  }

  #ofContainer(
    asker: Asker,
    project: TreeProject,
    folder: TreeEntry | null,
  ): readonly (() => Promise<unknown>)[] {
    const { oracle } = asker;
    const status = oracle.readsContainer(project, folder) ? 200 : 404;
    const path = `/api/v1/projects/${project.id}`;
    const inFolder = folder === null ? '' : `&folderId=${folder.id}`;
    return [
      () => this.list(asker, `${path}/children?limit=5${inFolder}`, status, oracle.children(project, folder)),
      () =>
        this.list(
          asker,
          `${path}/children?sort=name${inFolder}`,
          status,
          oracle.children(project, folder),
          byName,
        ),
      ...searched.map(
        (part) => () =>
          this.list(
            asker,
            `${path}/search?name=${part}${inFolder}`,
            status,
            oracle.found(project, folder, part),
          ),
      ),
      () => this.#archive(asker, project, folder, status),
    ];
  }

  async #archive(
    asker: Asker,
    project: TreeProject,
    folder: TreeEntry | null,
    status: number,
  ): Promise<void> {
    const path = `/api/v1/${folder === null ? `projects/${project.id}` : `folders/${folder.id}`}/archive`;
    const { port, headers } = this.next(asker.credentials);
    const answer = await sendBytes(port, { method: 'GET', path, headers }, Buffer.alloc(0));
    this.compare(asker, `GET ${path}`, answer?.status, status);
    if (answer?.status !== 200 || status !== 200) return;
    const expected = asker.oracle.archived(project, folder, (folder ?? project).name);
    this.compare(asker, `paths of ${path}`, zipPathsOf(answer.body).toSorted(), expected.toSorted());
  }

  async #trash(asker: Asker, project: TreeProject): Promise<void> {
    const { oracle } = asker;
    const path = `/api/v1/projects/${project.id}/trash?limit=5`;
    await this.list(asker, path, oracle.listsTrash(project), oracle.trashOf(project), inAnyOrder);
  }

  /** Every page but the last is full, and together they are exactly what is expected, in its order. */
  async list(
    asker: Asker,
    path: string,
    status: number,
    expected: readonly Row[],
    order: Order = newestFirst,
  ): Promise<void> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const limited = path.includes('limit=') ? path : `${path}&limit=${pageRows}`;
      const at = cursor === null ? limited : `${limited}&cursor=${cursor}`;
      const answer = await this.ask(asker, 'GET', at);
      this.compare(asker, `GET ${path}`, answer.status, status);
      if (answer.status !== 200) return;
      const { data, pagination } = answer.json<Listed>();
      this.pages += 1;
      ids.push(...data.map(({ id }) => id));
      if (pagination.hasMore && data.length !== pageRows)
        this.differing.push(`${asker.name}: GET ${path}: a page of ${data.length} before another`);
      cursor = pagination.hasMore ? pagination.nextCursor : null;
    } while (cursor !== null && ids.length <= expected.length);
    const shown = order === inAnyOrder ? ids.toSorted() : ids;
    const right = expected.toSorted(order).map(({ id }) => id);
    this.compare(asker, `ids of ${path}`, shown, right);
  }
}

type Row = Pick<TreeEntry, 'id' | 'name' | 'createdAt'>;
type Order = (one: Row, other: Row) => number;

function newestFirst(one: Row, other: Row): number {
  if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? 1 : -1;
  return one.id < other.id ? 1 : -1;
}

function byName(one: Row, other: Row): number {
  return one.name < other.name ? -1 : 1;
}

export function inAnyOrder(one: Row, other: Row): number {
  return one.id < other.id ? -1 : 1;
}
