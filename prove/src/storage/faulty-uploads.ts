import { setTimeout as delay } from 'node:timers/promises';

import type { StageAnswer } from '../../../apps/server/test/accounts-stage.ts';
import type { FaultyRequests } from './faulty-requests.ts';
import { createTusUpload, sendByTus } from './faulty-tus.ts';
import type { GeneratedContent } from './generated-content.ts';

export type UploadMethod = 'in one request' | 'in two requests' | 'by tus' | 'in parts';

interface UploadPlace {
  readonly projectId: string;
  readonly folderId: string | null;
  readonly name: string;
}

type Answer = { readonly status: number; readonly body: Buffer };

const triesMax = 200;
/** After a failure a client waits, as clients do: else a restarting process is hardly able to start. */
const pauseMs = 100;

/**
 * Stores a content as a new file or the next version of the one that has the name, and answers the id of the file; null
 * where no answer came, so that it may be stored or not, or be so later.
 */
export async function storeUnderFault(
  requests: FaultyRequests,
  { place, content, method }: { place: UploadPlace; content: GeneratedContent; method: UploadMethod },
  /** Nothing is tried again from then on. */
  signal: AbortSignal,
  random: () => number,
): Promise<string | null> {
  const what = `stored ${method}`;
  if (method === 'in one request') {
    // Not repeated: where no answer came, nothing is known about it.
    const answer = await requests.send('POST', storingPath(place), content);
    return requests.count(what, answer?.status ?? null, 201) ? idIn(answer) : null;
  }
  const attempt = await begin(requests, { place, content, method }, random);
  if (attempt === null) return null;
  for (let tries = 0; tries < triesMax && !signal.aborted; tries += 1) {
    const answer = await attempt();
    const isOver = answer !== null && answer.status < 500;
    if (isOver) return requests.count(what, answer.status, 200) ? idIn(answer) : null;
    await delay(pauseMs);
  }
  requests.count(what, null, 200);
  return null;
}

function storingPath({ projectId, folderId, name }: UploadPlace): string {
  const query = new URLSearchParams({ name, ifTaken: 'version', ...(folderId !== null && { folderId }) });
  return `/api/v1/projects/${projectId}/files?${query.toString()}`;
}

function idIn(answer: Answer | null): string {
  return (JSON.parse(answer?.body.toString() ?? '') as { id: string }).id;
}

/** Takes the room, and answers how the bytes are sent, as often as it takes. */
async function begin(
  requests: FaultyRequests,
  {
    place: { projectId, folderId, name },
    content,
    method,
  }: { place: UploadPlace; content: GeneratedContent; method: UploadMethod },
  random: () => number,
): Promise<(() => Promise<Answer | null>) | null> {
  const where = { projectId, ifTaken: 'version', ...(folderId !== null && { folderId }) };
  if (method === 'by tus') {
    const created = await createTusUpload(requests, { ...where, filename: name }, content.length);
    const { location = '' } = created?.headers ?? {};
    if (!requests.count('began', created?.status ?? null, 201)) return null;
    return () => sendByTus(requests, location, content, random);
  }
  const reserved = await requests.ask('POST', '/api/v1/uploads', { ...where, name, size: content.length });
  if (!requests.count('began', reserved?.status ?? null, 201) || reserved === null) return null;
  const { id } = reserved.json<{ id: string }>();
  return method === 'in parts'
    ? () => sendParts(requests, id, content)
    : () => requests.send('PUT', `/api/v1/uploads/${id}/content`, content);
}

/** To the bucket itself, those that have not arrived before; answers as the upload in one request does. */
async function sendParts(
  requests: FaultyRequests,
  id: string,
  content: GeneratedContent,
): Promise<Answer | null> {
  const path = `/api/v1/uploads/${id}`;
  const listed = await requests.ask('GET', `${path}/parts`);
  if (listed?.status !== 200) return statusOf(listed);
  const { partBytes, parts } = listed.json<{
    partBytes: number;
    parts: { number: number; size: number; arrived: boolean }[];
  }>();
  const missing = parts.filter(({ arrived }) => !arrived).map(({ number }) => ({ number }));
  if (missing.length > 0) {
    const signed = await requests.ask('POST', `${path}/parts`, { parts: missing });
    if (signed?.status !== 200) return statusOf(signed);
    for (const { number, size, url } of signed.json<{
      parts: { number: number; size: number; url: string }[];
    }>().parts) {
      const from = (number - 1) * partBytes;
      const body = Buffer.concat([...content.slice(from, from + size).chunks()]);
      const put = await fetch(url, { method: 'PUT', body }).catch(() => null);
      if (put?.ok !== true) return null;
    }
  }
  const done = await requests.ask('POST', `${path}/complete`, {});
  if (done?.status !== 200) return statusOf(done);
  const { fileId } = done.json<{ fileId: string | null }>();
  return fileId === null ? null : { status: 200, body: Buffer.from(JSON.stringify({ id: fileId })) };
}

/** 202 is not final: the request is repeated, as after no response. */
function statusOf(answer: StageAnswer | null): Answer | null {
  return answer === null || answer.status === 202 ? null : { status: answer.status, body: Buffer.alloc(0) };
}
