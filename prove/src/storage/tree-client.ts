import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';

/** The state of a folder as its owner knows it. */
export interface TreeFolder {
  readonly id: string;
  parentId: string | null;
  name: string;
  trashed: boolean;
}

type Random = () => number;

const names = ['a', 'A', 'b', 'ß', 'ss', 'c', 'd', 'e'];
/** Of one client at once: with more, most of the tree would be below deleted folders, where no change is possible. */
const trashedMax = 2;

export type TreeChange = 'made' | 'renamed' | 'moved' | 'deleted' | 'restored';

/**
 * One of several who change a tree at once. Each changes its own folders alone but puts them anywhere, so what it was
 * answered last about a folder is what must be in the tables.
 */
export class TreeClient {
  readonly own: TreeFolder[] = [];
  readonly #stage: StorageStage;
  readonly #projectId: string;
  readonly #everyone: TreeFolder[];
  readonly #random: Random;
  readonly done: Record<TreeChange, number> = { made: 0, renamed: 0, moved: 0, deleted: 0, restored: 0 };
  refused = 0;
  unexpected = 0;

  constructor(stage: StorageStage, projectId: string, everyone: TreeFolder[], random: Random) {
    this.#stage = stage;
    this.#projectId = projectId;
    this.#everyone = everyone;
    this.#random = random;
  }

  async act(): Promise<void> {
    const trashed = this.own.filter((folder) => folder.trashed);
    const live = this.#pick(this.own.filter((folder) => !folder.trashed));
    const chance = this.#random();
    if (live === undefined || this.own.length < 6 || (chance < 0.1 && this.own.length < 40))
      await this.#create();
    else if (chance < 0.25 && trashed.length < trashedMax) await this.#delete(live);
    else if (chance < 0.4 && trashed.length > 0) await this.#restore(this.#pick(trashed) ?? live);
    else await this.#change(live, chance < 0.75);
  }

  #pick<Value>(values: readonly Value[]): Value | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }

  /** A few names, so that they meet; now and then one that is free for sure. */
  #name(): string {
    return this.#random() < 0.5 ? (this.#pick(names) ?? 'a') : `n${Math.floor(this.#random() * 1e9)}`;
  }

  async #create(): Promise<void> {
    const [name, parentId] = [this.#name(), this.#pick([null, ...this.#everyone])?.id ?? null];
    const path = `/api/v1/projects/${this.#projectId}/folders`;
    const answer = await this.#stage.ask('POST', path, { name, folderId: parentId });
    if (!this.#count('made', answer.status, 201)) return;
    const folder = { id: answer.json<{ id: string }>().id, name, parentId, trashed: false };
    this.own.push(folder);
    this.#everyone.push(folder);
  }

  async #change(folder: TreeFolder, moves: boolean): Promise<void> {
    const parentId = this.#pick([null, ...this.#everyone])?.id ?? null;
    const change = moves ? { folderId: parentId } : { name: this.#name() };
    const answer = await this.#stage.ask('PATCH', `/api/v1/folders/${folder.id}`, change);
    if (this.#count(moves ? 'moved' : 'renamed', answer.status, 200))
      Object.assign(folder, moves ? { parentId } : change);
  }

  async #delete(folder: TreeFolder): Promise<void> {
    const answer = await this.#stage.ask('DELETE', `/api/v1/folders/${folder.id}`);
    if (this.#count('deleted', answer.status, 204)) folder.trashed = true;
  }

  async #restore(folder: TreeFolder): Promise<void> {
    const ifTaken = this.#random() < 0.7 ? 'rename' : 'refuse';
    const answer = await this.#stage.ask('POST', `/api/v1/folders/${folder.id}/restore`, { ifTaken });
    if (!this.#count('restored', answer.status, 200)) return;
    folder.trashed = false;
    folder.name = answer.json<{ name: string }>().name;
  }

  /** Refusals are part of it: a name that is taken, a circle, too deep, a place that is in the trash. */
  #count(change: TreeChange, status: number, done: number): boolean {
    if (status === done) this.done[change] += 1;
    else if (status === 409 || status === 404) this.refused += 1;
    else this.unexpected += 1;
    return status === done;
  }
}
