import { setTimeout as delay } from 'node:timers/promises';

import type {
  ModelServer,
  ModelServerReply,
  ModelServerRequest,
} from '../../../apps/server/test/model-server.ts';
import { openModelServer } from '../../../apps/server/test/model-server.ts';
import type { ShownPrompt } from './five-models.ts';

/** What a provider counts for a call. */
export interface Charge {
  times: number;
  tokens: number;
  cost: number;
}

/** An OpenAI-compatible provider that counts on its own, from the moment at which a call arrives. */
export interface ChargingModel {
  readonly server: ModelServer;
  /** By the key of the call. */
  readonly charges: ReadonlyMap<string, Charge>;
  /** Called when a call arrives. */
  onCall: () => void;
}

export const prices = { inputPrice: 2, outputPrice: 10 };
export const outputTokensMax = 500;

const failing = 0.04;
const refusing = 0.04;
const breaking = 0.03;
const unsupported = 0.15;

/** Some calls fail, some are refused without a charge, some break off, and some sentences have to be requested again. */
export async function startChargingModel(random: () => number): Promise<ChargingModel> {
  const charges = new Map<string, Charge>();
  const own = { onCall: () => {} };
  const server = await openModelServer(async (request) => {
    own.onCall();
    const kind = random();
    await delay(20 + random() * 120);
    if (kind < refusing) return { status: 429 };
    const usage = usageOf(request, random);
    charge(charges, String(request.headers['idempotency-key']), usage);
    if (kind < refusing + failing) return { status: 500 };
    if (kind < refusing + failing + breaking) return { pieces: broken() };
    return { text: textOf(request, random), usage } satisfies ModelServerReply;
  });
  return Object.assign(own, { server, charges });
}

interface Counted {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

function usageOf({ body }: ModelServerRequest, random: () => number): Counted {
  const bytes = body.messages.reduce((sum, { content }) => sum + Buffer.byteLength(String(content)), 0);
  return {
    prompt_tokens: Math.floor(bytes / (3 + 2 * random())),
    completion_tokens: Math.floor(20 + random() * ((body.max_tokens ?? outputTokensMax) - 20)),
  };
}

function charge(
  charges: Map<string, Charge>,
  key: string,
  { prompt_tokens, completion_tokens }: Counted,
): void {
  const known = charges.get(key) ?? { times: 0, tokens: 0, cost: 0 };
  known.times += 1;
  known.tokens += prompt_tokens + completion_tokens;
  known.cost += Math.ceil(prompt_tokens * prices.inputPrice + completion_tokens * prices.outputPrice);
  charges.set(key, known);
}

function* broken(): Generator<string> {
  yield 'The company ';
  throw new Error('the connection ends here');
}

/** A sentence of the first passage, at times with one that no passage has. */
function textOf({ body }: ModelServerRequest, random: () => number): string {
  const { passages } = JSON.parse(String(body.messages.at(-1)?.content)) as ShownPrompt;
  const [first] = passages;
  const sentence = first?.text.split('\n').at(-1) ?? '';
  const invented = random() < unsupported ? `\nIt sold its factory in Marseille. [${first?.number}]` : '';
  return `${sentence} [${first?.number}]${invented}`;
}
