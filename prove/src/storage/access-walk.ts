import { setTimeout as delay } from 'node:timers/promises';

import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { Random } from '../permissions/policy-draw.ts';
import { pick } from '../permissions/policy-draw.ts';
import type { StageOrganization } from './access-askers.ts';
import { AccessChanges, textWords } from './access-changes.ts';
import type { AccessChecks, Asker } from './access-checks.ts';
import { inAnyOrder } from './access-checks.ts';
import { AccessGrants } from './access-grants.ts';
import { AccessLinks } from './access-links.ts';
import type { Receiver } from './access-shares.ts';
import { AccessShares } from './access-shares.ts';
import { AccessTransfers } from './access-transfers.ts';
import type { AccessTree, TreeEntry } from './access-tree.ts';
import { runInspection, runTextReading, runUpkeep } from './run-upkeep.ts';

const linksMax = 60;
const grantsOfRound = 8;
const operationsOfRound = 200;
/** Processes cache permissions for at most so long. */
const knownForMs = 1_000;

export interface WalkPeople {
  readonly owner: Asker;
  readonly members: readonly Asker[];
  readonly guests: readonly Receiver[];
  readonly stranger: Receiver;
}

export interface WalkOutcome {
  readonly operations: number;
  readonly changes: number;
  readonly joined: number;
  readonly searches: number;
  /** By callers who are not owners. */
  readonly deleted: number;
  readonly replaced: number;
  readonly purged: number;
  /** Of these, what an owner could not restore. */
  readonly lost: readonly string[];
}

/** Random operations of all people, each compared with the model; at the end an owner restores everything. */
export class AccessWalk {
  readonly #stage: StorageStage;
  readonly #checks: AccessChecks;
  readonly #tree: AccessTree;
  readonly #random: Random;
  readonly #people: WalkPeople;
  readonly #links: AccessLinks;
  readonly #shares: AccessShares;
  readonly #changes: AccessChanges;
  readonly #transfers: AccessTransfers;
  readonly #grants: AccessGrants;
  #operations = 0;
  #searches = 0;

  constructor(
    stage: StorageStage,
    organization: StageOrganization,
    checks: AccessChecks,
    {
      tree,
      random,
      people,
    }: { readonly tree: AccessTree; readonly random: Random; readonly people: WalkPeople },
  ) {
    this.#stage = stage;
    this.#checks = checks;
    this.#tree = tree;
    this.#random = random;
    this.#people = people;
    this.#links = new AccessLinks(stage, checks);
    this.#shares = new AccessShares(checks, random);
    const end = (entries: readonly TreeEntry[]): void => {
      this.#links.endOf(entries);
      this.#shares.endOf(entries);
      this.#grants.endOf(entries);
    };
    this.#changes = new AccessChanges(checks, tree, random, end);
    this.#transfers = new AccessTransfers(stage, checks, random, end);
    const parts = { checks, shares: this.#shares, tree, random };
    this.#grants = new AccessGrants(stage, organization, parts, people.guests);
    this.#grants.outsiders.push(people.stranger);
  }

  async run(operations: number): Promise<WalkOutcome> {
    while (this.#operations < operations) {
      for (let made = 0; made < grantsOfRound; made += 1) await this.#grants.change(this.#people.owner);
      this.#operations += grantsOfRound;
      await delay(knownForMs);
      for (let made = 0; made < operationsOfRound; made += 1) {
        const before = this.#checks.compared;
        await this.#operate();
        if (this.#checks.compared > before) this.#operations += 1;
      }
    }
    const { allowed: changes, deleted, replaced, purged } = this.#changes;
    const { joined } = this.#grants;
    const found = { operations: this.#operations, changes, joined, searches: this.#searches };
    return { ...found, deleted: deleted.size, replaced, purged, lost: await this.#restoreAll() };
  }

  async #operate(): Promise<void> {
    const asker = this.#asker();
    const changes = this.#changes;
    const operations: readonly (readonly [number, () => Promise<unknown>])[] = [
      [26, () => this.#checks.readOne(asker, this.#random)],
      [8, () => this.#readVersion(asker)],
      [10, () => this.#search(asker)],
      [4, () => this.#readText(asker)],
      [8, () => changes.store(asker)],
      [4, () => changes.restoreVersion(asker)],
      [4, () => changes.deleteVersion(asker)],
      [6, () => changes.delete(asker)],
      [7, () => changes.restore(asker)],
      [3, () => changes.purge(asker)],
      [0.5, () => changes.emptyTrash(asker)],
      [0.5, () => changes.flood(asker)],
      [2, () => changes.changeProject(asker)],
      [6, () => changes.move(asker)],
      [4, () => this.#transfers.move(asker, pick(this.#random, this.#tree.entries))],
      [2, () => this.#transfers.copy(asker, pick(this.#random, this.#tree.entries))],
      [5, () => this.#link(asker)],
    ];
    let chance = this.#random() * operations.reduce((sum, [weight]) => sum + weight, 0);
    const chosen = operations.find(([weight]) => (chance -= weight) < 0);
    await chosen?.[1]();
  }

  #asker(): Asker {
    const chance = this.#random();
    if (chance < 0.12) return this.#people.owner;
    if (chance < 0.22) return pick(this.#random, this.#people.members);
    return pick(this.#random, chance < 0.3 ? this.#grants.outsiders : this.#grants.receivers);
  }

  async #readVersion(asker: Asker): Promise<void> {
    const file = this.#file();
    const version = pick(this.#random, [...file.versions, { number: 1_000, text: '' }]);
    const path = `/api/v1/files/${file.id}/content?version=${version.number}`;
    const answer = await this.#checks.ask(asker, 'GET', path);
    const expected = asker.oracle.readsVersion(file, version.number);
    this.#checks.compare(asker, `GET ${path}`, answer.status, expected);
    if (answer.status === 200) this.#checks.compare(asker, `content of ${path}`, answer.text, version.text);
  }

  async #search(asker: Asker): Promise<void> {
    await this.#readNewTexts();
    this.#searches += 1;
    const words = this.#random() < 0.5 ? [pick(this.#random, textWords)] : ['quartz', 'meadow'];
    const { organizationKey } = asker.oracle;
    const path = `/api/v1/search?organization=${organizationKey}&limit=5&q=${encodeURIComponent(words.join(' '))}`;
    const isOutside = this.#grants.outsiders.some(({ name }) => name === asker.name);
    const found = isOutside ? [] : asker.oracle.foundByText(words);
    await this.#checks.list(asker, path, isOutside ? 404 : 200, found, inAnyOrder);
  }

  async #readText(asker: Asker): Promise<void> {
    await this.#readNewTexts();
    const file = this.#file();
    const path = `/api/v1/files/${file.id}/text`;
    const answer = await this.#checks.ask(asker, 'GET', path);
    this.#checks.compare(asker, `GET ${path}`, answer.status, asker.oracle.readsEntry(file) ? 200 : 404);
    if (answer.status !== 200) return;
    const { text } = file.versions.at(-1) ?? {};
    this.#checks.compare(asker, `text of ${path}`, answer.json<{ text: string | null }>().text ?? '', text);
  }

  /** As workers do every two seconds. */
  async #readNewTexts(): Promise<void> {
    if (!this.#changes.unread) return;
    await runInspection(this.#stage.upkeep);
    await runTextReading(this.#stage.upkeep);
    this.#changes.unread = false;
  }

  async #link(asker: Asker): Promise<void> {
    const usable = this.#links.made.filter(({ entry }) => this.#tree.entries.includes(entry));
    const chance = this.#random();
    if (chance < 0.3 && usable.length < linksMax)
      await this.#links.make(asker, [pick(this.#random, this.#tree.entries)]);
    else if (chance < 0.45 && usable.length > 0) await this.#links.revoke(asker, pick(this.#random, usable));
    else if (this.#links.made.length > 0) await this.#links.open(pick(this.#random, this.#links.made));
  }

  /** What a worker removes is removed first: only what no restored entry needs. */
  async #restoreAll(): Promise<readonly string[]> {
    await runUpkeep(this.#stage.upkeep);
    const lost: string[] = [];
    const restore = async (path: string): Promise<void> => {
      const { status } = await this.#stage.ask('POST', `${path}/restore`, { ifTaken: 'rename' });
      if (status !== 200) lost.push(`${path}: ${status}`);
    };
    for (const project of this.#tree.projects.filter(({ trashed }) => trashed)) {
      const { status } = await this.#stage.ask('POST', `/api/v1/projects/${project.id}/restore`);
      if (status !== 200) lost.push(`project ${project.id}: ${status}`);
      // The tree is removed at the end of the walk.
      else project.trashed = false;
    }
    const depth = (entry: TreeEntry): number => this.#tree.above(entry).length;
    const byDepth = this.#tree.entries.toSorted((one, other) => depth(one) - depth(other));
    for (const { id, kind, trashed } of byDepth) if (trashed) await restore(`/api/v1/${kind}s/${id}`);
    for (const { id, versions } of byDepth)
      for (const { number, text } of versions) {
        const answer = await this.#stage.ask('GET', `/api/v1/files/${id}/content?version=${number}`);
        if (answer.text !== text) lost.push(`version ${number} of ${id}: ${answer.status}`);
      }
    return lost;
  }

  #file(): TreeEntry {
    return pick(
      this.#random,
      this.#tree.entries.filter(({ kind }) => kind === 'file'),
    );
  }
}
