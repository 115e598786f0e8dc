import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, Output, generateText, jsonSchema } from 'ai';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

const answerTimeoutMs = 30_000;

export interface ModelEndpointOptions {
  /** Where `/chat/completions` lies, as every compatible server documents it: `https://…/v1`. */
  readonly baseUrl: string;
  /** Empty for servers that ask for none. */
  readonly apiKey: string;
  /** `schema`: the server enforces a JSON schema; `json`: it only promises JSON, and the schema goes into the prompt. */
  readonly structuredOutput: 'schema' | 'json';
  /** In place of `answerTimeoutMs`, for tests. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

export interface ModelRequest<Schema extends TSchema> {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly schema: Schema;
  readonly outputTokensMax: number;
  /** Sent along, so that a server which honours it charges once. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export interface ModelAnswer<Answer> {
  readonly answer: Answer;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelEndpoint {
  /** One request, never repeated here: whoever pays decides about a second one. Throws where there is no valid answer. */
  readonly generate: <Schema extends TSchema>(
    request: ModelRequest<Schema>,
  ) => Promise<ModelAnswer<Static<Schema>>>;
}

/** An answer is a few kilobytes; what goes on beyond this is no answer. */
const answerBytesMax = 512 * 1024;

/** Any OpenAI-compatible server. */
export function createModelEndpoint(options: ModelEndpointOptions): ModelEndpoint {
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: options.baseUrl,
    ...(options.apiKey !== '' && { apiKey: options.apiKey }),
    supportsStructuredOutputs: options.structuredOutput === 'schema',
    fetch: boundedFetch(options.fetch ?? fetch),
  });
  return {
    generate: async <Schema extends TSchema>(request: ModelRequest<Schema>) => {
      const { schema } = request;
      const enforced = options.structuredOutput === 'schema';
      const { output, usage } = await generateText({
        model: provider(request.model),
        system: enforced ? request.system : `${request.system}\n\n${schemaInWords(schema)}`,
        prompt: request.prompt,
        temperature: 0,
        maxOutputTokens: request.outputTokensMax,
        // A repeated request would be paid for again, behind the back of its receipt.
        maxRetries: 0,
        headers: { 'Idempotency-Key': request.idempotencyKey },
        abortSignal: AbortSignal.any([
          request.signal,
          AbortSignal.timeout(options.timeoutMs ?? answerTimeoutMs),
        ]),
        output: enforced ? Output.object({ schema: jsonSchema(schema as object) }) : Output.json(),
      });
      if (!Value.Check(schema, output)) throw new Error('the model’s answer does not fit its schema');
      return { answer: output, inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 };
    },
  };
}

function schemaInWords(schema: TSchema): string {
  return `Answer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;
}

function boundedFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (response.body === null) return response;
    let left = answerBytesMax;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          left -= chunk.byteLength;
          if (left < 0)
            controller.error(new Error(`the model’s answer is longer than ${answerBytesMax} bytes`));
          else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, response);
  };
}

/** What went wrong, as far as whoever pays must know it. */
export interface ModelFailure {
  /** The server refused before doing anything: nothing was spent, and it may work later. */
  readonly isRefusedForNow: boolean;
  /** How long the server asked to be left alone. */
  readonly retryAfterMs: number | null;
}

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function describeModelFailure(error: unknown): ModelFailure {
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    const retryAfterMs = parseRetryAfter(error.responseHeaders?.['retry-after']);
    // 503 without a word about when may have come from a gateway after the work was done.
    const isRefusedForNow = error.statusCode === 429 || (error.statusCode === 503 && retryAfterMs !== null);
    return { isRefusedForNow, retryAfterMs };
  }
  return { isRefusedForNow: causes(error).some((code) => connectionErrors.has(code)), retryAfterMs: null };
}

/** Seconds, or a date; null for anything else. */
function parseRetryAfter(value: string | undefined): number | null {
  if (value === undefined || !/^\d{1,6}$/u.test(value.trim())) return null;
  return Number(value) * 1000;
}

function causes(error: unknown): string[] {
  const codes: string[] = [];
  for (let one = error; one instanceof Error && codes.length < 6; one = one.cause)
    codes.push((one as NodeJS.ErrnoException).code ?? '');
  return codes;
}
