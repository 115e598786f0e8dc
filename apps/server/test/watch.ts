import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { SweepContext } from '../src/foundation/engine/engine-declarations.ts';
import { createLogger } from '../src/foundation/logger.ts';
import { createSmtpSender } from '../src/foundation/mail/smtp-sender.ts';
import { createPostOnce } from '../src/foundation/outbound/post-once.ts';
import { watchWork } from '../src/watch/wiring.ts';
import { createRecordFactory } from './factories/record-factory.ts';
import type { Answer } from './http-client.ts';
import { ask } from './http-client.ts';
import type { TestIdentity, TestIdentityOptions } from './identity.ts';
import { startTestIdentity } from './identity.ts';
import { startMailbox } from './mailbox.ts';
import { sequenceLog } from './sequence-log.ts';

export interface ReceivedPost {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers posts to every `*.example`, and stores them. */
async function startReceiver() {
  const posts: ReceivedPost[] = [];
  const answer = { status: 204, headers: {} as Record<string, string> };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      posts.push({ headers: request.headers, body });
      response.writeHead(answer.status, answer.headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    posts,
    answer,
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface TestReader {
  readonly accountId: string;
  readonly email: string;
  /** An access token of an hour; `call` uses an API key. */
  readonly bearer: { readonly authorization: string };
  readonly call: (method: string, path: string, json?: unknown) => Promise<Answer>;
  readonly revokeKey: () => Promise<void>;
  /** A saved search; returns its id. */
  readonly save: (query: object, more?: object) => Promise<string>;
  readonly titlesOf: (searchId: string) => Promise<readonly string[]>;
}

/** Saved searches over HTTP, with a mail server and a receiver of webhooks; the test triggers the worker's jobs. */
export async function startTestWatch(
  refusalOf?: Parameters<typeof startMailbox>[0],
  options: TestIdentityOptions = {},
) {
  const stage = await startTestIdentity({ pages: true, ...options });
  const { identity, clock } = stage;
  const { database } = stage.database;
  const [mailbox, receiver] = await Promise.all([startMailbox(refusalOf), startReceiver()]);
  const factory = createRecordFactory({ database, clock });
  const { sweeps = [], recurringTasks = [] } = watchWork({
    database,
    clock,
    logger: createLogger('silent', 'test'),
    baseUrl: identity.baseUrl,
    storyLayer: true,
    secretBox: identity.secretBox,
    sendMail: createSmtpSender({ url: mailbox.url, from: 'Daybook <daybook@example.com>' }),
    post: createPostOnce({ examplePort: receiver.port }),
    userAgent: 'Daybook/test',
  });
  const context: SweepContext = {
    epoch: 1,
    transaction: (work) => database.transaction().execute((transaction) => work(transaction)),
    enqueue: () => Promise.reject(new Error('nothing is enqueued')),
    signal: new AbortController().signal,
  };
  const run = async (name: string): Promise<void> => {
    await sweeps.find((sweep) => sweep.name === name)?.run(context);
  };
  return {
    ...stage,
    mailbox,
    receiver,
    factory,
    recurringTasks,
    /** Compares everything that was published with the saved searches. */
    match: async () => {
      await sequenceLog(database, null);
      await run('match-saved-searches');
    },
    sendMail: () => run('send-watch-mail'),
    deliver: () => run('deliver-webhooks'),
    newReader: () => newReader(stage),
    stop: async () => {
      await Promise.all([mailbox.stop(), stage.stop()]);
      receiver.stop();
    },
  };
}

async function newReader(stage: TestIdentity): Promise<TestReader> {
  const account = await stage.createAccount();
  const { access_token: token } = await stage.signIn(account);
  const bearer = { authorization: `Bearer ${token}` };
  const made = await stage.post('/api/v1/api-keys', { name: 'test' }, { headers: bearer });
  const headers = { 'x-api-key': made.json()['key'] as string };
  const call: TestReader['call'] = (method, path, json) =>
    ask(stage.app.port, path, { method, headers, ...(json !== undefined && { json }) });
  return {
    accountId: account.id,
    email: account.email,
    bearer,
    call,
    revokeKey: async () => {
      const path = `/api/v1/api-keys/${String(made.json()['id'])}`;
      const answer = await ask(stage.app.port, path, { method: 'DELETE', headers: bearer });
      if (answer.status !== 200) throw new Error(answer.text);
    },
    save: async (query, more = {}) => {
      const answer = await call('POST', '/api/v1/saved-searches', { query, ...more });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.json()['id'] as string;
    },
    titlesOf: async (searchId) => {
      const answer = await call('GET', `/api/v1/saved-searches/${searchId}/matches?limit=100`);
      return (answer.json()['data'] as { item: { title: string } }[]).map(({ item }) => item.title);
    },
  };
}
