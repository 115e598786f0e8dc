import type { UploadId } from '../src/storage/uploads/upload.ts';
import type { Answer } from './http-client.ts';
import { ask } from './http-client.ts';
import type { TestStorage } from './storage.ts';

type Headers = Readonly<Record<string, string>>;

export const tusVersion = { 'tus-resumable': '1.0.0' };
export const pieceType = { 'content-type': 'application/offset+octet-stream' };
export const offsetOf = ({ headers }: Answer): unknown => headers['upload-offset'];
export const idOf = (url: string): UploadId => url.split('/').at(-1) as UploadId;

export function tusMetadata(fields: Headers): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

/** tus requests, sent by the owner of the organization by default. */
export function tusRequests(stage: () => TestStorage, project: () => string) {
  let named = 0;
  const send = (method: string, url: string, headers: Headers, body?: string | Buffer): Promise<Answer> =>
    ask(stage().app.port, url, {
      method,
      headers: { ...tusVersion, ...headers },
      ...(body !== undefined && { body }),
    });
  const newName = (): string => `resumed ${(named += 1)}`;
  const create = (
    size: number | string,
    fields: Headers = {},
    headers: Headers = stage().owner,
    first?: string | Buffer,
  ) => {
    const metadata = tusMetadata({ projectId: project(), filename: newName(), ...fields });
    const creation = { ...headers, 'upload-length': String(size), 'upload-metadata': metadata };
    return send('POST', '/api/v1/tus', creation, first);
  };
  const uploadOf = async (url: string) =>
    (await stage().send('GET', `/api/v1/uploads/${idOf(url)}`, stage().owner)).json();
  return {
    newName,
    create,
    /** With the first bytes. */
    createWith: (size: number, first: string | Buffer, fields: Headers = {}, headers: Headers = {}) =>
      create(size, fields, { ...stage().owner, ...pieceType, ...headers }, first),
    /** The address of a new upload. */
    created: async (size: number, fields: Headers = {}): Promise<string> => {
      const answer = await create(size, fields);
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.headers.location ?? '';
    },
    patch: (url: string, offset: number | string, body: string | Buffer, headers: Headers = {}) =>
      send(
        'PATCH',
        url,
        { ...stage().owner, ...pieceType, 'upload-offset': String(offset), ...headers },
        body,
      ),
    head: (url: string, headers: Headers = stage().owner) => send('HEAD', url, headers),
    end: (url: string, headers: Headers = stage().owner) => send('DELETE', url, headers),
    uploadOf,
    contentOf: async (url: string): Promise<Buffer> =>
      (await stage().contentOf((await uploadOf(url))['fileId'])).body,
  };
}
