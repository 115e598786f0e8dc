import type { UploadId } from '../src/storage/uploads/upload.ts';
import type { Answer } from './http-client.ts';
import type { TestStorage } from './storage.ts';

type Headers = Readonly<Record<string, string>>;

/** Requests of uploads in parts, sent by the owner of the organization by default. */
export function directUploads(stage: () => TestStorage, project: () => string) {
  let named = 0;
  const sign = (
    id: string,
    parts: readonly object[] = [{ number: 1 }],
    headers: Headers = stage().owner,
  ): Promise<Answer> => stage().send('POST', `/api/v1/uploads/${id}/parts`, headers, { parts });
  return {
    reserve: async (bytes: Buffer, fields: object = {}): Promise<UploadId> => {
      const body = { projectId: project(), name: `direct ${(named += 1)}`, size: bytes.length, ...fields };
      const answer = await stage().send('POST', '/api/v1/uploads', stage().owner, body);
      return answer.json()['id'] as UploadId;
    },
    sign,
    addressOf: async (id: string, part: object = { number: 1 }): Promise<string> => {
      const { parts } = (await sign(id, [part])).json() as unknown as { readonly parts: { url: string }[] };
      return parts[0]?.url ?? '';
    },
    put: async (url: string, bytes: Buffer, headers: Headers = {}): Promise<number> =>
      (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers })).status,
    complete: (id: string, headers: Headers = stage().owner): Promise<Answer> =>
      stage().send('POST', `/api/v1/uploads/${id}/complete`, headers, {}),
    arrived: async (id: string): Promise<readonly boolean[]> => {
      const answer = await stage().send('GET', `/api/v1/uploads/${id}/parts`, stage().owner);
      return (answer.json()['parts'] as { arrived: boolean }[]).map((part) => part.arrived);
    },
    /** Makes an upload older, as if no request had come for this long. */
    age: (id: string, minutes: number): Promise<unknown> =>
      stage().database.asSuperuser(
        `UPDATE storage.upload SET created_at = created_at - passed, active_at = active_at - passed
         FROM (SELECT $2 * interval '1 minute' AS passed) AS time WHERE id = $1`,
        [id, minutes],
      ),
  };
}
