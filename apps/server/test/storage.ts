import type { callers } from '../src/access/index.ts';
import { permissions } from '../src/access/index.ts';
import { deriveDueContents } from '../src/storage/derived/derive-contents.ts';
import { whyNoSandbox } from '../src/storage/derived/sandbox.ts';
import type { StorageDeps, StorageRequest } from '../src/storage/index.ts';
import { inspectDueBlobs } from '../src/storage/inspection/inspect-blobs.ts';
import type { TestAccess, TestMember, TestOrganization } from './access.ts';
import { startTestAccess } from './access.ts';
import type { Answer } from './http-client.ts';
import { ask } from './http-client.ts';
import type { TestIdentityOptions } from './identity.ts';
import { testStorage } from './identity.ts';

type Headers = Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, unknown>> & { readonly id: string };

export interface TestStorage extends TestAccess {
  readonly acme: TestOrganization;
  /** The owner of the organization. */
  readonly owner: Headers;
  readonly viewer: TestMember;
  readonly stranger: Headers;
  readonly newProject: (name?: string) => Promise<Fields>;
  readonly newFolder: (projectId: string, name: string, folderId?: string) => Promise<Fields>;
  /** In one request; returns any response. */
  readonly store: (
    projectId: string,
    query: string,
    bytes: Buffer | string,
    headers?: Headers,
  ) => Promise<Answer>;
  readonly newFile: (
    projectId: string,
    name: string,
    bytes: Buffer | string,
    query?: string,
  ) => Promise<Fields>;
  readonly contentOf: (fileId: unknown, headers?: Headers, rest?: string) => Promise<Answer>;
  /** Sets a quota for the organization. */
  readonly giveRoom: (bytes: number) => Promise<void>;
  /** For use cases: a caller who may read these resources, and nothing else. */
  readonly actingUnder: (resources: readonly string[]) => {
    readonly deps: StorageDeps;
    readonly asked: StorageRequest;
  };
  /** The worker's jobs after uploads, without a scanner. */
  readonly inspectAll: () => Promise<void>;
  /** After `inspectAll`: reads the text of scanned content. */
  readonly deriveAll: () => Promise<void>;
  /** The dependencies of upkeep. */
  readonly upkeep: TestAccess['access'] & Pick<StorageDeps, 'bucket' | 'settings'>;
}

/** Storage over HTTP on a folder, or the given bucket, and a separate database, with an organization, a viewer and a stranger. */
export async function startTestStorage(
  options: {
    readonly bucket?: TestAccess['bucket'];
    readonly files?: NonNullable<TestIdentityOptions['files']>;
    readonly pages?: boolean;
    readonly authUrl?: string;
  } = {},
): Promise<TestStorage> {
  const stage = await startTestAccess(options);
  const acme = await stage.createOrganization();
  const owner = acme.owner.headers;
  const made = async (path: string, json: unknown): Promise<Fields> => {
    const answer = await stage.send('POST', path, owner, json);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json() as Fields;
  };
  const store: TestStorage['store'] = (projectId, query, bytes, headers = owner) =>
    ask(stage.app.port, `/api/v1/projects/${projectId}/files?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', ...headers },
      body: bytes,
    });
  let projects = 0;
  const upkeep = { ...stage.access, bucket: stage.bucket, settings: { ...testStorage, ...options.files } };
  return {
    ...stage,
    acme,
    owner,
    viewer: await acme.addMember('viewer'),
    stranger: (await stage.createOrganization()).owner.headers,
    newProject: (name) => made('/api/v1/projects', { name: name ?? `Project ${(projects += 1)}` }),
    newFolder: (projectId, name, folderId) =>
      made(`/api/v1/projects/${projectId}/folders`, { name, ...(folderId !== undefined && { folderId }) }),
    store,
    newFile: async (projectId, name, bytes, query = '') => {
      const answer = await store(projectId, `name=${encodeURIComponent(name)}&${query}`, bytes);
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json() as Fields;
    },
    contentOf: (fileId, headers = owner, rest = '') =>
      ask(stage.app.port, `/api/v1/files/${String(fileId)}/content${rest}`, { headers }),
    giveRoom: async (bytes) => {
      await stage.database.asSuperuser(
        `INSERT INTO storage.usage (organization_id, quota_bytes) VALUES ($1, $2)
         ON CONFLICT (organization_id) DO UPDATE SET quota_bytes = excluded.quota_bytes`,
        [acme.id, bytes],
      );
    },
    actingUnder: (resources) => actingUnder(stage, acme, resources),
    inspectAll: () => inspectDueBlobs({ ...upkeep, scan: null }, workContext(stage)),
    deriveAll: () => deriveDueContents({ ...upkeep, whyNoSandbox }, workContext(stage)),
    upkeep,
  };
}

function workContext({ access }: TestAccess): Parameters<typeof inspectDueBlobs>[1] {
  return {
    signal: new AbortController().signal,
    transaction: (work) => access.database.transaction().execute(work),
  };
}

function actingUnder(
  { access, bucket }: TestAccess,
  { id, key, owner }: TestOrganization,
  resources: readonly string[],
): ReturnType<TestStorage['actingUnder']> {
  const policy = permissions.parsePolicy({ actions: ['Daybook.Storage/*/read'], resources }, key);
  if (!policy.ok) throw new Error('not a policy');
  const caller = { accountId: owner.id, credential: { kind: 'session', sessionId: '' } } as callers.Caller;
  const authority = permissions.compileAuthority([policy.value]);
  const actor = { caller, authority, organization: { id, key } };
  return {
    deps: {
      ...access,
      authorities: {
        actorIn: async () => actor,
        presentActorIn: async () => actor,
        forget: () => {},
      },
      bucket,
      settings: testStorage,
    },
    asked: { caller, client: { address: '', userAgent: '' } },
  };
}
