import { Readable } from 'node:stream';

import type { ClamdServer } from '@daybook/local-clamd';
import { knownBytes, startClamd, whyNoClamd } from '@daybook/local-clamd';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { ScannerMisconfigured, createClamdScanner, readClamdVersion } from './clamd-scanner.ts';
import type { Scan } from './clamd-scanner.ts';
import { createCompleteScanner } from './complete-scans.ts';
import { inspectDueBlobs } from './inspect-blobs.ts';
import { nestedArchive, encryptedArchive } from './probe-files.ts';
import { rescanBlobs } from './rescan-blobs.ts';

const noSignal = new AbortController().signal;
const scanned = (scan: Scan, bytes: Buffer) =>
  scan({ size: bytes.length, open: async () => Readable.from([bytes]) }, noSignal);
const alerts = ['AlertExceedsMax yes', 'AlertEncrypted yes', 'MaxFileSize 0'];
const limit = 'MaxScanSize 200M';
const started = async (options: Parameters<typeof startClamd>[0]): Promise<ClamdServer> => {
  const clamd = await startClamd(options);
  onTestFinished(() => clamd.remove());
  return clamd;
};

describe.skipIf(whyNoClamd() !== null)(
  'a scanner whose results must be complete',
  { timeout: 90_000 },
  () => {
    test('reports content beyond a limit, nested too deeply or encrypted as unscannable', async () => {
      const lines = [...alerts, 'MaxScanSize 1M'];
      const scan = createCompleteScanner(await started({ streamBytesMax: 4 * 1024 ** 2, lines }));
      const padding = Buffer.alloc(1_100_000, 'x');
      const unread = {
        padded: Buffer.concat([padding, knownBytes]),
        paddedAfter: Buffer.concat([knownBytes, padding]),
        tooLong: Buffer.alloc(5 * 1024 ** 2, 'x'),
        tooDeep: nestedArchive(30, knownBytes),
        packed: nestedArchive(1, Buffer.concat([padding, knownBytes])),
        encrypted: encryptedArchive(),
      };
      for (const [name, bytes] of Object.entries(unread))
        expect({ name, ...(await scanned(scan, bytes)) }).toMatchObject({ name, state: 'unscannable' });
      expect(await scanned(scan, nestedArchive(5, knownBytes))).toMatchObject({ state: 'infected' });
      expect(await scanned(scan, nestedArchive(5))).toEqual({ state: 'clean' });
    });

    test.each(
      [[], ...alerts.map((left) => alerts.filter((line) => line !== left))].map((lines) => ({ lines })),
    )('refuses every result of a clamd with only the settings $lines', async ({ lines }) => {
      const clamd = await started({ lines: [...lines, limit] });
      expect(await scanned(createClamdScanner(clamd), Buffer.from('harmless'))).toEqual({ state: 'clean' });
      const refused = scanned(createCompleteScanner(clamd), Buffer.from('harmless'));
      await expect(refused).rejects.toBeInstanceOf(ScannerMisconfigured);
    });
  },
);

describe.skipIf(whyNoClamd() !== null)('content after a scan', { timeout: 90_000 }, () => {
  const start = async (clamd: ClamdServer, more = {}): Promise<TestStorage> => {
    const stage = await startTestStorage({ files: { scanner: clamd, rescansPerHour: 12, ...more } });
    onTestFinished(() => stage.stop());
    return stage;
  };
  const inspect = (stage: TestStorage, scan: Scan): Promise<void> =>
    inspectDueBlobs(
      { ...stage.upkeep, scan },
      { signal: noSignal, transaction: (work) => stage.access.database.transaction().execute(work) },
    );

  test('is readable by its uploader only if it is unscannable, or by all readers if the operator permits it', async () => {
    const clamd = await started({});
    const scan = createCompleteScanner(clamd);
    for (const [unscannableFor, status] of [['uploader', 409] as const, ['readers', 200] as const]) {
      const stage = await start(clamd, { unscannableFor });
      const { id } = await stage.newFile((await stage.newProject()).id, 'locked.zip', encryptedArchive());
      await inspect(stage, scan);
      const file = await stage.send('GET', `/api/v1/files/${id}`, stage.owner);
      expect(file.json()).toMatchObject({ scanState: 'unscannable' });
      expect((await stage.contentOf(id, stage.owner)).status).toBe(200);
      expect((await stage.contentOf(id, stage.viewer.headers)).status).toBe(status);
    }
  });

  test('is scanned again at a limited rate when the version of the scanner changes', async () => {
    const clamd = await started({});
    const stage = await start(clamd);
    const project = (await stage.newProject()).id;
    const { id } = await stage.newFile(project, 'first', knownBytes);
    await stage.newFile(project, 'second', 'harmless');
    const due = async (): Promise<unknown> =>
      (
        await stage.database.asSuperuser(
          'SELECT count(*)::int AS due FROM storage.blob WHERE inspection_due_at IS NOT NULL',
        )
      )[0]?.['due'];
    const older: Scan = async () => ({ state: 'clean' });
    expect(await readClamdVersion(clamd)).toMatch(/^ClamAV \d/);
    await rescanBlobs(stage.upkeep);
    stage.clock.advance({ seconds: 1 });
    await inspect(stage, older);
    expect(await rescanBlobs(stage.upkeep)).toBe(0);
    await stage.database.asSuperuser("UPDATE storage.scanner SET version = 'older'");
    stage.clock.advance({ seconds: 1 });
    expect([await rescanBlobs(stage.upkeep), await due()]).toEqual([1, 1]);
    expect([await rescanBlobs(stage.upkeep), await due()]).toEqual([1, 2]);
    expect((await stage.contentOf(id, stage.viewer.headers)).status).toBe(200);
    await inspect(stage, createCompleteScanner(clamd));
    expect((await stage.contentOf(id, stage.viewer.headers)).status).toBe(409);
    expect([await rescanBlobs(stage.upkeep), await due()]).toEqual([0, 0]);
  });
});
