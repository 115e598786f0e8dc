import { expect, test } from 'vitest';

import { createTestKey, TestLog } from '../../test/test-log.ts';
import { verifyCheckpoint } from './checkpoint.ts';
import type { ForkEvidence } from './fork.ts';
import { verifyForkEvidence } from './fork.ts';
import { parseVerifierKey, toBase64 } from './signed-note.ts';
import type { VerifierKey } from './signed-note.ts';
import { createWitness, writeWitnessRequest } from './witness.ts';

async function setWitness() {
  const log = await TestLog.create();
  for (let count = 0; count < 5; count += 1) await log.append(`item ${count}`, { title: `Item ${count}` });
  const key = await createTestKey('witness.example', 'witness');
  const logKeys = [(await parseVerifierKey(log.key.verifierKey)) as VerifierKey];
  const stored = new Map<string, string>();
  const forks: ForkEvidence[] = [];
  const witness = createWitness({
    logKeys,
    store: {
      read: async (origin) => stored.get(origin) ?? null,
      write: async (origin, note) => void stored.set(origin, note),
      writeFork: async (evidence) => void forks.push(evidence),
    },
    cosign: (text) => key.signatureOf(text, 1_790_000_000),
  });
  const add = async (old: number, size: number, from: TestLog = log) => {
    const proof = (await (await from.tree(size)).consistencyProof(Math.min(old, size), size)).map(toBase64);
    return witness.addCheckpoint(writeWitnessRequest({ old, proof, note: await from.checkpoint(size) }));
  };
  const witnessKeys = [(await parseVerifierKey(key.verifierKey)) as VerifierKey];
  return { log, logKeys, witnessKeys, witness, stored, forks, add };
}

test('a witness cosigns checkpoints that continue each other, and readers verify its signature', async () => {
  const { log, logKeys, witnessKeys, stored, add } = await setWitness();
  for (const [old, size] of [
    [0, 2],
    [2, 5],
    [5, 5],
  ] as const) {
    const answer = await add(old, size);
    expect(answer.status).toBe(200);
    const cosigned = `${await log.checkpoint(size)}${answer.body}`;
    expect((await verifyCheckpoint(cosigned, { logKeys, witnessKeys }))?.witnesses).toEqual([
      { name: 'witness.example', seconds: 1_790_000_000 },
    ]);
  }
  expect(stored.get('news.example/log')).toBe(await log.checkpoint(5));
});

test('an old size other than that of the stored checkpoint is answered with the stored size', async () => {
  const { add } = await setWitness();
  await add(0, 3);
  expect(await add(0, 5)).toEqual({ status: 409, contentType: 'text/x.tlog.size', body: '3\n' });
  expect((await add(3, 2)).status).toBe(400);
});

test('another log of the same size is not cosigned, and stored as evidence that others can verify', async () => {
  const { log, logKeys, forks, stored, add } = await setWitness();
  const other = log.copy();
  other.leaves = other.leaves.slice(0, 4);
  await other.append('another item', { title: 'Another' });
  await add(0, 5);
  expect((await add(5, 5, other)).status).toBe(409);
  expect(forks).toHaveLength(1);
  expect(await verifyForkEvidence(forks[0] as ForkEvidence, { logKeys })).toBe(true);
  await other.append('one more', { title: 'One more' });
  expect((await add(5, 6, other)).status).toBe(422);
  expect(stored.get('news.example/log')).toBe(await log.checkpoint(5));
});

test('two concurrent requests cannot both continue the same checkpoint', async () => {
  const { log, add } = await setWitness();
  const other = log.copy();
  other.leaves = other.leaves.slice(0, 4);
  await other.append('another item', { title: 'Another' });
  await add(0, 4);
  const statuses = (await Promise.all([add(4, 5), add(4, 5, other)])).map(({ status }) => status);
  expect(statuses).toEqual([200, 409]);
});

test('a request that is not one, an unknown log and an unsigned checkpoint are refused', async () => {
  const { log, witness } = await setWitness();
  const note = await log.checkpoint(1);
  const status = async (request: string) => (await witness.addCheckpoint(request)).status;
  for (const request of ['', 'old 0', 'old 00\n\n', `old 0\nnot base64!\n\n${note}`, 'old 0\n\nno note'])
    expect([request, await status(request)]).toEqual([request, 400]);
  const unknown = await TestLog.create('other.example/log');
  await unknown.append('item', {});
  expect(await status(writeWitnessRequest({ old: 0, proof: [], note: await unknown.checkpoint() }))).toBe(
    404,
  );
  const forged = await TestLog.create();
  await forged.append('item', {});
  expect(await status(writeWitnessRequest({ old: 0, proof: [], note: await forged.checkpoint() }))).toBe(403);
});
