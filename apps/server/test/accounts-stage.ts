import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import type { Cluster } from '@daybook/local-postgres';
import { startCluster } from '@daybook/local-postgres';

import type { Access } from '../src/access/index.ts';
import { members, permissions } from '../src/access/index.ts';
import { createAccess } from '../src/access/wiring.ts';
import { readConfig } from '../src/config/config.ts';
import { systemClock } from '../src/foundation/clock.ts';
import type { DatabaseConnection } from '../src/foundation/database/database.ts';
import { connectDatabase } from '../src/foundation/database/database.ts';
import { createLogins } from '../src/foundation/database/logins.ts';
import { createLogger } from '../src/foundation/logger.ts';
import type { EmailAddress } from '../src/foundation/mail/email-address.ts';
import { parseEmailAddress } from '../src/foundation/mail/email-address.ts';
import type { AccountId, Username } from '../src/identity/accounts/account.ts';
import { parseUsername } from '../src/identity/accounts/account.ts';
import type { Identity } from '../src/identity/index.ts';
import { createIdentity } from '../src/identity/index.ts';
import { createAccount } from '../src/identity/registration/create-account.ts';
import { endForbiddenUploads } from '../src/storage/wiring.ts';
import { cursorKeysOf } from '../src/wiring/accounts.ts';
import { credentialKinds } from '../src/wiring/credential-kinds.ts';
import { migrateDatabase } from '../src/wiring/migrate-database.ts';

export interface AccountsProcessOptions {
  readonly settings: Readonly<Record<string, string>>;
  /** Whether it receives notifications of ended credentials. */
  readonly notifications: boolean;
  /** For proofs whose many requests must come from one address. */
  readonly signInsUnlimited: boolean;
  /** Passwords hashed at once or queued; null: the default. */
  readonly hashingPlacesMax: number | null;
  /** Starts a clock at this moment that only `advance` moves. Accounts and the limits of sign-in use it. */
  readonly clockStart: string | null;
}

export type ProcessQuestion =
  | { readonly kind: 'hashes' }
  | { readonly kind: 'advance'; readonly seconds: number }
  | { readonly kind: 'reset'; readonly token: string; readonly passwords: readonly string[] };

export interface AccountsProcess {
  readonly port: number;
  readonly child: ChildProcess;
  /** Its log so far. */
  readonly log: () => string;
  readonly ask: (question: ProcessQuestion) => Promise<unknown>;
}

export interface StageAccount {
  readonly id: AccountId;
  readonly email: string;
  readonly password: string;
}

export interface AccountsStage {
  readonly superuser: DatabaseConnection;
  /** In this process, for the initial data of a proof. */
  readonly identity: Identity;
  readonly access: Access;
  readonly start: (options?: Partial<AccountsProcessOptions>) => Promise<AccountsProcess>;
  readonly createAccounts: (count: number) => Promise<readonly StageAccount[]>;
  /** Of every process, unless overridden at its start. */
  readonly settings: Readonly<Record<string, string>>;
  /** Kills it, as in a crash. */
  readonly restartDatabase: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface StageAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: <Body>() => Body;
}

const program = fileURLToPath(new URL('./accounts-process.ts', import.meta.url));
const password = 'correct horse battery';
export const stageSecretKey = 'cd'.repeat(32);

/** A separate database and any number of real api processes on it, behind a trusted proxy. */
export async function openAccountsStage(): Promise<AccountsStage> {
  const cluster = await startCluster({ settings: { max_connections: '200' } });
  try {
    return await prepareStage(cluster);
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

async function prepareStage(cluster: Cluster): Promise<AccountsStage> {
  const urls = await createLogins({ superuserUrl: cluster.url(), database: 'daybook', password: 'stage' });
  const logger = createLogger('silent', 'stage');
  await migrateDatabase(urls.owner, logger);
  const connect = (url: string): DatabaseConnection =>
    connectDatabase({
      url,
      name: 'stage',
      connectionsMax: 8,
      statementTimeoutMs: 60_000,
      connectTimeoutMs: 5_000,
    });
  const [superuser, application] = [connect(cluster.url('daybook')), connect(urls.application)];
  const base = {
    DATABASE_URL: urls.application,
    DATABASE_READER_URL: urls.newsReader,
    DAYBOOK_SECRET_KEY: stageSecretKey,
    DAYBOOK_TRUSTED_PROXIES: '127.0.0.1',
    DAYBOOK_BASE_URL: 'http://daybook.example',
    DAYBOOK_LOOP_DELAY_MAX_MS: '60000',
    DAYBOOK_RATE_PER_MINUTE: '1000000000',
    DAYBOOK_LOG_LEVEL: 'debug',
  };
  const config = readConfig(base);
  const identity = await createIdentity({
    database: application.database,
    clock: systemClock,
    openInvitation: members.openInvitation,
    checkPermission: permissions.policyFaults,
    credentialKinds,
    settings: config.identity,
  });
  const access = createAccess({
    identity,
    cursorKeys: cursorKeysOf(config),
    permissionsChanged: endForbiddenUploads,
  });
  const running: AccountsProcess[] = [];
  return {
    superuser,
    identity,
    access,
    start: async (options = {}) => {
      const started = await startProcess({
        notifications: true,
        signInsUnlimited: false,
        hashingPlacesMax: null,
        clockStart: null,
        ...options,
        settings: { ...base, ...options.settings },
      });
      running.push(started);
      return started;
    },
    createAccounts: createAccountsWith(identity),
    settings: base,
    restartDatabase: () => cluster.restart('immediate'),
    stop: async () => {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all([superuser.close(), application.close()]);
      await cluster.remove();
    },
  };
}

async function startProcess(options: AccountsProcessOptions): Promise<AccountsProcess> {
  const child = fork(program, [JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  child.once('exit', (code) => {
    if (code !== null && code !== 0) process.stderr.write(lines.join(''));
  });
  const [{ value }] = (await once(child, 'message')) as [{ value: number }];
  return {
    port: value,
    child,
    log: () => lines.join(''),
    ask: async (question) => {
      const reply = once(child, 'message');
      child.send(question);
      const [message] = (await reply) as [{ value: unknown }];
      return message.value;
    },
  };
}

/** All with one hash: a proof does not measure their creation. */
function createAccountsWith(identity: Identity): AccountsStage['createAccounts'] {
  let made = 0;
  const hashOnce = (): Promise<string> => {
    const place = identity.hasher.reserveSlot();
    return place.hash(password).finally(place.leave);
  };
  let hashed: Promise<string> | null = null;
  return async (count) => {
    const passwordHash = await (hashed ??= hashOnce());
    const accounts: StageAccount[] = [];
    for (let one = 0; one < count; one += 1) {
      made += 1;
      const [username, email] = [
        parseUsername(`member-${made}`),
        parseEmailAddress(`member-${made}@example.org`),
      ];
      const request = {
        username: (username.ok && username.value) as Username,
        email: (email.ok && email.value) as EmailAddress,
        name: `Member ${made}`,
        passwordHash,
        joins: null,
        client: { address: 'stage', userAgent: 'stage' },
      };
      const id = await identity.database
        .transaction()
        .execute((transaction) => createAccount(transaction, identity, request));
      accounts.push({ id, email: request.email.written, password });
    }
    return accounts;
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });
let addresses = 0;

/** An address in a new address block each time, as the proxy reports it; blocks repeat after 65,536. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 8) & 255}.${addresses & 255}.${1 + ((addresses >> 16) & 127)}`;
}

interface BodyToSend {
  readonly json?: unknown;
  /** As a browser sends it. */
  readonly form?: Readonly<Record<string, string>>;
  /** A form that has a field for a file, without a file. */
  readonly multipart?: Readonly<Record<string, string>>;
}

function bodyOf({ json, form, multipart }: BodyToSend) {
  if (multipart !== undefined) {
    const parts = Object.entries(multipart).map(
      ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    return { type: 'multipart/form-data; boundary=x', text: `${parts.join('')}--x--\r\n` };
  }
  if (form !== undefined)
    return { type: 'application/x-www-form-urlencoded', text: new URLSearchParams(form).toString() };
  return json === undefined ? undefined : { type: 'application/json', text: JSON.stringify(json) };
}

export async function send(
  port: number,
  path: string,
  question: BodyToSend & {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly from?: string;
  } = {},
): Promise<StageAnswer> {
  const body = bodyOf(question);
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    agent,
    method: question.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      'x-forwarded-for': question.from ?? freshAddress(),
      'user-agent': 'stage/1',
      ...(body === undefined
        ? {}
        : { 'content-type': body.type, 'content-length': String(Buffer.byteLength(body.text)) }),
      ...question.headers,
    },
  });
  request.end(body?.text);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await buffer(response)).toString();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: <Body>() => JSON.parse(text) as Body,
  };
}

/** The credentials of an account: no other field is accepted. */
export function grantOf(account: unknown): { readonly email: string; readonly password: string } {
  const { email, password } = account as { readonly email: string; readonly password: string };
  return { email, password };
}
