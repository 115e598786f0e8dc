import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Answer } from './answer.ts';

export const hubHost = 'hub.example';
export const hubUrl = `http://${hubHost}/`;

export interface HubSubscriber {
  readonly topic: string;
  readonly callback: string;
  readonly secret: string | null;
  readonly leaseSeconds: number;
}

export type SignatureMethod = 'sha1' | 'sha256' | 'sha384' | 'sha512';

const formBytesMax = 65_536;
const leaseSecondsDefault = 86_400;

/** A WebSub hub for the feeds of a world: accepts subscriptions, verifies them and pushes the given feeds. */
export class Hub {
  readonly #feedAt: (address: string) => Answer;
  readonly #subscribers = new Map<string, HubSubscriber>();
  readonly #confirming = new Set<Promise<void>>();
  #refusal: number | null = null;
  #confirmed = 0;

  constructor(feedAt: (address: string) => Answer) {
    this.#feedAt = feedAt;
  }

  get subscribers(): readonly HubSubscriber[] {
    return [...this.#subscribers.values()];
  }

  /** Requests that their subscribers confirmed. */
  get confirmed(): number {
    return this.#confirmed;
  }

  /** Responds to every request only with this status, until null is set. */
  refuseWith(status: number | null): void {
    this.#refusal = status;
  }

  /** Waits until all requests so far are confirmed or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#confirming);
  }

  /** Sends the current feed to all its subscribers; returns the statuses of their responses. */
  async publish(topic: string, method: SignatureMethod = 'sha256'): Promise<readonly number[]> {
    const { body, headers } = this.#feedAt(topic);
    const interested = this.subscribers.filter((subscriber) => subscriber.topic === topic);
    return Promise.all(
      interested.map(async ({ callback, secret }) => {
        const signature =
          secret === null ? {} : { 'x-hub-signature': `${method}=${hmacHex(method, secret, body)}` };
        const answer = await fetch(callback, {
          method: 'POST',
          headers: {
            'content-type': headers['content-type'] ?? 'application/xml',
            link: `<${hubUrl}>; rel="hub", <${topic}>; rel="self"`,
            ...signature,
          },
          body: Uint8Array.from(body),
        });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<number> {
    const form = await readForm(request);
    const status = this.#refusal ?? this.#take(form);
    response.writeHead(status).end();
    return status;
  }

  #take(form: URLSearchParams): number {
    const [mode, topic, callback] = ['hub.mode', 'hub.topic', 'hub.callback'].map((name) => form.get(name));
    if ((mode !== 'subscribe' && mode !== 'unsubscribe') || !topic || !callback || !URL.canParse(callback))
      return 400;
    const subscriber = {
      topic,
      callback,
      secret: form.get('hub.secret'),
      leaseSeconds: Number(form.get('hub.lease_seconds') ?? leaseSecondsDefault),
    };
    const confirming = this.#confirm(mode, subscriber)
      .catch(() => undefined)
      .finally(() => this.#confirming.delete(confirming));
    this.#confirming.add(confirming);
    return 202;
  }

  async #confirm(mode: 'subscribe' | 'unsubscribe', subscriber: HubSubscriber): Promise<void> {
    const { topic, callback, leaseSeconds } = subscriber;
    const challenge = crypto.randomUUID();
    const url = new URL(callback);
    url.searchParams.set('hub.mode', mode);
    url.searchParams.set('hub.topic', topic);
    url.searchParams.set('hub.challenge', challenge);
    if (mode === 'subscribe') url.searchParams.set('hub.lease_seconds', String(leaseSeconds));
    const answer = await fetch(url);
    if ((await answer.text()) !== challenge || !answer.ok) return;
    this.#confirmed += 1;
    const key = `${callback} ${topic}`;
    if (mode === 'subscribe') this.#subscribers.set(key, subscriber);
    else this.#subscribers.delete(key);
  }
}

function hmacHex(method: SignatureMethod, secret: string, body: Uint8Array): string {
  return createHmac(method, secret).update(body).digest('hex');
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= formBytesMax) chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
