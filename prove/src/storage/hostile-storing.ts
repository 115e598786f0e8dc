import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';
import type { HostileFile } from './hostile-files.ts';
import { isHarmlessName } from './hostile-names.ts';
import type { Tried } from './hostile-requests.ts';

const atOnce = 12;

export async function storeFile(
  stage: StorageStage,
  projectId: string,
  file: HostileFile,
  headers = stage.headers,
): Promise<string> {
  const query = new URLSearchParams({ name: file.name, mediaType: file.mediaType });
  const answer = await post(
    stage,
    `/api/v1/projects/${projectId}/files?${query.toString()}`,
    file.bytes,
    headers,
  );
  if (answer?.status !== 201) throw new Error(`${file.name} was not stored: ${answer?.body.toString()}`);
  return (JSON.parse(answer.body.toString()) as { id: string }).id;
}

function post({ processes, ...stage }: StorageStage, path: string, bytes: Buffer, headers = stage.headers) {
  return sendBytes(processes[0]?.port ?? 0, { method: 'POST', path, headers }, bytes);
}

/**
 * As the name of a folder, of a file, and as another name for a file: refused, or stored as it is and harmless, and then
 * the headers of its content are those of any other file.
 */
export async function tryNames(
  stage: StorageStage,
  projectId: string,
  names: readonly string[],
  /** 3: only every third name is also given to a file. */
  filesEvery: number,
): Promise<Tried> {
  const through: string[] = [];
  const plain = await storeFile(stage, projectId, {
    name: 'plain',
    mediaType: 'text/plain',
    bytes: Buffer.from('x'),
  });
  const headersOf = async (id: string): Promise<readonly string[]> =>
    Object.keys((await stage.ask('GET', `/api/v1/files/${id}/content`)).headers).sort();
  const usual = (await headersOf(plain)).join();
  const judge = (way: string, text: string, status: number, stored: unknown): void => {
    if (status === 400 || status === 409) return;
    const name = String((stored as { name?: unknown }).name);
    const good = (status === 201 || status === 200) && name === text.normalize('NFC') && isHarmlessName(name);
    if (!good) through.push(`${way} ${JSON.stringify(text.slice(0, 60))}: ${status}`);
  };
  let files = 0;
  const tryName = async (text: string, index: number): Promise<void> => {
    const folder = await stage.ask('POST', `/api/v1/projects/${projectId}/folders`, { name: text });
    judge('folder', text, folder.status, folder.json());
    const renamed = await stage.ask('PATCH', `/api/v1/files/${plain}`, { name: text });
    judge('rename', text, renamed.status, renamed.json());
    if (index % filesEvery !== 0) return;
    files += 1;
    // Beside the folder of this name the file gets a number.
    const path = `/api/v1/projects/${projectId}/files?ifTaken=rename&name=${encoded(text)}`;
    const answer = await post(stage, path, Buffer.from('x'));
    const file = JSON.parse(answer?.body.toString() ?? '{}') as { id?: string; name?: string };
    if (answer?.status !== 201) {
      if (answer?.status !== 400)
        through.push(`file ${JSON.stringify(text.slice(0, 60))}: ${answer?.status}`);
    } else if (!isHarmlessName(file.name ?? '') || (await headersOf(file.id ?? '')).join() !== usual) {
      through.push(`headers of ${JSON.stringify(text.slice(0, 60))}`);
    }
  };
  for (let at = 0; at < names.length; at += atOnce)
    await Promise.all(names.slice(at, at + atOnce).map(tryName));
  return { tried: names.length * 2 + files, through };
}

/** Half a character cannot be encoded: it is sent as the bytes that some would make of it. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

/** Every path of the archive leads to one place below its root, on any system. */
export async function checkArchive(stage: StorageStage, projectId: string): Promise<Tried> {
  const question = { method: 'GET', path: `/api/v1/projects/${projectId}/archive`, headers: stage.headers };
  const answer = await sendBytes(stage.processes[0]?.port ?? 0, question, Buffer.alloc(0));
  const paths = zipPathsOf(answer?.body ?? Buffer.alloc(22));
  const devices = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;
  const isSafe = (path: string): boolean =>
    path
      .replace(/\/$/, '')
      .split('/')
      .every((part) => isHarmlessName(part) && !/[:*?"<>|]|[. ]$/.test(part) && !devices.test(part));
  const through = paths.filter((path) => !isSafe(path) || !path.startsWith('names/'));
  const doubled = paths.length - new Set(paths.map((path) => path.toLowerCase())).size;
  return { tried: paths.length, through: doubled === 0 ? through : [...through, `${doubled} paths twice`] };
}

/** From the central directory of a zip file. */
export function zipPathsOf(zip: Buffer): readonly string[] {
  const end = zip.subarray(-22);
  const paths: string[] = [];
  let at = end.readUInt32LE(16);
  for (let left = end.readUInt16LE(10); left > 0; left -= 1) {
    const [nameBytes, extraBytes] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    paths.push(zip.toString('utf8', at + 46, at + 46 + nameBytes));
    at += 46 + nameBytes + extraBytes;
  }
  return paths;
}
