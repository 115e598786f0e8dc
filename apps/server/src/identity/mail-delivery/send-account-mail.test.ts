import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { TestEngine } from '../../../test/engine.ts';
import { startTestEngine, untilStatus } from '../../../test/engine.ts';
import type { TestAccount, TestIdentity } from '../../../test/identity.ts';
import { startTestIdentity, testSecretKey } from '../../../test/identity.ts';
import { startMailServer } from '../../../test/mail-server.ts';
import type { Clock } from '../../foundation/clock.ts';
import { systemClock } from '../../foundation/clock.ts';
import { isoMicroseconds } from '../../foundation/instant.ts';
import { createLogger } from '../../foundation/logger.ts';
import { requireEmailAddress } from '../../foundation/mail/email-address.ts';
import type { SendMail } from '../../foundation/mail/smtp-sender.ts';
import { updateEmail } from '../accounts/account-store.ts';
import type { MailKind } from '../mail/mail-request-store.ts';
import { requestMail } from '../mail/request-mail.ts';
import { createAccountMailSweep, createMailWorkflow } from './send-account-mail.ts';

let stage: TestIdentity;
beforeAll(async () => {
  stage = await startTestIdentity();
});
afterAll(() => stage.stop());

const request = (
  { id: subjectId }: TestAccount,
  recipient: string,
  { kind = 'password_changed', clock = stage.clock }: { kind?: MailKind; clock?: Clock } = {},
): Promise<void> =>
  stage.database.database
    .transaction()
    .execute((trx) => requestMail(trx, { ...stage.identity, clock }, { kind, recipient, subjectId }));

const sweepWith = (sendMail: SendMail) => {
  const { database, clock } = stage.identity;
  const logger = createLogger('silent', 'test');
  return createAccountMailSweep({
    database,
    clock,
    logger,
    authUrl: 'https://d.example',
    language: 'en',
    sendMail,
  });
};

/** One run of the sweep of a worker. */
const sendDue = (sendMail: SendMail, epoch = 1): Promise<void> =>
  sweepWith(sendMail).run({
    epoch,
    signal: new AbortController().signal,
    transaction: (work) => stage.database.database.transaction().execute(work),
    enqueue: () => Promise.reject(new Error('nothing is enqueued')),
  });

const requestsTo = (recipient: string) =>
  stage.database.asSuperuser(
    'SELECT state, reason, attempts FROM identity.mail_request WHERE recipient = $1',
    [recipient],
  );

test('creates no password link for a previous address of the account', async () => {
  const account = await stage.createAccount();
  const sent: string[] = [];
  const send = async (recipient: string): Promise<void> => {
    await request(account, recipient, { kind: 'reset_password' });
    await sendDue(async ({ to }) => void sent.push(to));
  };
  await send(account.email.replace('member', 'MEMBER'));
  await updateEmail(stage.identity.database, account.id, requireEmailAddress('new@example.net'));
  await send(account.email);
  await send('new@example.net');
  expect(sent).toEqual([account.email.replace('member', 'MEMBER'), 'new@example.net']);
  const links = await stage.database.asSuperuser(
    'SELECT hash FROM identity.mailed_token WHERE subject_id = $1',
    [account.id],
  );
  expect(links).toHaveLength(2);
  expect(await requestsTo(account.email)).toEqual([{ state: 'cancelled', reason: null, attempts: 0 }]);
});

test('sends each mail once from two workers at a time', async () => {
  const account = await stage.createAccount();
  const recipients = Array.from({ length: 20 }, (_, at) => `both-${String(at).padStart(2, '0')}@example.net`);
  for (const recipient of recipients) await request(account, recipient);
  await stage.database.asSuperuser(
    `INSERT INTO foundation.executor (epoch, host, process_id, application_version, workflow_versions)
     OVERRIDING SYSTEM VALUE VALUES (101, 'a', 1, '', '{}'), (102, 'b', 1, '', '{}')`,
  );
  const sent: string[] = [];
  const send: SendMail = async ({ to }) => void sent.push(to);
  await Promise.all([sendDue(send, 101), sendDue(send, 102)]);
  expect(sent.toSorted()).toEqual(recipients);
});

test('follows the rule of the outbox: a refused address is final, and mail in doubt is sent again', async () => {
  const account = await stage.createAccount();
  const failures: Readonly<Record<string, object>> = {
    'refused@example.net': { command: 'RCPT TO', responseCode: 550 },
    'full@example.net': { command: 'RCPT TO', responseCode: 452 },
    'lost@example.net': { code: 'ECONNECTION', command: 'CONN' },
  };
  for (const recipient of Object.keys(failures)) await request(account, recipient);
  await sendDue(({ to }) => Promise.reject(Object.assign(new Error('failed'), failures[to])));
  const sent: string[] = [];
  const send: SendMail = async ({ to }) => void sent.push(to);
  await sendDue(send);
  expect(sent).toEqual([]);
  stage.clock.advance({ minutes: 1 });
  await sendDue(send);
  expect(sent.toSorted()).toEqual(['full@example.net', 'lost@example.net']);
  expect(await requestsTo('refused@example.net')).toEqual([
    { state: 'undelivered', reason: 'address_refused', attempts: 0 },
  ]);
  expect(await requestsTo('lost@example.net')).toEqual([{ state: 'sent', reason: null, attempts: 1 }]);
});

test('gives up after three days without a mail server', async () => {
  const account = await stage.createAccount();
  await request(account, 'late@example.net');
  const unavailable: SendMail = () =>
    Promise.reject(Object.assign(new Error('no server'), { syscall: 'connect' }));
  stage.clock.advance({ days: 3 });
  await sendDue(unavailable);
  expect(await requestsTo('late@example.net')).toMatchObject([{ state: 'waiting' }]);
  stage.clock.advance({ minutes: 1 });
  await sendDue(unavailable);
  expect(await requestsTo('late@example.net')).toMatchObject([{ state: 'undelivered', reason: 'too_late' }]);
});

describe('mail that a process of an earlier release requested', () => {
  const requestAsBefore = async (account: TestAccount, recipient: string): Promise<string> => {
    const id = stage.identity.ids.next<'mail request'>();
    await stage.database.asSuperuser(
      `INSERT INTO identity.mail_request (id, kind, recipient, subject_id, created_at)
       VALUES ($1, 'password_changed', $2, $3, $4)`,
      [id, recipient, account.id, isoMicroseconds(stage.clock.now())],
    );
    return id;
  };

  test('is put into the outbox once by its workflow', async () => {
    const account = await stage.createAccount();
    const sent: string[] = [];
    const send: SendMail = async ({ to }) => void sent.push(to);
    const id = await requestAsBefore(account, 'before@example.net');
    await request(account, 'beside@example.net');
    await sendDue(send);
    expect(sent).toEqual(['beside@example.net']);
    const { database, clock } = stage.identity;
    const workflow = createMailWorkflow({ database, clock });
    const engine: TestEngine = await startTestEngine(stage.database, { workflows: [workflow] });
    // As the previous release enqueued it: under these names of the workflow, the queue and the input.
    const enqueue = (name: string): Promise<void> =>
      engine.enqueue(
        { name: 'identity-mail', queue: { name: 'identity-mail' }, run: async () => {} },
        { id: name, input: { requestId: id } },
      );
    await enqueue(`identity-mail:${id}`);
    await untilStatus(stage.database, `identity-mail:${id}`, 'SUCCESS');
    await sendDue(send);
    expect(sent).toEqual(['beside@example.net', 'before@example.net']);
    await enqueue(`identity-mail:${id}:again`);
    await untilStatus(stage.database, `identity-mail:${id}:again`, 'SUCCESS');
    await engine.stop(5_000);
    await sendDue(send);
    expect(sent).toEqual(['beside@example.net', 'before@example.net']);
  });
});

describe('a worker that is killed while the mail server accepts a mail', () => {
  const program = fileURLToPath(new URL('../../../test/account-mail-worker.ts', import.meta.url));
  let worker: ChildProcess | undefined;
  afterAll(() => worker?.kill('SIGKILL'));
  const startWorker = (smtpUrl: string): ChildProcess => {
    // The SDK that the engine uses calls a deprecated function of the driver.
    const given = ['--no-deprecation', program, stage.database.urls.application, smtpUrl, testSecretKey];
    return spawn(process.execPath, given, { stdio: 'inherit' });
  };

  test('does not lose the mail: the next worker sends it again', async () => {
    const arrived: string[] = [];
    const server = await startMailServer((_source, [to = '']) => {
      arrived.push(to);
      if (arrived.length === 1) worker?.kill('SIGKILL');
    });
    await request(await stage.createAccount(), 'killed@example.net', { clock: systemClock });
    worker = startWorker(server.url);
    await once(worker, 'exit');
    expect(await requestsTo('killed@example.net')).toEqual([{ state: 'sending', reason: null, attempts: 0 }]);
    worker = startWorker(server.url);
    await expect
      .poll(() => requestsTo('killed@example.net'), { timeout: 30_000 })
      .toEqual([{ state: 'sent', reason: null, attempts: 1 }]);
    expect(arrived).toEqual(['killed@example.net', 'killed@example.net']);
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    await server.stop();
  }, 60_000);
});
