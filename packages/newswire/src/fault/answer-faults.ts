import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';

import type { Outlet } from '../dispatch.ts';
import { httpDate } from '../feed/feed-date.ts';
import { escapeXml } from '../feed/xml.ts';
import type { Micros } from '../instant.ts';
import type { Answer } from '../server/answer.ts';
import { redirectAnswer, textAnswer } from '../server/answer.ts';
import { isDocumentFault } from './document-faults.ts';
import { challengePage, consentPage, paywallPage } from './fault-pages.ts';
import type { DocumentFault, Fault } from './fault.ts';

export interface FaultyRequest {
  readonly outlet: Outlet;
  /** The full requested address. */
  readonly address: string;
  readonly authorization: string | undefined;
  /** Requested under the address to which a feed moves. */
  readonly moved: boolean;
  readonly now: Micros;
}

export type AnsweringFault = Exclude<Fault, DocumentFault>;

type FaultOf<Kind extends AnsweringFault['kind']> = Extract<AnsweringFault, { kind: Kind }>;

type Spoilers = {
  readonly [Kind in AnsweringFault['kind']]: (
    fault: FaultOf<Kind>,
    request: FaultyRequest,
    right: () => Promise<Answer>,
  ) => Answer | Promise<Answer>;
};

const nothing: Answer = { status: 200, headers: {}, body: Buffer.alloc(0) };

const spoilers: Spoilers = {
  slow: async ({ delayMs, bytesPerSecond = null }, _, right) => ({
    ...(await right()),
    delivery: { how: 'slowly', delayMs, bytesPerSecond },
  }),
  dead: () => ({ ...nothing, delivery: { how: 'reset' } }),
  silent: () => ({ ...nothing, delivery: { how: 'never' } }),
  cut: async (_, __, right) => {
    const answer = await right();
    return { ...answer, delivery: { how: 'cut', afterBytes: Math.floor(answer.body.length / 2) } };
  },
  endless: async (_, __, right) => ({ ...(await right()), delivery: { how: 'endless' } }),
  bomb: ({ encoding, bytes = 2 ** 28 }) => bomb(encoding, bytes),
  status: (fault, { now }) =>
    withRetryAfter(textAnswer(fault.status, 'text/plain', `${fault.status}\n`), fault, now),
  redirect: ({ status, to }) => redirectAnswer(status, to),
  moved: ({ status }, { moved, outlet, address }, right) =>
    moved ? right() : redirectAnswer(status, movedAddress(outlet, address)),
  'redirect-loop': ({ steps }, { address }) => redirectAnswer(302, nextHop(address, steps)),
  challenge: (_, { outlet }) => htmlAnswer(challengePage(outlet.host)),
  consent: (_, { outlet }) => htmlAnswer(consentPage(outlet.language)),
  paywall: (_, { outlet }) => htmlAnswer(paywallPage(outlet.language, escapeXml(outlet.name))),
  'not-modified': () => ({ ...nothing, status: 304 }),
  blank: () => textAnswer(200, 'application/rss+xml', ''),
  'content-type': async ({ type }, _, right) => {
    const answer = await right();
    return { ...answer, headers: { ...answer.headers, 'content-type': type } };
  },
  password: askForCredentials,
  bearer: askForCredentials,
};

/** The response of a fault, or the right response as it changes it; `right` is called only if needed. */
export async function applyFault(
  fault: AnsweringFault,
  request: FaultyRequest,
  right: () => Promise<Answer>,
): Promise<Answer> {
  const spoil = spoilers[fault.kind] as (
    fault: AnsweringFault,
    request: FaultyRequest,
    right: () => Promise<Answer>,
  ) => Answer | Promise<Answer>;
  return spoil(fault, request, right);
}

function htmlAnswer(text: string): Answer {
  return textAnswer(200, 'text/html; charset=utf-8', text);
}

function withRetryAfter(answer: Answer, { retryAfter }: FaultOf<'status'>, now: Micros): Answer {
  if (retryAfter === undefined) return answer;
  const value =
    'seconds' in retryAfter
      ? String(retryAfter.seconds)
      : httpDate(now + retryAfter.dateInSeconds * 1_000_000);
  return { ...answer, headers: { ...answer.headers, 'retry-after': value } };
}

/** Where the `moved` fault sends readers. */
function movedAddress({ home }: Outlet, address: string): string {
  return `${home}moved/${address.slice(home.length)}`;
}

function nextHop(address: string, steps: number | undefined): string {
  const [base = address, hop = '0'] = address.split(/[?&]hop=/);
  const next = Number(hop) + 1;
  return `${base}?hop=${steps === undefined ? next : next % Math.max(1, steps)}`;
}

function askForCredentials(
  fault: FaultOf<'password'> | FaultOf<'bearer'>,
  { authorization }: FaultyRequest,
  right: () => Promise<Answer>,
): Answer | Promise<Answer> {
  const [wanted, scheme] =
    fault.kind === 'bearer'
      ? [`Bearer ${fault.token}`, 'Bearer']
      : [
          `Basic ${Buffer.from(`${fault.user}:${fault.password}`).toString('base64')}`,
          'Basic realm="subscribers"',
        ];
  if (authorization === wanted) return right();
  const answer = textAnswer(401, 'text/plain', 'Sign in to read this feed.\n');
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': scheme } };
}

const bombs = new Map<string, Promise<Buffer>>();

/** Blanks after the head of a feed, so that a reader that checks only the beginning continues. */
async function bomb(encoding: 'gzip' | 'br' | 'deflate', bytes: number): Promise<Answer> {
  const name = `${encoding} ${bytes}`;
  const body = bombs.get(name) ?? compressBlanks(encoding, bytes);
  bombs.set(name, body);
  const headers = { 'content-type': 'application/rss+xml', 'content-encoding': encoding };
  return { status: 200, headers, body: await body };
}

async function compressBlanks(encoding: 'gzip' | 'br' | 'deflate', bytes: number): Promise<Buffer> {
  const compressor = {
    gzip: () => createGzip({ level: 9 }),
    deflate: () => createDeflate({ level: 9 }),
    br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  }[encoding]();
  const blanks = Buffer.alloc(1 << 20, 32);
  const chunks: Buffer[] = [];
  compressor.on('data', (chunk: Buffer) => chunks.push(chunk));
  compressor.write('<?xml version="1.0"?><rss version="2.0"><channel><title>');
  for (let written = 0; written < bytes; written += blanks.length) {
    if (!compressor.write(blanks)) await new Promise((resolve) => compressor.once('drain', resolve));
  }
  compressor.end();
  await new Promise((resolve) => compressor.once('end', resolve));
  return Buffer.concat(chunks);
}

/** Faults that change the feed itself come first, so that others can deliver the result. */
export function splitFaults(faults: readonly Fault[]): {
  readonly ofDocument: readonly DocumentFault[];
  readonly others: readonly AnsweringFault[];
} {
  return {
    ofDocument: faults.filter(isDocumentFault),
    others: faults.filter((fault): fault is AnsweringFault => !isDocumentFault(fault)),
  };
}
