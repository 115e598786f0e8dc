import { setTimeout as delay } from 'node:timers/promises';

import type { SentAnswer } from '../../../apps/server/test/storage-stage.ts';
import type { FaultyRequests } from './faulty-requests.ts';
import type { GeneratedContent } from './generated-content.ts';

type Answer = Pick<SentAnswer, 'status' | 'body'>;

const lockedMs = 500;
const version = { 'tus-resumable': '1.0.0' };

/** Answers the address of the upload, as 201 does. */
export async function createTusUpload(
  requests: FaultyRequests,
  fields: Readonly<Record<string, string>>,
  size: number,
): Promise<SentAnswer | null> {
  const metadata = Object.entries(fields).map(
    ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
  );
  return requests.send('POST', '/api/v1/tus', Buffer.alloc(0), {
    ...version,
    'upload-length': String(size),
    'upload-metadata': metadata.join(','),
  });
}

/**
 * In pieces, to any process, each from the offset reported for the last one, until all has arrived or a response is
 * unexpected; null without a response, so that the caller may retry.
 */
export async function sendByTus(
  requests: FaultyRequests,
  url: string,
  content: GeneratedContent,
  random: () => number,
): Promise<Answer | null> {
  const known = await requests.send('HEAD', url, Buffer.alloc(0), version);
  if (known?.status !== 200) return known;
  for (let offset = Number(known.headers['upload-offset']); offset < content.length;) {
    const rest = content.length - offset;
    const piece = random() < 0.5 ? rest : Math.ceil(rest * random());
    const answer = await requests.send('PATCH', url, content.slice(offset, offset + piece), {
      ...version,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    });
    // Another request of ours, which we have lost, may not have ended yet.
    if (answer?.status === 423) await delay(lockedMs);
    if (answer?.status === 423 || answer?.status === 409) return null;
    if (answer?.status !== 204) return answer;
    offset = Number(answer.headers['upload-offset']);
  }
  return readFile(requests, url.replace('/tus/', '/uploads/'));
}

/** The file that it became, as the other methods answer it. */
async function readFile(requests: FaultyRequests, path: string): Promise<Answer | null> {
  const answer = await requests.send('GET', path);
  if (answer?.status !== 200) return answer;
  const { fileId } = JSON.parse(answer.body.toString()) as { fileId: string | null };
  return fileId === null ? null : { status: 200, body: Buffer.from(JSON.stringify({ id: fileId })) };
}
