import type { ClamdServer } from '@daybook/local-clamd';
import { knownBytes, knownName, startClamd, whyNoClamd } from '@daybook/local-clamd';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import { startTestEngine } from '../../../test/engine.ts';
import type { Answer } from '../../../test/http-client.ts';
import { expectProblem } from '../../../test/http-client.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { tusRequests } from '../../../test/tus-requests.ts';
import { sha256 } from '../../foundation/hash.ts';
import { addMs } from '../../foundation/instant.ts';
import { verifyStorage } from '../verify-storage.ts';
import type { Scan } from './clamd-scanner.ts';
import { ScannerUnreachable, createClamdScanner } from './clamd-scanner.ts';
import { createInspectionSweep, inspectDueBlobs } from './inspect-blobs.ts';

const nowhere = { path: '/nowhere/clamd' };
let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage({ files: { scanner: nowhere } });
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

const send = (...args: Parameters<TestStorage['send']>) => stage.send(...args);
/** For the worker only: tokens expire sooner than some waiting content. */
let passedMs = 0;
const pass = (minutes: number): void => void (passedMs += minutes * 60_000);
const inspect = (scan: Scan | null, signal = new AbortController().signal, of = stage): Promise<void> =>
  inspectDueBlobs(
    {
      ...of.upkeep,
      scan,
      clock: { now: () => addMs(of.clock.now(), passedMs), nowMs: of.clock.nowMs },
    },
    { signal, transaction: (work) => of.access.database.transaction().execute(work) },
  );
const clean: Scan = async () => ({ state: 'clean' });
let named = 0;
const newFile = (bytes: Buffer | string = 'x', query = '') =>
  stage.newFile(project, `file ${(named += 1)}`, bytes, query);
const fileOf = async (id: string) => (await send('GET', `/api/v1/files/${id}`, stage.owner)).json();
const stateOf = async (id: string): Promise<unknown> => (await fileOf(id))['scanState'];

/** All operations that return or reference the content. */
const ways: Readonly<Record<string, (id: string, headers: TestStorage['owner']) => Promise<Answer>>> = {
  content: (id, headers) => stage.contentOf(id, headers),
  range: (id, headers) => stage.contentOf(id, { ...headers, range: 'bytes=0-0' }),
  version: (id, headers) => stage.contentOf(id, headers, '?version=1'),
  copy: (id, headers) => send('POST', `/api/v1/files/${id}/copy`, headers, { ifTaken: 'rename' }),
  restore: (id, headers) => send('POST', `/api/v1/files/${id}/versions/1/restore`, headers),
  address: (id, headers) => send('POST', `/api/v1/files/${id}/content-address`, headers, {}),
};
const archiveOf = async (headers: TestStorage['owner']): Promise<string> =>
  (await send('GET', `/api/v1/projects/${project}/archive`, headers)).text;

describe('content that waits for the scanner', () => {
  test('is read, copied and archived only by its uploader; others get 409', async () => {
    const member = await stage.acme.addMember('member');
    const { id, name } = await newFile('only mine');
    expect(await fileOf(id)).toMatchObject({ scanState: 'waiting', detectedMediaType: null });
    for (const ask of Object.values(ways)) expectProblem(await ask(id, member.headers), 409, 'not_scanned');
    expect((await stage.contentOf(id, stage.owner)).text).toBe('only mine');
    const copied = await ways['copy']!(id, stage.owner);
    expect(copied.json()).toMatchObject({ scanState: 'waiting' });
    for (const one of [id, String(copied.json()['id'])])
      expectProblem(await stage.contentOf(one, member.headers), 409, 'not_scanned');
    expectProblem(await ways['address']!(id, stage.owner), 409, 'not_scanned');
    expect(await archiveOf(stage.owner)).toContain('only mine');
    expect(await archiveOf(member.headers)).not.toContain(String(name));
    await inspect(clean);
    for (const one of [id, String(copied.json()['id'])])
      expect((await stage.contentOf(one, member.headers)).text).toBe('only mine');
    expect(await archiveOf(member.headers)).toContain(String(name));
  });

  test('keeps waiting while no scanner is configured, and while it is unreachable or fails', async () => {
    const { id } = await newFile('words');
    await inspect(null);
    expect(await fileOf(id)).toMatchObject({ scanState: 'waiting', detectedMediaType: 'text/plain' });
    pass(25 * 60);
    await expect(inspect(createClamdScanner(nowhere))).rejects.toThrow(AggregateError);
    expect(await stateOf(id)).toBe('waiting');
    pass(0.6);
    const failing: Scan = async () => {
      throw new Error('INSTREAM size limit exceeded. ERROR');
    };
    await expect(inspect(failing)).rejects.toThrow(AggregateError);
    expect(await stateOf(id)).toBe('waiting');
    expectProblem(await stage.contentOf(id, stage.viewer.headers), 409, 'not_scanned');
    await inspect(clean);
    expect(await stateOf(id)).toBe('waiting');
    pass(1.1);
    await inspect(clean);
    expect(await stateOf(id)).toBe('clean');
  });

  test('is hashed, if it arrived in pieces, also while the scanner is unreachable', async () => {
    const { created, patch, uploadOf } = tusRequests(
      () => stage,
      () => project,
    );
    const url = await created(5);
    await patch(url, 0, 'in');
    await patch(url, 2, 'two');
    const id = String((await uploadOf(url))['fileId']);
    expect(await fileOf(id)).toMatchObject({ sha256: null });
    await expect(inspect(createClamdScanner(nowhere))).rejects.toThrow(AggregateError);
    expect(await fileOf(id)).toMatchObject({ scanState: 'waiting', sha256: sha256('intwo') });
    pass(1.1);
    await inspect(clean);
    expect(await fileOf(id)).toMatchObject({ scanState: 'clean', sha256: sha256('intwo') });
  });

  test('is retried with growing delays if the content fails, without delaying others', async () => {
    const bad = await newFile('bad');
    const fails: Scan = async ({ size }) => {
      if (size === 3) throw new Error('this one');
      return { state: 'clean' };
    };
    let minutes = 1;
    for (let turn = 0; turn < 5; turn += 1) {
      const good = await newFile('good');
      await expect(inspect(fails)).rejects.toThrow(AggregateError);
      expect([await stateOf(good.id), await stateOf(bad.id)]).toEqual(['clean', 'waiting']);
      await inspect(fails);
      pass(minutes);
      minutes *= 2;
    }
    pass(24 * 60);
    await inspect(clean);
  });

  test('is released at once by a process that stops', async () => {
    const { id } = await newFile();
    const stop = new AbortController();
    await inspect(async (_content, signal) => {
      stop.abort();
      signal.throwIfAborted();
      return { state: 'clean' };
    }, stop.signal);
    expect(await stateOf(id)).toBe('waiting');
    await inspect(clean);
    expect(await stateOf(id)).toBe('clean');
  });

  test('is inspected by one process at a time, and by another when the first has died', async () => {
    await Promise.all(Array.from({ length: 12 }, () => newFile()));
    let scans = 0;
    const counted: Scan = async () => {
      scans += 1;
      return { state: 'clean' };
    };
    await Promise.all([inspect(counted), inspect(counted), inspect(counted)]);
    expect(scans).toBe(12);
    const { id } = await newFile();
    const started = Promise.withResolvers<void>();
    void inspect(() => {
      started.resolve();
      return new Promise(() => {});
    });
    await started.promise;
    await inspect(clean);
    expect(await stateOf(id)).toBe('waiting');
    pass(11);
    await inspect(clean);
    expect(await stateOf(id)).toBe('clean');
  });
});

test('inspects stored content in a worker', async () => {
  const { id } = await newFile('words');
  const engine = await startTestEngine(stage.database, {
    sweeps: [createInspectionSweep({ ...stage.upkeep, scan: clean })],
  });
  try {
    await expect.poll(() => stateOf(id), { timeout: 15_000, interval: 50 }).toBe('clean');
  } finally {
    await engine.stop(5_000);
  }
});

test('leaves content unscanned and readable without a scanner, and detects its type', async () => {
  const plain = await startTestStorage();
  onTestFinished(plain.stop);
  const { id: inProject } = await plain.newProject();
  const { id } = await plain.newFile(inProject, 'x.png', '<p>words</p>', 'mediaType=image/png');
  const file = async () => (await plain.send('GET', `/api/v1/files/${id}`, plain.owner)).json();
  expect(await file()).toMatchObject({ scanState: 'unscanned', detectedMediaType: null });
  await inspect(null, undefined, plain);
  expect(await file()).toMatchObject({
    mediaType: 'image/png',
    detectedMediaType: 'text/plain',
    scanState: 'unscanned',
  });
  expect((await plain.contentOf(id, plain.viewer.headers)).status).toBe(200);
});

const missing = whyNoClamd();

describe.skipIf(missing !== null)('content that clamd detects', () => {
  let clamd: ClamdServer;
  beforeAll(async () => {
    clamd = await startClamd();
  }, 90_000);
  afterAll(() => clamd?.remove());

  test('cannot be read in any way; it is listed, reported to its uploader, and deleted with its file', async () => {
    const bytes = Buffer.concat([Buffer.alloc(300_000, 'x'), knownBytes]);
    const { id, name } = await newFile(bytes, 'mediaType=text/plain');
    const good = await newFile('good');
    await inspect(createClamdScanner(clamd));
    expect([await stateOf(id), await stateOf(good.id)]).toEqual(['infected', 'clean']);
    for (const ask of Object.values(ways))
      for (const headers of [stage.owner, (await stage.acme.addMember('member')).headers])
        expectProblem(await ask(id, headers), 409, 'infected');
    expect(await archiveOf(stage.owner)).not.toContain(String(name));
    const listed = await send('GET', `/api/v1/projects/${project}/children?limit=100`, stage.owner);
    expect(listed.json()['data']).toContainEqual(expect.objectContaining({ id, scanState: 'infected' }));
    const versions = await send('GET', `/api/v1/files/${id}/versions`, stage.owner);
    expect(versions.json()['data']).toMatchObject([{ scanState: 'infected' }]);
    const events = await stage.database.asSuperuser(
      "SELECT account_id, detail FROM audit.event WHERE kind = 'file_infected'",
    );
    const detail = { fileId: id, name, version: 1, finding: expect.stringContaining(knownName) };
    expect(events).toMatchObject([{ account_id: stage.acme.owner.id, detail }]);
    await stage.newFile(project, String(name), 'harmless', 'ifTaken=version');
    await inspect(createClamdScanner(clamd));
    expect((await stage.contentOf(id, stage.viewer.headers)).text).toBe('harmless');
    expectProblem(await ways['restore']!(id, stage.owner), 409, 'infected');
    expect((await verifyStorage(stage.upkeep)).flatMap(({ offenders }) => offenders)).toEqual([]);
    expect((await send('DELETE', `/api/v1/files/${id}`, stage.owner)).status).toBe(204);
  });

  test('waits while clamd is killed, and is detected when it is back', async () => {
    const { id } = await newFile(knownBytes);
    await clamd.kill();
    const unreachable = { errors: [expect.any(ScannerUnreachable)] };
    await expect(inspect(createClamdScanner(clamd))).rejects.toMatchObject(unreachable);
    expect(await stateOf(id)).toBe('waiting');
    await clamd.start();
    pass(0.6);
    await inspect(createClamdScanner(clamd));
    expect(await stateOf(id)).toBe('infected');
  });
});
