import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import { watchRevocation } from '../http/revocation-watch.ts';
import type { AccessChecks, Asker } from './access-checks.ts';
import type { TreeEntry } from './access-tree.ts';
import { zipPathsOf } from './hostile-storing.ts';

const atOnce = 12;

/** A created link, with its target. */
export interface MadeLink {
  readonly id: string;
  readonly maker: Asker;
  readonly entry: TreeEntry;
  readonly path: string;
}

/** Links that guests create where permitted, opened without credentials while trees and permissions change. */
export class AccessLinks {
  readonly made: MadeLink[] = [];
  opened = 0;
  readonly #ended = new Set<MadeLink>();
  readonly #stage: StorageStage;
  readonly #checks: AccessChecks;

  constructor(stage: StorageStage, checks: AccessChecks) {
    this.#stage = stage;
    this.#checks = checks;
  }

  async make(maker: Asker, entries: readonly TreeEntry[]): Promise<void> {
    for (const entry of entries) {
      const path = `/api/v1/${entry.kind}s/${entry.id}/links`;
      const answer = await this.#checks.ask(maker, 'POST', path, {});
      this.#checks.compare(maker, `POST ${path}`, answer.status, maker.oracle.shares('create', entry, 201));
      const listed = maker.oracle.shares('read', entry, 200);
      await this.#checks.status(maker, 'GET', path, listed);
      if (answer.status !== 201) continue;
      const { id, url } = answer.json<{ id: string; url: string }>();
      this.made.push({ id, maker, entry, path: new URL(url).pathname });
    }
  }

  /** Each gives what its maker may read now, if the maker may share it now; else it is 404. */
  async openAll(): Promise<void> {
    for (let at = 0; at < this.made.length; at += atOnce)
      await Promise.all(this.made.slice(at, at + atOnce).map((link) => this.open(link)));
  }

  /** Links of what was purged or moved to another project. */
  endOf(entries: readonly TreeEntry[]): void {
    for (const link of this.made) if (entries.includes(link.entry)) this.#ended.add(link);
  }

  async revoke(asker: Asker, link: MadeLink): Promise<void> {
    const expected = this.#ended.has(link) ? 404 : asker.oracle.revokesLinkOf(link.entry);
    const status = await this.#checks.status(asker, 'DELETE', `/api/v1/links/${link.id}`, expected);
    if (status === 204) this.#ended.add(link);
  }

  async open(link: MadeLink): Promise<void> {
    const { maker, entry, path } = link;
    const { processes } = this.#stage;
    const { port = 0 } = processes[this.opened % processes.length] ?? {};
    this.opened += 1;
    const answer = await sendBytes(port, { method: 'GET', path, headers: {} }, Buffer.alloc(0));
    const isUsable = !this.#ended.has(link) && maker.oracle.shares('create', entry, 200) === 200;
    const expected = isUsable ? 200 : 404;
    this.#checks.compare(maker, `link to ${entry.kind} ${entry.id}`, answer?.status, expected);
    if (answer?.status !== 200 || !isUsable) return;
    if (entry.kind === 'file') {
      const { text } = entry.versions.at(-1) ?? {};
      this.#checks.compare(maker, `content of the link to ${entry.id}`, answer.body.toString(), text);
      return;
    }
    const paths = maker.oracle.archived(maker.oracle.tree.projectOf(entry), entry, entry.name);
    this.#checks.compare(
      maker,
      `paths of the link to ${entry.id}`,
      zipPathsOf(answer.body).toSorted(),
      paths.toSorted(),
    );
  }
}

/** Whether three processes under constant requests for it refuse it within a second of its end. */
export async function watchRevokedLink(stage: StorageStage, fileId: string) {
  const made = await stage.ask('POST', `/api/v1/files/${fileId}/links`, {});
  const { id, url } = made.json<{ id: string; url: string }>();
  const ports = stage.processes.map(({ port }) => port);
  return watchRevocation(
    ports,
    {
      path: new URL(url).pathname,
      headers: {},
      revoke: () => send(ports[0] ?? 0, `/api/v1/links/${id}`, { method: 'DELETE', headers: stage.headers }),
    },
    { beforeMs: 200, afterMs: 1_400 },
  );
}
