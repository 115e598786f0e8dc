import { setTimeout as delay } from 'node:timers/promises';

import { splitSentences } from '@daybook/grounding';

import type {
  ModelServer,
  ModelServerReply,
  ModelServerRequest,
} from '../../../apps/server/test/model-server.ts';
import { openModelServer } from '../../../apps/server/test/model-server.ts';

/** How the model behaves about an article. */
export type Behaviour =
  | 'answers'
  | 'is slow'
  | 'refuses for now'
  | 'fails'
  | 'is cut off'
  | 'leaves its schema'
  | 'invents'
  | { readonly obeys: string };

export const faults = [
  'is slow',
  'refuses for now',
  'fails',
  'is cut off',
  'leaves its schema',
  'invents',
] as const satisfies readonly Behaviour[];

/** Occurs in no item. */
export const invention = 'Halvoric cut 970 jobs in Ostrava on Tuesday.';

export interface ScriptedModel {
  readonly url: string;
  readonly calls: () => number;
  /** How often each idempotency key was charged: it charges all but refusals, and does not help us to be right. */
  readonly charges: ReadonlyMap<string, number>;
  /** Sentences that it wrote because the text of an item instructed it to. */
  readonly obeyed: () => number;
  readonly close: ModelServer['close'];
}

/** Longer than the newsroom waits. */
const slowMs = 4_000;

/** An OpenAI-compatible server on loopback; the title of an article selects its behaviour. */
export async function startScriptedModel(behaviourOf: (title: string) => Behaviour): Promise<ScriptedModel> {
  const charges = new Map<string, number>();
  const asked = new Set<string>();
  let obeyed = 0;
  const server = await openModelServer(async (request) => {
    const key = String(request.headers['idempotency-key']);
    const message = messageOf(request);
    const behaviour = message.report === undefined ? 'invents' : behaviourOf(message.report.title);
    if (behaviour === 'refuses for now' && !asked.has(key)) {
      asked.add(key);
      return { status: 429, headers: { 'retry-after': '1' } };
    }
    charges.set(key, (charges.get(key) ?? 0) + 1);
    if (behaviour === 'is slow') await delay(slowMs);
    if (typeof behaviour === 'object') obeyed += 1;
    return replyOf(behaviour, message);
  });
  return {
    url: server.url,
    calls: () => server.requests.length,
    charges,
    obeyed: () => obeyed,
    close: server.close,
  };
}

/** As in the newsroom's requests: one item for a summary, several for a digest. */
interface Message {
  readonly report?: { readonly title: string; readonly text: string };
}

function messageOf({ body }: ModelServerRequest): Message {
  return JSON.parse(String(body.messages.at(-1)?.content)) as Message;
}

function replyOf(behaviour: Behaviour, { report }: Message): ModelServerReply {
  const says = (sentence: string): ModelServerReply => ({
    answer: { title: sentence, sentences: [sentence] },
  });
  if (typeof behaviour === 'object') return says(behaviour.obeys);
  if (behaviour === 'fails') return { status: 500 };
  if (behaviour === 'is cut off') return { text: '{"title": "", "sentences": ["The com', finish: 'length' };
  if (behaviour === 'leaves its schema')
    return { answer: { headline: 'x', score: 100, category: 'opinion', selected: true } };
  if (report === undefined) return { answer: { sentences: [{ text: invention, cites: [1] }] } };
  if (behaviour === 'invents') return says(invention);
  return { answer: { title: '', sentences: splitSentences(report.text).slice(0, 2) } };
}
