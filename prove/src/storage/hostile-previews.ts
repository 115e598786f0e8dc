import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { HostileFile } from './hostile-files.ts';
import type { Tried } from './hostile-requests.ts';

/** What the first bytes must be for a type to be true. */
const truly: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
  'image/jpeg': (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff',
  'image/gif': (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1')),
  'text/plain; charset=utf-8': (bytes) => !bytes.includes(0),
};

/** Shown only as its real type, with a type that runs no script, in a sandbox. Returns the shown previews. */
export async function tryPreviews(
  port: number,
  cookie: string,
  previews: readonly { readonly path: string; readonly file: HostileFile }[],
): Promise<Tried & { readonly shown: readonly string[] }> {
  const through: string[] = [];
  const shown: string[] = [];
  for (const { path, file } of previews) {
    const { status, headers } = await send(port, path, { headers: { cookie } });
    if (status === 404) continue;
    shown.push(path);
    const contentType = String(headers['content-type']);
    const isHarmless =
      status === 200 &&
      truly[contentType]?.(file.bytes) === true &&
      contentType.startsWith(file.mediaType.replace('application/json', 'text/plain')) &&
      headers['x-content-type-options'] === 'nosniff' &&
      headers['content-security-policy'] === "default-src 'none'; sandbox" &&
      headers['cross-origin-resource-policy'] === 'same-origin';
    if (!isHarmless) through.push(`${file.name} stated as ${file.mediaType}: ${status} ${contentType}`);
  }
  return { tried: previews.length, through, shown };
}
