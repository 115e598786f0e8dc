import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { FaultyRequests } from './faulty-requests.ts';
import type { DescribedFile, KnownFile } from './known-file.ts';
import { knownCopy, mayHave, setContent } from './known-file.ts';

type Random = () => number;

/** Longer than any retention period. */
const longAgo = '2020-01-01T00:00:00Z';

/** A client's changes to existing files, and its knowledge of them afterwards. */
export class FaultyChanges {
  readonly #stage: StorageStage;
  readonly #requests: FaultyRequests;
  readonly #random: Random;

  constructor(stage: StorageStage, requests: FaultyRequests, random: Random) {
    this.#stage = stage;
    this.#requests = requests;
    this.#random = random;
  }

  /** Its name and folder, after a lost response. */
  async look(file: KnownFile): Promise<void> {
    const answer = await this.#requests.ask('GET', `/api/v1/files/${file.id}`);
    if (this.#requests.count('looked', answer?.status ?? null, 200)) this.#learn(file, answer?.json());
  }

  /** A 200 response has the right bytes, whatever happens meanwhile. */
  async read(file: KnownFile): Promise<void> {
    const answer = await this.#requests.readHash(`/api/v1/files/${file.id}/content`);
    if (!this.#requests.count('read', answer?.status ?? null, 200) || answer === null) return;
    if (!mayHave(file, answer.sha256)) this.#requests.unexpected.push(`${file.id}: other bytes`);
  }

  async copy(file: KnownFile, to: { name: string; folderId: string | null }): Promise<KnownFile | null> {
    const { name, folderId } = to;
    const answer = await this.#requests.ask('POST', `/api/v1/files/${file.id}/copy`, { name, folderId });
    if (!this.#requests.count('copied', answer?.status ?? null, 201) || answer === null) return null;
    const described = answer.json<DescribedFile>();
    this.#expectContent(file, described, 'copied');
    return knownCopy(file, described, to);
  }

  async move(file: KnownFile, to: { name: string; folderId: string | null }): Promise<void> {
    const { name, folderId } = to;
    const answer = await this.#requests.ask('PATCH', `/api/v1/files/${file.id}`, { name, folderId });
    file.isPlaceKnown = false;
    if (this.#requests.count('moved', answer?.status ?? null, 200)) this.#learn(file, answer?.json());
  }

  async delete(file: KnownFile): Promise<void> {
    const answer = await this.#requests.ask('DELETE', `/api/v1/files/${file.id}`);
    file.state = this.#requests.count('deleted', answer?.status ?? null, 204) ? 'trashed' : 'unknown';
  }

  /** False where it is gone for good. */
  async restore(file: KnownFile): Promise<boolean> {
    const path = `/api/v1/files/${file.id}/restore`;
    const answer = await this.#requests.ask('POST', path, { ifTaken: 'rename' });
    if (answer?.status === 404 && file.mayBePurged) return false;
    file.state = 'unknown';
    if (!this.#requests.count('restored', answer?.status ?? null, 200)) return true;
    file.state = 'live';
    file.mayBePurged = false;
    this.#learn(file, answer?.json());
    return true;
  }

  /** True where it is gone for certain. */
  async purge(file: KnownFile): Promise<boolean> {
    file.mayBePurged = true;
    file.state = 'unknown';
    const answer = await this.#requests.ask('POST', `/api/v1/files/${file.id}/purge`);
    if (!this.#requests.count('purged', answer?.status ?? null, 204)) return false;
    await this.expectGone(file);
    return true;
  }

  /** Its 30 days in the trash are over at once, so that the workers remove it. True where that is certain. */
  async letExpire(file: KnownFile): Promise<boolean> {
    file.mayBePurged = true;
    file.state = 'unknown';
    const rows = await this.#query(
      'UPDATE storage.entry SET trashed_at = $2 WHERE id = $1 AND trashed_at IS NOT NULL',
      file,
    );
    if (!this.#requests.count('let expire', rows, 1)) return false;
    await this.expectGone(file);
    return true;
  }

  /** Backdates its earlier versions by 90 days, so that the workers remove them. */
  async letVersionsExpire(file: KnownFile): Promise<void> {
    // A content that arrives meanwhile would make the one that we know of an earlier one.
    if (file.possible.size > 0) return;
    file.kept.clear();
    file.kept.add(file.sha256);
    await this.#query(
      `UPDATE storage.version SET created_at = $2 FROM storage.entry
       WHERE entry.project_id = version.project_id AND entry.id = version.file_id AND entry.id = $1
         AND version.number < entry.version`,
      file,
    );
  }

  async restoreVersion(file: KnownFile): Promise<void> {
    const path = `/api/v1/files/${file.id}/versions`;
    const listed = await this.#requests.ask('GET', path);
    if (!this.#requests.count('versions listed', listed?.status ?? null, 200) || listed === null) return;
    const versions = listed
      .json<{ data: { version: number; sha256: string | null; createdAt: string }[] }>()
      .data.flatMap(({ version, sha256, createdAt }) =>
        sha256 !== null && file.kept.has(sha256) && createdAt > longAgo ? [{ version, sha256 }] : [],
      );
    const chosen = versions[Math.floor(this.#random() * versions.length)];
    if (chosen === undefined) return;
    file.versions += 1;
    const answer = await this.#requests.ask('POST', `${path}/${chosen.version}/restore`);
    if (!this.#requests.count('version restored', answer?.status ?? null, 200)) {
      file.possible.add(chosen.sha256);
      return;
    }
    const { sha256 } = answer?.json<DescribedFile>() ?? {};
    if (sha256 !== chosen.sha256) this.#requests.unexpected.push(`${file.id}: another version restored`);
    setContent(file, chosen.sha256);
  }

  /** Also to a request at the moment of the purge. */
  async expectGone({ id }: KnownFile): Promise<void> {
    const answer = await this.#requests.readHash(`/api/v1/files/${id}/content`);
    this.#requests.count('found gone', answer?.status ?? null, 404);
  }

  #learn(file: KnownFile, described: DescribedFile | undefined): void {
    if (described === undefined) return;
    const { name, parentId, sha256 } = described;
    Object.assign(file, { name, folderId: parentId, isPlaceKnown: true });
    this.#expectContent(file, described, 'described');
    if (sha256 !== null) setContent(file, sha256);
  }

  #expectContent(file: KnownFile, { sha256 }: DescribedFile, what: string): void {
    if (sha256 !== null && !mayHave(file, sha256))
      this.#requests.unexpected.push(`${file.id}: another content ${what}`);
  }

  async #query(text: string, { id }: KnownFile): Promise<number | null> {
    return this.#stage.superuser.pool.query(text, [id, longAgo]).then(
      ({ rowCount }) => rowCount,
      () => null,
    );
  }
}
