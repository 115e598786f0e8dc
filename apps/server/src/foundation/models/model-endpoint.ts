import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, Output, generateText, jsonSchema, streamText } from 'ai';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

const answerTimeoutMs = 30_000;

export interface ModelEndpointOptions {
  /** Base address of `/chat/completions`, as every compatible server documents it: `https://…/v1`. */
  readonly baseUrl: string;
  /** Empty for servers that need none. */
  readonly apiKey: string;
  /** `schema`: the server enforces a JSON schema; `json`: it only ensures JSON; the schema goes into the prompt. */
  readonly structuredOutput: 'schema' | 'json';
  /** Replaces `answerTimeoutMs` in tests. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

interface ModelPrompt {
  readonly model: string;
  readonly system: string;
  readonly prompt: string;
  readonly outputTokensMax: number;
  /** Sent along, so that a server which supports it charges once. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export interface ModelRequest<Schema extends TSchema> extends ModelPrompt {
  readonly schema: Schema;
}

export interface ModelTextRequest extends ModelPrompt {
  /** Called with each piece of the text as it arrives. */
  readonly onText: (piece: string) => void;
}

/** Null where the server does not say. */
export interface ModelUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface ModelAnswer<Answer> {
  readonly answer: Answer;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface ModelEndpoint {
  /** One request, never retried here: the paying caller decides about a second one. Throws without a valid response. */
  readonly generate: <Schema extends TSchema>(
    request: ModelRequest<Schema>,
  ) => Promise<ModelAnswer<Static<Schema>>>;
  /** The same for plain text, streamed. */
  readonly write: (request: ModelTextRequest) => Promise<ModelUsage>;
}

/** A response is a few kilobytes; a longer one is invalid. */
const answerBytesMax = 512 * 1024;

/** Any OpenAI-compatible server. */
export function createModelEndpoint(options: ModelEndpointOptions): ModelEndpoint {
  const provider = createOpenAICompatible({
    name: 'model',
    baseURL: options.baseUrl,
    ...(options.apiKey !== '' && { apiKey: options.apiKey }),
    supportsStructuredOutputs: options.structuredOutput === 'schema',
    includeUsage: true,
    fetch: boundedFetch(options.fetch ?? fetch),
  });
  const settingsOf = (request: ModelPrompt) => ({
    model: provider(request.model),
    prompt: request.prompt,
    temperature: 0,
    maxOutputTokens: request.outputTokensMax,
    // A retry would be paid for again without a receipt.
    maxRetries: 0,
    headers: { 'Idempotency-Key': request.idempotencyKey },
    abortSignal: AbortSignal.any([request.signal, AbortSignal.timeout(options.timeoutMs ?? answerTimeoutMs)]),
  });
  return {
    generate: async <Schema extends TSchema>(request: ModelRequest<Schema>) => {
      const { schema } = request;
      const enforced = options.structuredOutput === 'schema';
      const { output, usage } = await generateText({
        ...settingsOf(request),
        system: enforced ? request.system : `${request.system}\n\n${schemaInWords(schema)}`,
        output: enforced ? Output.object({ schema: jsonSchema(schema as object) }) : Output.json(),
      });
      if (!Value.Check(schema, output)) throw new Error('the model’s answer does not fit its schema');
      return { answer: output, inputTokens: usage.inputTokens ?? 0, outputTokens: usage.outputTokens ?? 0 };
    },
    write: async (request) => {
      const settings = settingsOf(request);
      const { fullStream, totalUsage } = streamText({
        ...settings,
        system: request.system,
        // Errors are parts of the stream; the default prints them.
        onError: () => {},
      });
      for await (const part of fullStream) {
        if (part.type === 'text-delta') request.onText(part.text);
        else if (part.type === 'error') throw part.error;
      }
      settings.abortSignal.throwIfAborted();
      const { inputTokens, outputTokens } = await totalUsage;
      return { inputTokens: inputTokens ?? null, outputTokens: outputTokens ?? null };
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

/** The error, as far as the paying caller needs it. */
export interface ModelFailure {
  /** The server refused before doing anything: nothing was spent, and a later call may succeed. */
  readonly isRefusedForNow: boolean;
  /** How long the server asked clients to wait. */
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
    // 503 without Retry-After may have come from a gateway after the work was done.
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
