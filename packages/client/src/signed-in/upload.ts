import type { SignedInAnswer, SignedInCall, SignedInRequest } from './signed-in-client.ts';
import { RequestRefused } from './signed-in-client.ts';

export interface UploadOptions {
  readonly projectId: string;
  readonly name: string;
  readonly folderId?: string;
  readonly mediaType?: string;
  /** If the name is taken: refuse, add a version to the existing file, or add a number to the name. */
  readonly ifTaken?: 'refuse' | 'version' | 'rename';
  /** The hash that the content must have, in hexadecimal. */
  readonly sha256?: string;
  /** The entity tag that the existing file must have. */
  readonly ifMatch?: string;
  /** The address of an upload that was begun before, as `onProgress` gave it: it continues where it stopped. */
  readonly resume?: string;
  readonly partBytes?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: UploadProgress) => void;
}

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Pass it as `resume` to continue in another process; it expires after 24 hours. */
  readonly upload: string;
}

interface Sender {
  readonly send: (request: SignedInRequest, call?: SignedInCall) => Promise<SignedInAnswer<unknown>>;
}

const version = { 'Tus-Resumable': '1.0.0' };
const partBytesDefault = 8 * 1024 * 1024;
const failuresMax = 5;

/**
 * Sends a file by tus 1.0, in parts. After a part that failed it asks for the number of received bytes and continues
 * there. Returns the address of the upload; throws a `RequestRefused` where the server refuses it.
 */
export async function uploadFile(client: Sender, content: Blob, options: UploadOptions): Promise<string> {
  const { partBytes = partBytesDefault, onProgress, signal } = options;
  const call = signal === undefined ? {} : { signal };
  const send = (request: SignedInRequest, headers: Readonly<Record<string, string>>) =>
    client.send(request, { ...call, headers: { ...version, ...headers } });
  const path = options.resume ?? (await created(send, content.size, options));
  const offset = async (): Promise<number> => offsetOf(required(await send({ method: 'HEAD', path }, {})));
  let sentBytes = options.resume === undefined ? 0 : await offset();
  for (let failures = 0; sentBytes < content.size;) {
    onProgress?.({ sentBytes, totalBytes: content.size, upload: path });
    const answer = await send(
      { method: 'PATCH', path, body: content.slice(sentBytes, sentBytes + partBytes) },
      { 'Upload-Offset': String(sentBytes), 'Content-Type': 'application/offset+octet-stream' },
    );
    if (answer.ok) {
      sentBytes = offsetOf(answer);
      failures = 0;
      continue;
    }
    failures += 1;
    const isLost =
      answer.status === 0 || answer.status === 409 || answer.status === 423 || answer.status >= 500;
    if (!isLost || failures > failuresMax) throw new RequestRefused(answer.status, answer.problem);
    sentBytes = await offset();
  }
  onProgress?.({ sentBytes, totalBytes: content.size, upload: path });
  return path;
}

type Send = (
  request: SignedInRequest,
  headers: Readonly<Record<string, string>>,
) => Promise<SignedInAnswer<unknown>>;

async function created(send: Send, size: number, options: UploadOptions): Promise<string> {
  const { projectId, name, mediaType, folderId, ifTaken, sha256, ifMatch } = options;
  const metadata = Object.entries({
    projectId,
    filename: name,
    filetype: mediaType,
    folderId,
    ifTaken,
    sha256,
    ifMatch,
  }).flatMap(([key, value]) => (value === undefined ? [] : [`${key} ${base64(value)}`]));
  const answer = required(
    await send(
      { method: 'POST', path: '/api/v1/tus' },
      { 'Upload-Length': String(size), 'Upload-Metadata': metadata.join(',') },
    ),
  );
  const location = answer.headers.get('location');
  if (location === null) throw unreadable(answer);
  return new URL(location, 'http://server/').pathname;
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

function offsetOf(answer: Sent): number {
  const offset = answer.headers.get('upload-offset') ?? '';
  if (!/^\d+$/.test(offset)) throw unreadable(answer);
  return Number(offset);
}

/** An intermediary answered in place of the server. */
function unreadable({ status }: Sent): RequestRefused {
  const problem = { code: 'unreadable_answer', detail: 'The response is not that of an upload.' };
  return new RequestRefused(status, problem);
}

type Sent = Extract<SignedInAnswer<unknown>, { readonly ok: true }>;

function required<T>(answer: SignedInAnswer<T>): Extract<SignedInAnswer<T>, { readonly ok: true }> {
  if (!answer.ok) throw new RequestRefused(answer.status, answer.problem);
  return answer;
}
