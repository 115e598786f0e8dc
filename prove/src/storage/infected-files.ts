import { knownBytes } from '@daybook/local-clamd';

import { insertMemberships } from '../../../apps/server/src/identity/organizations/organization-store.ts';
import type { Scan } from '../../../apps/server/src/storage/inspection/clamd-scanner.ts';
import { inspectDueBlobs } from '../../../apps/server/src/storage/inspection/inspect-blobs.ts';
import { grantOf, send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import { cookieOf, signInOnForm } from '../attacks/page-attacks.ts';
import type { Tried } from './hostile-requests.ts';
import { storeFile } from './hostile-storing.ts';

type Headers = Readonly<Record<string, string>>;

/** The worker's task after uploads. */
export async function inspectAll({ upkeep, identity }: StorageStage, scan: Scan): Promise<void> {
  await inspectDueBlobs(
    { ...upkeep, scan },
    {
      transaction: (work) => identity.database.transaction().execute(work),
      signal: new AbortController().signal,
    },
  );
}

/** A caller that requests content: with a token, and with a browser. */
interface Asker {
  readonly name: string;
  readonly token: Headers;
  readonly browser: Headers;
}

export interface InfectedFiles {
  readonly projectId: string;
  readonly organizationKey: string;
  /** Each with one version that has the bytes. */
  readonly files: readonly { readonly id: string; readonly version: number }[];
  readonly uploader: Asker;
  /** A member of the organization who may read and change every file. */
  readonly member: Asker;
}

/** Stores test malware by every method, alone and inside another file, as first and as later content. */
export async function storeInfected(
  stage: StorageStage,
  organization: { readonly id: string; readonly key: string },
): Promise<InfectedFiles> {
  const projectId = await stage.newProject('infected');
  const mediaType = 'text/plain';
  const hidden = Buffer.concat([Buffer.alloc(700_000, 'x'), knownBytes, Buffer.alloc(700_000, 'y')]);
  const first = [];
  for (const [name, bytes] of Object.entries({ alone: knownBytes, within: hidden }))
    first.push(await storeFile(stage, projectId, { name, mediaType, bytes }));
  first.push(await storeInTwo(stage, projectId), await storeInParts(stage, projectId));
  const copied = await stage.ask('POST', `/api/v1/files/${first[0]}/copy`, { name: 'copied' });
  first.push(copied.json<{ id: string }>().id);
  const harmless = { name: 'later', mediaType, bytes: Buffer.from('harmless') };
  const later = await storeFile(stage, projectId, harmless);
  const path = `/api/v1/projects/${projectId}/files?name=later&ifTaken=version`;
  await sendBytes(portOf(stage), { method: 'POST', path, headers: stage.headers }, knownBytes);
  return {
    projectId,
    organizationKey: organization.key,
    files: [...first.map((id) => ({ id, version: 1 })), { id: later, version: 2 }],
    uploader: await askerOf(stage, 'uploader', stage.account),
    member: await addMember(stage, organization.id),
  };
}

function portOf({ processes }: StorageStage): number {
  return processes[0]?.port ?? 0;
}

async function reserve(stage: StorageStage, projectId: string, name: string): Promise<string> {
  const upload = { projectId, name, size: knownBytes.length, mediaType: 'image/png' };
  return (await stage.ask('POST', '/api/v1/uploads', upload)).json<{ id: string }>().id;
}

async function storeInTwo(stage: StorageStage, projectId: string): Promise<string> {
  const upload = await reserve(stage, projectId, 'in two');
  const question = { method: 'PUT', path: `/api/v1/uploads/${upload}/content`, headers: stage.headers };
  const answer = await sendBytes(portOf(stage), question, knownBytes);
  return (JSON.parse(answer?.body.toString() ?? '{}') as { id: string }).id;
}

async function storeInParts(stage: StorageStage, projectId: string): Promise<string> {
  const upload = await reserve(stage, projectId, 'in parts');
  const signed = await stage.ask('POST', `/api/v1/uploads/${upload}/parts`, { parts: [{ number: 1 }] });
  const [part] = signed.json<{ parts: { url: string }[] }>().parts;
  await fetch(part?.url ?? '', { method: 'PUT', body: knownBytes });
  const completed = await stage.ask('POST', `/api/v1/uploads/${upload}/complete`);
  return completed.json<{ fileId: string }>().fileId;
}

async function askerOf(stage: StorageStage, name: string, account: StorageStage['account']): Promise<Asker> {
  const signedIn = await send(portOf(stage), '/api/auth/token', { json: grantOf(account) });
  const { access_token: token } = signedIn.json<{ access_token: string }>();
  const cookie = cookieOf(await signInOnForm(portOf(stage), account));
  return { name, token: { authorization: `Bearer ${token}` }, browser: { cookie } };
}

async function addMember(stage: StorageStage, organizationId: string): Promise<Asker> {
  const [account] = await stage.createAccounts(1);
  if (account === undefined) throw new Error('no account was made');
  await insertMemberships(stage.identity.database, {
    accountId: account.id,
    organizationId: organizationId as Parameters<typeof insertMemberships>[1]['organizationId'],
    role: 'member',
    createdAt: stage.access.clock.now(),
  });
  return askerOf(stage, 'member', account);
}

/** Requests the bytes by every address, and further references to them. */
export async function tryInfected(
  stage: StorageStage,
  { projectId, organizationKey, files }: InfectedFiles,
  askers: readonly Asker[],
): Promise<Tried> {
  const through: string[] = [];
  let tried = 0;
  const ask = async (who: string, method: string, path: string, headers: Headers, json?: unknown) => {
    tried += 1;
    const answer = await send(portOf(stage), path, { method, headers, ...(json !== undefined && { json }) });
    if (answer.text.includes(knownBytes.toString()) || (answer.status < 300 && !path.endsWith('/archive')))
      through.push(`${who} ${method} ${path}: ${answer.status}`);
  };
  const page = `/platform/${organizationKey}`;
  for (const { name, token, browser } of askers) {
    for (const { id, version } of files) {
      const api = `/api/v1/files/${id}`;
      await ask(name, 'GET', `${api}/content`, token);
      await ask(name, 'HEAD', `${api}/content`, token);
      await ask(name, 'GET', `${api}/content?version=${version}`, token);
      await ask(name, 'GET', `${api}/content`, { ...token, range: 'bytes=0-9' });
      await ask(name, 'POST', `${api}/content-address`, token, { version });
      await ask(name, 'POST', `${api}/copy`, token, { ifTaken: 'rename' });
      await ask(name, 'POST', `${api}/versions/${version}/restore`, token);
      await ask(name, 'GET', `${page}/files/${id}/content`, browser);
      await ask(name, 'GET', `${page}/files/${id}/content?version=${version}`, browser);
      await ask(name, 'GET', `${page}/files/${id}/preview`, browser);
    }
    await ask(name, 'GET', `/api/v1/projects/${projectId}/archive`, token);
    await ask(name, 'GET', `${page}/projects/${projectId}/archive`, browser);
  }
  return { tried, through };
}
