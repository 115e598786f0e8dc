import type { ClientProblem } from '../answer.ts';
import type { ClientWorld } from '../client-world.ts';
import { systemWorld } from '../client-world.ts';
import { addressOf } from '../client.ts';
import type { Patience, Timeouts } from '../polite-fetch.ts';
import { AttemptLimit, problemOf, refusal, retryAfterMs } from '../polite-fetch.ts';

/** An access token or a platform token, as text or as a function that is asked before each request. */
export type Credential =
  | { readonly token: string | (() => string | Promise<string>) }
  | { readonly apiKey: string }
  /** For the operations that need none, such as those that create a token. */
  | { readonly anonymous: true };

export interface SignedInOptions {
  /** Where the server is: `https://daybook.example`. */
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly userAgent?: string;
  readonly patience?: Partial<Patience>;
  readonly timeouts?: Partial<Timeouts>;
  /** Replaces fetch, the clock, waiting or chance. */
  readonly world?: Partial<ClientWorld>;
}

export interface SignedInCall {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response, or why the request failed; branch on `problem.code`. */
export type SignedInAnswer<T> =
  | { readonly ok: true; readonly status: number; readonly data: T; readonly headers: Headers }
  | { readonly ok: false; readonly status: number; readonly problem: ClientProblem };

interface Operation {
  readonly params: object;
  readonly body?: unknown;
  readonly data: unknown;
}
type Operations<T> = { readonly [K in keyof T]: Operation };

type Given<O extends Operation> = O['params'] &
  (O extends { readonly body: infer Body } ? { body: Body } : unknown);
type Call<O extends Operation> = (
  ...given: Record<string, never> extends Given<O>
    ? [given?: Given<O>, call?: SignedInCall]
    : [given: Given<O>, call?: SignedInCall]
) => Promise<SignedInAnswer<O['data']>>;

/** Operations whose answers are pages of a list. */
export type ListName<T extends Operations<T>> = {
  [K in keyof T]: T[K]['data'] extends ListPage ? K : never;
}[keyof T];

interface ListPage {
  readonly data: readonly unknown[];
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null };
}

export type SignedInClient<T extends Operations<T>> = { readonly [K in keyof T]: Call<T[K]> } & {
  /** The address of the server, without a slash at the end. */
  readonly baseUrl: string;
  /** All records of a list, requested page by page. Throws a `RequestRefused` where a page is refused. */
  readonly each: <K extends ListName<T>>(
    name: K,
    ...given: Parameters<Call<T[K]>>
  ) => AsyncGenerator<(T[K]['data'] & ListPage)['data'][number], void>;
  /** A request to a path of the server, with the credential and the timeouts of this client. */
  readonly send: (request: SignedInRequest, call?: SignedInCall) => Promise<SignedInAnswer<unknown>>;
};

export interface SignedInRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: RequestInit['body'];
}

export class RequestRefused extends Error {
  readonly status: number;
  readonly problem: ClientProblem;

  constructor(status: number, problem: ClientProblem) {
    super(`${problem.detail} (${problem.code})`);
    this.status = status;
    this.problem = problem;
  }
}

const patience: Patience = { retriesMax: 2, waitMsMax: 60_000 };
const timeouts: Timeouts = { connectMs: 10_000, responseMs: 30_000 };

export function createSignedInClient<T extends Operations<T>>(
  operations: { readonly [K in keyof T]: string },
  options: SignedInOptions,
): SignedInClient<T> {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const sender = new Sender(baseUrl, options);
  const call = async (
    name: keyof T,
    given: { readonly body?: unknown } = {},
    wish: SignedInCall = {},
  ): Promise<SignedInAnswer<unknown>> => {
    const { body, ...params } = given;
    const [method = 'GET', template = ''] = operations[name].split(' ');
    const isJson = body !== undefined && !isBodyInit(body);
    const headers = { ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...wish.headers };
    const sent = isJson ? JSON.stringify(body) : ((body ?? null) as NonNullable<RequestInit['body']> | null);
    return sender.send({ method, path: addressOf(template, params), body: sent }, { ...wish, headers });
  };
  const names = Object.keys(operations) as (keyof T & string)[];
  return {
    ...Object.fromEntries(
      names.map((name) => [name, (given?: object, wish?: SignedInCall) => call(name, given, wish)]),
    ),
    baseUrl,
    each: (name: keyof T, ...given: unknown[]) => eachOf(call, name, given),
    send: (request: SignedInRequest, wish?: SignedInCall) => sender.send(request, wish),
  } as unknown as SignedInClient<T>;
}

function isBodyInit(body: unknown): boolean {
  return (
    typeof body === 'string' ||
    body instanceof Blob ||
    body instanceof ArrayBuffer ||
    ArrayBuffer.isView(body) ||
    body instanceof ReadableStream
  );
}

async function* eachOf<Name>(
  call: (name: Name, given: object, wish: SignedInCall) => Promise<SignedInAnswer<unknown>>,
  name: Name,
  [given = {}, wish = {}]: readonly unknown[],
): AsyncGenerator<unknown, void> {
  for (let next: object | null = given as object; next !== null;) {
    const answer: SignedInAnswer<unknown> = await call(name, next, wish as SignedInCall);
    if (!answer.ok) throw new RequestRefused(answer.status, answer.problem);
    const { data, pagination } = answer.data as ListPage;
    yield* data;
    next = pagination.hasMore ? { ...(given as object), cursor: pagination.nextCursor } : null;
  }
}

/** Repeats requests that the server refused before it processed them: 429, and 503 with Retry-After. */
class Sender {
  readonly #baseUrl: string;
  readonly #options: SignedInOptions;
  readonly #world: ClientWorld;
  readonly #patience: Patience;
  readonly #timeouts: Timeouts;

  constructor(baseUrl: string, options: SignedInOptions) {
    this.#baseUrl = baseUrl;
    this.#options = options;
    this.#world = { ...systemWorld, ...options.world };
    this.#patience = { ...patience, ...options.patience };
    this.#timeouts = { ...timeouts, ...options.timeouts };
  }

  async send(request: SignedInRequest, wish: SignedInCall = {}): Promise<SignedInAnswer<unknown>> {
    let waitedMs = 0;
    for (let attempt = 0; ; attempt += 1) {
      wish.signal?.throwIfAborted();
      const { answer, afterMs } = await this.#attempt(request, wish);
      const isLast = attempt >= this.#patience.retriesMax || request.body instanceof ReadableStream;
      if (afterMs === null || isLast || waitedMs + afterMs > this.#patience.waitMsMax) return answer;
      waitedMs += afterMs;
      await this.#world.wait(afterMs, wish.signal);
    }
  }

  async #attempt(
    { method, path, body = null }: SignedInRequest,
    { signal, headers = {} }: SignedInCall,
  ): Promise<{ readonly answer: SignedInAnswer<unknown>; readonly afterMs: number | null }> {
    const sent = { ...(await this.#credential()), ...headers };
    const limit = new AttemptLimit(this.#timeouts, signal);
    // The time of an upload depends on its size: its response is awaited until the caller's signal.
    if (body !== null && typeof body !== 'string') limit.withoutTimeout();
    try {
      const init = { method, body, headers: sent, signal: limit.signal };
      const response = await limit.within(this.#world.fetch(`${this.#baseUrl}${path}`, init));
      if (!response.ok) {
        const answer = await limit.within(refusal(response));
        return { answer, afterMs: retryAfterMs(response, this.#world.random()) };
      }
      limit.begun();
      const data = await limit.within(dataOf(response));
      return {
        answer: { ok: true, status: response.status, data, headers: response.headers },
        afterMs: null,
      };
    } catch (error) {
      signal?.throwIfAborted();
      return { answer: { ok: false, status: 0, problem: problemOf(error) }, afterMs: null };
    } finally {
      limit.end();
    }
  }

  async #credential(): Promise<Readonly<Record<string, string>>> {
    const { credential, userAgent } = this.#options;
    const agent = userAgent === undefined ? {} : { 'User-Agent': userAgent };
    if ('apiKey' in credential) return { ...agent, 'X-API-Key': credential.apiKey };
    if ('anonymous' in credential) return agent;
    const token = typeof credential.token === 'string' ? credential.token : await credential.token();
    return { ...agent, Authorization: `Bearer ${token}` };
  }
}

/** JSON as its value, nothing as null, and other content as the response, whose body the caller reads. */
async function dataOf(response: Response): Promise<unknown> {
  if (response.status === 204 || response.headers.get('content-length') === '0') return null;
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return isJson ? response.json() : response;
}
