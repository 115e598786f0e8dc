import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { VerifierKey } from '@daybook/client/log';
import { parseVerifierKey, verifyCheckpoint } from '@daybook/client/log';
import type { Witness } from '@daybook/client/log/witness';
import { createWitness } from '@daybook/client/log/witness';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

import { createTestKey } from '../../../../../packages/client/test/test-log.ts';
import { createTestClock } from '../../../test/clock.ts';
import type { TestDatabase } from '../../../test/database.ts';
import { createTestDatabase } from '../../../test/database.ts';
import { createRecordFactory } from '../../../test/factories/record-factory.ts';
import { sequenceLog } from '../../../test/sequence-log.ts';
import { createLogger } from '../../foundation/logger.ts';
import { createLogCosigning } from './cosign-log.ts';
import { generateLogKey, parseLogKeys } from './log-keys.ts';
import { readSignedHead } from './log-store.ts';

const clock = createTestClock('2026-11-15T12:00:00.000Z');
let store: TestDatabase;
let record: ReturnType<typeof createRecordFactory>;
beforeEach(async () => {
  store = await createTestDatabase();
  record = createRecordFactory({ database: store.database, clock });
});
afterEach(() => store.drop());

type Answer = (request: string) => ReturnType<Witness['addCheckpoint']> | null;

/** A witness over HTTP; null: it does not respond. */
async function listen(answer: Answer): Promise<string> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const answered = await answer(Buffer.concat(parts).toString());
    if (answered === null) return;
    response.writeHead(answered.status, { 'content-type': answered.contentType }).end(answered.body);
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function setCosigning(behaviour: (witness: Witness) => Answer) {
  const signer = await parseLogKeys(await generateLogKey('daybook.example/log'));
  const logKeys = (await Promise.all(signer.verifierKeys.map(parseVerifierKey))) as VerifierKey[];
  const key = await createTestKey('witness.example/w', 'witness');
  const seen = new Map<string, string>();
  const requests: string[] = [];
  const witness = createWitness({
    logKeys,
    store: {
      read: async (origin) => seen.get(origin) ?? null,
      write: async (origin, note) => void seen.set(origin, note),
      writeFork: async () => {},
    },
    cosign: (text) => key.signatureOf(text, 1_790_000_000),
  });
  const respond = behaviour(witness);
  const url = await listen((request) => {
    requests.push(request.split('\n\n')[0] ?? '');
    return respond(request);
  });
  const witnessKey = (await parseVerifierKey(key.verifierKey)) as VerifierKey;
  const stopping = new AbortController();
  const open = () => {
    const sweep = createLogCosigning({
      database: store.database,
      witnesses: [{ key: witnessKey, url }],
      logger: createLogger('silent', 'test'),
    });
    return () =>
      sweep.run({
        epoch: 1,
        signal: stopping.signal,
        enqueue: () => Promise.resolve(),
        transaction: (work) => store.database.transaction().execute(work),
      });
  };
  const witnesses = async () => {
    const note = (await readSignedHead(store.database))?.note ?? '';
    const verified = await verifyCheckpoint(note, { logKeys, witnessKeys: [witnessKey] });
    return verified?.witnesses.map(({ name }) => name) ?? null;
  };
  return { signer, open, witnesses, requests, stopping };
}

test('each published checkpoint gets the signature of the witness once, by whichever worker asks', async () => {
  const { signer, open, witnesses, requests } = await setCosigning((witness) => witness.addCheckpoint);
  const cosign = open();
  await cosign();
  for (let count = 0; count < 3; count += 1) {
    await record.publish();
    await sequenceLog(store.database, signer);
    expect(await witnesses()).toEqual([]);
    await cosign();
    expect(await witnesses()).toEqual(['witness.example/w']);
  }
  await cosign();
  expect(requests.map((request) => request.split('\n')[0])).toEqual(['old 0', 'old 1', 'old 2']);
  await record.publish();
  await sequenceLog(store.database, signer);
  // Another worker does not know what the witness has seen.
  await open()();
  expect(await witnesses()).toEqual(['witness.example/w']);
  expect(requests.at(-1)).toMatch(/^old 3\n/);
});

test('a witness that does not respond, or sends another signature, leaves the checkpoint as it was published', async () => {
  const forging = await setCosigning((witness) => async (request) => {
    const answered = await witness.addCheckpoint(request);
    return { ...answered, body: answered.body.replace('witness.example/w', 'other.example') };
  });
  await record.publish();
  await sequenceLog(store.database, forging.signer);
  const published = await readSignedHead(store.database);
  await forging.open()();
  expect(await readSignedHead(store.database)).toEqual(published);
  const silent = await setCosigning(() => () => null);
  const waiting = silent.open()();
  await expect.poll(() => silent.requests.length).toBe(1);
  silent.stopping.abort();
  await waiting;
  expect(await readSignedHead(store.database)).toEqual(published);
});
