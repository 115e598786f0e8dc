import type { ClientProblem } from '../answer.ts';
import type { Timeouts } from '../attempt-limit.ts';
import { AttemptLimit, TimeoutReached } from '../attempt-limit.ts';
import type { ClientWorld } from '../client-world.ts';
import { systemWorld } from '../client-world.ts';
import { addressOf } from '../client.ts';
import type { Patience } from '../polite-fetch.ts';
import { problemOf, refusal, retryAfterMs } from '../polite-fetch.ts';
import { limitedDownload, limitedUpload, sendingMs } from './limited-streams.ts';

/** An access token or a platform token, as text or as a function that is asked before each request. */
export type Credential =
  | { readonly token: string | (() => string | Promise<string>) }
  | { readonly apiKey: string }
  /** For the operations that need none, such as those that create a token. */
  | { readonly anonymous: true };

export interface SignedInTimeouts extends Timeouts {
  /** The slowest rate at which content may be sent: an upload gets the time that this takes in addition. */
  readonly uploadBytesPerSecond: number;
}

export interface SignedInOptions {
  /** Where the server is: `https://daybook.example`. */
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly userAgent?: string;
  readonly patience?: Partial<Patience>;
  readonly timeouts?: Partial<SignedInTimeouts>;
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
  /**
   * `value`: a response with other content than JSON is refused, as an intermediary sends it. `content`: the response is
   * returned, also if the content is JSON or empty.
   */
  readonly expects?: 'value' | 'content';
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
const timeouts: SignedInTimeouts = {
  connectMs: 10_000,
  responseMs: 30_000,
  uploadBytesPerSecond: 16 * 1024,
};

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
    const [method = 'GET', template = '', kind] = operations[name].split(' ');
    const isJson = body !== undefined && !isBodyInit(body);
    const headers = { ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...wish.headers };
    const sent = isJson ? JSON.stringify(body) : ((body ?? null) as NonNullable<RequestInit['body']> | null);
    const path = addressOf(template, params);
    return sender.send(
      { method, path, body: sent, expects: kind === undefined ? 'value' : 'content' },
      { ...wish, headers },
    );
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
  readonly #timeouts: SignedInTimeouts;

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
    { method, path, body = null, expects }: SignedInRequest,
    { signal, headers = {} }: SignedInCall,
  ): Promise<{ readonly answer: SignedInAnswer<unknown>; readonly afterMs: number | null }> {
    const limit = new AttemptLimit(this.#timeouts, signal);
    let isReadLater = false;
    let hasCredential = false;
    try {
      const sent = { ...(await limit.within(this.#credential())), ...headers };
      hasCredential = true;
      const response = await limit.response(
        () => this.#world.fetch(`${this.#baseUrl}${path}`, requestOf(method, sent, body, limit)),
        sendingMs(body, this.#timeouts.uploadBytesPerSecond),
      );
      if (!response.ok || (expects === 'value' && isContent(response))) {
        const answer = await limit.within(refusal(response));
        return { answer, afterMs: retryAfterMs(response, this.#world.random()) };
      }
      isReadLater = isContent(response);
      const read = expects === 'content' ? wholeOf : valueOf;
      const data = isReadLater ? limitedDownload(response, limit) : await limit.within(read(response));
      const { status, headers: received } = response;
      return { answer: { ok: true, status, data, headers: received }, afterMs: null };
    } catch (error) {
      signal?.throwIfAborted();
      // The reason why the caller has no credential is the caller's.
      if (!hasCredential && !(error instanceof TimeoutReached)) throw error;
      return { answer: { ok: false, status: 0, problem: problemOf(error) }, afterMs: null };
    } finally {
      if (!isReadLater) limit.end();
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

/** The limit ends a stream in both directions; `fetch` sends one only when it is said to. */
function requestOf(
  method: string,
  headers: Readonly<Record<string, string>>,
  body: RequestInit['body'] | null,
  limit: AttemptLimit,
): RequestInit {
  const init = { method, headers, signal: limit.signal };
  if (!(body instanceof ReadableStream)) return { ...init, body: body ?? null };
  return { ...init, body: limitedUpload(body, limit), duplex: 'half' };
}

/** Other content than JSON is returned as the response, whose body the caller reads. */
function isContent({ status, headers }: Response): boolean {
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '');
  return status !== 204 && headers.get('content-length') !== '0' && !isJson;
}

/** JSON and empty content as it arrived, read within the time of a value. */
async function wholeOf(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const bytes = await response.arrayBuffer();
  return new Response(status === 204 ? null : bytes, { status, statusText, headers });
}

async function valueOf(response: Response): Promise<unknown> {
  const isEmpty = response.status === 204 || response.headers.get('content-length') === '0';
  return isEmpty ? null : response.json();
}
