import { setTimeout as delay } from 'node:timers/promises';

import type { StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import type { Tried } from './hostile-requests.ts';
import { storeFile } from './hostile-storing.ts';

type Headers = Readonly<Record<string, string>>;

const bytes = Buffer.from('the content of a file');

/** Each must be refused; any other response is a successful attack. */
class Attempts {
  readonly through: string[] = [];
  tried = 0;

  async refused(what: string, url: string, init: RequestInit = {}): Promise<void> {
    this.tried += 1;
    const { status } = await fetch(url, init);
    if (status < 400) this.through.push(`${what}: ${status}`);
  }

  async hidden(what: string, answer: StageAnswer): Promise<void> {
    this.tried += 1;
    if (answer.status !== 404) this.through.push(`${what}: ${answer.status}`);
  }

  /** The address is valid for a second; on a slow machine it may expire before the first request. */
  async expires(what: string, url: string, init: () => RequestInit): Promise<void> {
    this.tried += 1;
    const end = performance.now() + 15_000;
    while ((await fetch(url, init())).status < 400) {
      if (performance.now() > end) {
        this.through.push(`${what}: still good after 15 s`);
        return;
      }
      await delay(200);
    }
  }

  holds(what: string, value: boolean): void {
    this.tried += 1;
    if (!value) this.through.push(what);
  }
}

/** Bucket addresses of content: altered, expired, and requested by unauthorized callers. */
export async function tryContentAddresses(
  stage: StorageStage,
  projectId: string,
  strangers: readonly Headers[],
): Promise<Tried> {
  const attempts = new Attempts();
  const file = { mediaType: 'text/plain', bytes };
  const id = await storeFile(stage, projectId, { ...file, name: 'addressed' });
  const otherId = await storeFile(stage, projectId, { ...file, name: 'other', bytes: Buffer.from('other') });
  const path = `/api/v1/files/${id}/content-address`;
  const { url } = (await stage.ask('POST', path, {})).json<{ url: string }>();
  attempts.holds('the address gives the content', (await (await fetch(url)).text()) === bytes.toString());
  const otherKey = await blobKeyOf(stage, otherId);
  const key = await blobKeyOf(stage, id);
  await attempts.refused('of another object', url.replace(key, otherKey));
  for (const [what, altered] of alterations(url, {
    'X-Amz-Expires': '604800',
    'response-content-disposition': 'inline',
    'response-content-type': 'text/html',
  }))
    await attempts.refused(what, altered);
  for (const method of ['PUT', 'DELETE', 'POST'])
    await attempts.refused(`by ${method}`, url, { method, ...(method !== 'DELETE' && { body: 'changed' }) });
  attempts.holds('the content is unchanged', (await (await fetch(url)).text()) === bytes.toString());
  const short = (await stage.bucket.direct?.signRead(key, 'attachment', 1)) ?? '';
  await attempts.expires('an address of one second', short, () => ({}));
  const { port = 0 } = stage.processes[0] ?? {};
  for (const headers of strangers)
    await attempts.hidden('by a stranger', await send(port, path, { json: {}, headers }));
  return attempts;
}

/** Addresses that take the parts of an upload: altered, expired, used after it was completed, and of others. */
export async function tryPartAddresses(
  stage: StorageStage,
  projectId: string,
  strangers: readonly Headers[],
): Promise<Tried> {
  const attempts = new Attempts();
  const [upload, other] = [
    await beginUpload(stage, projectId, 'in parts'),
    await beginUpload(stage, projectId, 'another in parts'),
  ];
  const put = (body: Buffer = bytes): RequestInit => ({ method: 'PUT', body: new Uint8Array(body) });
  const [key, name] = [upload.name.slice(0, 32), upload.name.slice(33)];
  const [otherKey, otherName] = [other.name.slice(0, 32), other.name.slice(33)];
  await attempts.refused('to another object', upload.url.replace(key, otherKey), put());
  for (const [what, altered] of alterations(upload.url, { partNumber: '2', uploadId: otherName }))
    await attempts.refused(what, altered, put());
  await attempts.refused('more bytes than announced', upload.url, put(Buffer.concat([bytes, bytes])));
  await attempts.refused('by GET', upload.url);
  await attempts.refused('the finished object by the same address', withoutUpload(upload.url), put());
  const short =
    (await stage.bucket.direct?.signPart(
      `${key}.${name}`,
      { number: 1, size: bytes.length, md5: null },
      1,
    )) ?? '';
  await attempts.expires('an address of one second', short, put);
  const { port = 0 } = stage.processes[0] ?? {};
  for (const headers of strangers) {
    const json = { parts: [{ number: 1 }] };
    const path = `/api/v1/uploads/${upload.id}/parts`;
    await attempts.hidden('by a stranger', await send(port, path, { json, headers }));
  }
  attempts.holds('a part is taken', (await fetch(upload.url, put())).status === 200);
  const completed = await stage.ask('POST', `/api/v1/uploads/${upload.id}/complete`);
  const { fileId } = completed.json<{ fileId: string }>();
  await attempts.refused('used after completion', upload.url, put());
  await attempts.refused('used after completion, other bytes', upload.url, put(Buffer.from('x'.repeat(21))));
  const content = await stage.ask('GET', `/api/v1/files/${fileId}/content`);
  attempts.holds('the content is what was sent', content.text === bytes.toString());
  return attempts;
}

async function beginUpload(
  stage: StorageStage,
  projectId: string,
  name: string,
): Promise<{ readonly id: string; readonly url: string; readonly name: string }> {
  const reserved = await stage.ask('POST', '/api/v1/uploads', { projectId, name, size: bytes.length });
  const { id } = reserved.json<{ id: string }>();
  const signed = await stage.ask('POST', `/api/v1/uploads/${id}/parts`, { parts: [{ number: 1 }] });
  const { parts } = signed.json<{ parts: readonly { readonly url: string }[] }>();
  const { rows } = await stage.superuser.pool.query<{ staged_name: string }>(
    'SELECT staged_name FROM storage.upload WHERE id = $1',
    [id],
  );
  return { id, url: parts[0]?.url ?? '', name: rows[0]?.staged_name ?? '' };
}

/** The address with each of these, with another signature and with none. */
function alterations(
  url: string,
  parameters: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  const signature = /X-Amz-Signature=([0-9a-f]+)/.exec(url)?.[1] ?? '';
  const flipped = signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const all = { ...parameters, 'X-Amz-Signature': flipped };
  const altered = Object.entries(all).map(([name, value]): readonly [string, string] => [
    name,
    withParameter(url, name, value),
  ]);
  const unsigned = url.replace(/&X-Amz-Signature=[0-9a-f]+/, '');
  return [...altered, ['unsigned', unsigned], ['without a query', url.replace(/\?.*$/, '')]];
}

/** The rest stays unchanged, to the letter: the refusal must come from this change. */
function withParameter(url: string, name: string, value: string): string {
  const changed = url.replace(
    new RegExp(`([?&]${RegExp.escape(name)}=)[^&]*`),
    (_, before: string) => before + encodeURIComponent(value),
  );
  if (changed === url) throw new Error(`the address has no other ${name}: ${url}`);
  return changed;
}

function withoutUpload(url: string): string {
  const changed = new URL(url);
  for (const name of ['uploadId', 'partNumber']) changed.searchParams.delete(name);
  return changed.href;
}

async function blobKeyOf({ superuser }: StorageStage, fileId: string): Promise<string> {
  const { rows } = await superuser.pool.query<{ blob_key: string }>(
    'SELECT blob_key FROM storage.version WHERE file_id = $1',
    [fileId],
  );
  return rows[0]?.blob_key ?? '';
}
