import { createHash } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { signInForCookie } from '../permissions/grant-invitations.ts';
import type { ChaosInstallation } from './installation.ts';
import { accounts, password } from './installation.ts';

/** Everything that was answered with success, and must therefore be there at the end. */
export interface AcceptedWrites {
  /** The SHA-256 of each uploaded file and the API key of its uploader, by the file’s id. */
  readonly files: ReadonlyMap<string, { readonly hash: string; readonly key: string }>;
  /** Ids of API keys, and whether they were revoked. */
  readonly keys: ReadonlyMap<string, 'created' | 'revoked'>;
  /** Decisions of editors: the item and what was decided. */
  readonly decisions: readonly Decision[];
  /** Names of folders. */
  readonly folders: readonly string[];
}

export interface Decision {
  readonly itemId: string;
  readonly action: 'withdraw' | 'select' | 'unselect';
  /** When it was answered. */
  readonly atMs: number;
}

export interface Members {
  readonly accepted: AcceptedWrites;
  /** Addresses of the items whose withdrawal was sent, with or without an answer. */
  readonly withdrawalsSent: ReadonlySet<string>;
  readonly sent: () => number;
  readonly refused: ReadonlyMap<string, number>;
  /** Null if a folder is created, a file is uploaded and a list is read. */
  readonly probe: () => Promise<string | null>;
  readonly stop: () => Promise<void>;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

interface Answered {
  /** Null when the connection failed, or no answer came in time. */
  readonly status: number | null;
  readonly text: string;
}

const answerWithinMs = 40_000;
const json = { 'content-type': 'application/json' };

/** Sends requests one after the other: never again what may have taken effect. */
class Member {
  readonly agent = new Agent({ keepAlive: true, maxSockets: 32 });
  readonly refused = new Map<string, number>();
  sent = 0;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  async ask({ method, path, headers, body }: Asked): Promise<Answered> {
    this.sent += 1;
    const { promise, resolve } = Promise.withResolvers<Answered>();
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = {
      host: '127.0.0.1',
      port: this.#port,
      method,
      path,
      agent: this.agent,
      timeout: answerWithinMs,
    };
    const request = httpRequest({ ...options, headers: { ...length, ...headers } }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', (error) => resolve({ status: null, text: error.message }));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? null, text: Buffer.concat(pieces).toString('latin1') }),
      );
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) => resolve({ status: null, text: error.message }));
    request.end(body);
    const answered = await promise;
    if (answered.status === null || answered.status >= 400) {
      const key = `${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}').replace(/\?.*/, '')}: ${answered.status ?? answered.text}`;
      this.refused.set(key, (this.refused.get(key) ?? 0) + 1);
    }
    return answered;
  }

  /** Until it succeeds: nothing depends on how often. */
  async token(email: string): Promise<string> {
    for (;;) {
      const body = JSON.stringify({ email, password });
      const { status, text } = await this.ask({
        method: 'POST',
        path: '/api/auth/token',
        headers: json,
        body,
      });
      if (status === 200) return (JSON.parse(text) as { readonly access_token: string }).access_token;
      await delay(500);
    }
  }
}

export async function startMembers(installation: ChaosInstallation, random: () => number): Promise<Members> {
  const { edgePort } = installation;
  const member = new Member(edgePort);
  const writes = new Writes(member, random);
  const editor = await credentialsOf(member, accounts.editor);
  const hoarder = await credentialsOf(member, accounts.hoarder);
  const cookie = await signInForCookie(edgePort, { email: accounts.editor, password });
  const stopping = new AbortController();
  const repeat = async (everyMs: number, work: (turn: number) => Promise<unknown>): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      await work(turn);
      await delay(everyMs * (0.5 + random()));
    }
  };
  const running = [
    repeat(300, (turn) => writes.upload(editor, `file-${turn}`, 1_000 + 60_000 * random())),
    repeat(1_200, (turn) => writes.upload(hoarder, `one-${turn}`, 200_000 * random())),
    repeat(1_200, (turn) => writes.upload(hoarder, `two-${turn}`, 200_000 * random())),
    repeat(400, (turn) => writes.createFolder(editor, `folder-${turn}`)),
    repeat(700, (turn) => writes.changeKeys(turn)),
    repeat(1_000, (turn) => writes.decide(installation, cookie, turn)),
  ];
  let probes = 0;
  const probe = async (): Promise<string | null> => {
    probes += 1;
    const path = `/api/v1/items?limit=${2 + (probes % 90)}`;
    if ((await member.ask({ method: 'GET', path })).status !== 200) return 'the list of items';
    if (!(await writes.createFolder(editor, `probe-folder-${probes}`))) return 'a folder';
    return (await writes.upload(editor, `probe-file-${probes}`, 1_000)) ? null : 'an upload';
  };
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(running);
    member.agent.destroy();
  };
  const { refused } = member;
  return {
    accepted: writes,
    withdrawalsSent: writes.withdrawalsSent,
    sent: () => member.sent,
    refused,
    probe,
    stop,
  };
}

/** Sends each write once, and remembers it if it was answered with success. */
class Writes implements AcceptedWrites {
  readonly files = new Map<string, { readonly hash: string; readonly key: string }>();
  readonly keys = new Map<string, 'created' | 'revoked'>();
  readonly decisions: Decision[] = [];
  readonly folders: string[] = [];
  readonly withdrawalsSent = new Set<string>();
  readonly #decided = new Set<string>();
  readonly #member: Member;
  readonly #random: () => number;
  #token = '';

  constructor(member: Member, random: () => number) {
    this.#member = member;
    this.#random = random;
  }

  async upload({ key, projectId }: Credentials, name: string, bytes: number): Promise<boolean> {
    const word = (): string => Math.floor(this.#random() * 2 ** 32).toString(36);
    const content = Buffer.from(Array.from({ length: bytes / 4 }, word).join(''));
    const path = `/api/v1/projects/${projectId}/files?name=${name}&mediaType=text/plain`;
    const headers = { 'x-api-key': key, 'content-type': 'application/octet-stream' };
    const { status, text } = await this.#member.ask({ method: 'POST', path, headers, body: content });
    if (status !== 201) return false;
    const hash = createHash('sha256').update(content).digest('hex');
    this.files.set((JSON.parse(text) as { readonly id: string }).id, { hash, key });
    return true;
  }

  async createFolder({ key, projectId }: Credentials, name: string): Promise<boolean> {
    const path = `/api/v1/projects/${projectId}/folders`;
    const headers = { 'x-api-key': key, ...json };
    const body = JSON.stringify({ name });
    const { status } = await this.#member.ask({ method: 'POST', path, headers, body });
    if (status === 201) this.folders.push(name);
    return status === 201;
  }

  /** Creates an API key, and revokes every second one. */
  async changeKeys(turn: number): Promise<void> {
    if (this.#token === '') this.#token = await this.#member.token(accounts.editor);
    const headers = { authorization: `Bearer ${this.#token}`, ...json };
    const path = '/api/v1/api-keys';
    const body = JSON.stringify({ name: `chaos-${turn}` });
    const created = await this.#member.ask({ method: 'POST', path, headers, body });
    if (created.status === 401) this.#token = '';
    if (created.status !== 201) return;
    const { id } = JSON.parse(created.text) as { readonly id: string };
    this.keys.set(id, 'created');
    if (turn % 2 === 1) return;
    const { authorization } = headers;
    const revocation = { method: 'DELETE', path: `${path}/${id}`, headers: { authorization } };
    if ((await this.#member.ask(revocation)).status === 200) this.keys.set(id, 'revoked');
  }

  /** One decision about each item. */
  async decide(installation: ChaosInstallation, cookie: string, turn: number): Promise<void> {
    const item = await undecidedItem(installation, this.#decided);
    if (item === null) return;
    this.#decided.add(item.id);
    const action = turn % 3 === 0 ? 'withdraw' : item.selected ? 'unselect' : 'select';
    if (action === 'withdraw') this.withdrawalsSent.add(item.url);
    const { status } = await this.#member.ask({
      method: 'POST',
      path: `/desk/items/${item.id}/${action}`,
      headers: {
        cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ reason: 'The suite decided so.' }).toString(),
    });
    if (status === 303) this.decisions.push({ itemId: item.id, action, atMs: performance.now() });
  }
}

interface Credentials {
  readonly key: string;
  readonly projectId: string;
}

async function credentialsOf(member: Member, email: string): Promise<Credentials> {
  const bearer = { authorization: `Bearer ${await member.token(email)}`, ...json };
  const made = async <Made>(
    path: string,
    name: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Made> => {
    const answered = await member.ask({ method: 'POST', path, headers, body: JSON.stringify({ name }) });
    if (answered.status !== 201) throw new Error(`${path}: ${answered.status} ${answered.text}`);
    return JSON.parse(answered.text) as Made;
  };
  const { key } = await made<{ key: string }>('/api/v1/api-keys', 'chaos', bearer);
  const { id } = await made<{ id: string }>('/api/v1/projects', 'Chaos', { 'x-api-key': key, ...json });
  return { key, projectId: id };
}

interface UndecidedItem {
  readonly id: string;
  readonly url: string;
  readonly selected: boolean;
}

/** Past all faults but those of PostgreSQL itself; null while it does not answer. */
async function undecidedItem(
  { superuser }: ChaosInstallation,
  decided: ReadonlySet<string>,
): Promise<UndecidedItem | null> {
  const answer = await superuser.pool
    .query<UndecidedItem>(
      `SELECT id, original_url AS url, selected FROM record.item WHERE withdrawn_at IS NULL AND NOT id = ANY ($1)
       ORDER BY id DESC LIMIT 1`,
      [[...decided]],
    )
    .catch(() => null);
  return answer?.rows[0] ?? null;
}
