import { setTimeout as delay } from 'node:timers/promises';

import type { SentAnswer, StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { sendBytes } from '../../../apps/server/test/storage-stage.ts';

type Answer = Pick<SentAnswer, 'status' | 'body'>;

const lockedMs = 500;

/** Uploads by tus, sent in pieces to whichever process, going on from wherever the last one is said to have ended. */
export class FaultyTus {
  readonly #stage: StorageStage;
  readonly #random: () => number;

  constructor(stage: StorageStage, random: () => number) {
    this.#stage = stage;
    this.#random = random;
  }

  /** Answers the address of the upload, as 201 does. */
  async create(fields: Readonly<Record<string, string>>, size: number): Promise<SentAnswer | null> {
    const metadata = Object.entries(fields).map(
      ([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`,
    );
    return this.#send('POST', '/api/v1/tus', {
      'upload-length': String(size),
      'upload-metadata': metadata.join(','),
    });
  }

  /** Until all has arrived or something else is answered; null where nothing is, and it may be tried again. */
  async send(url: string, bytes: Buffer): Promise<Answer | null> {
    const known = await this.#send('HEAD', url);
    if (known?.status !== 200) return known;
    for (let offset = Number(known.headers['upload-offset']); offset < bytes.length;) {
      const rest = bytes.length - offset;
      const piece = this.#random() < 0.5 ? rest : Math.ceil(rest * this.#random());
      const headers = {
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      };
      const answer = await this.#send('PATCH', url, headers, bytes.subarray(offset, offset + piece));
      // Another request of ours, which we have lost, may not have ended yet.
      if (answer?.status === 423) await delay(lockedMs);
      if (answer?.status === 423 || answer?.status === 409) return null;
      if (answer?.status !== 204) return answer;
      offset = Number(answer.headers['upload-offset']);
    }
    return this.#read(url.replace('/tus/', '/uploads/'));
  }

  /** The file that it became, as the other methods answer it. */
  async #read(path: string): Promise<Answer | null> {
    const answer = await this.#send('GET', path);
    if (answer?.status !== 200) return answer;
    const { fileId } = JSON.parse(answer.body.toString()) as { fileId: string | null };
    return fileId === null ? null : { status: 200, body: Buffer.from(JSON.stringify({ id: fileId })) };
  }

  #send(
    method: string,
    path: string,
    own: Readonly<Record<string, string>> = {},
    bytes: Buffer = Buffer.alloc(0),
  ): Promise<SentAnswer | null> {
    const { processes, headers } = this.#stage;
    const { port = 0 } = processes[Math.floor(this.#random() * processes.length)] ?? {};
    const sent = { ...headers, ...own, 'tus-resumable': '1.0.0' };
    return sendBytes(port, { method, path, headers: sent }, bytes);
  }
}
