import type { Suite, SuiteContext } from '@daybook/evidence';
import type { ClamdServer } from '@daybook/local-clamd';
import { startClamd, whyNoClamd } from '@daybook/local-clamd';

import { createCompleteScanner } from '../../../apps/server/src/storage/inspection/complete-scans.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage, sendBytes } from '../../../apps/server/test/storage-stage.ts';
import type { StagePerson } from '../storage/access-askers.ts';
import { addGuest, organizationOf, signUp } from '../storage/access-askers.ts';
import { inspectAll } from '../storage/infected-files.ts';
import type { ScannedFile } from '../storage/scanned-files.ts';
import { scannedFiles } from '../storage/scanned-files.ts';

const alerts = ['AlertExceedsMax yes', 'AlertEncrypted yes', 'MaxFileSize 0'];

export const suite: Suite = {
  name: 'scanner',
  summary: 'Content that the malware scanner has not read completely is never called clean.',
  promise:
    'Real ClamAV scans files with a known signature at the beginning, middle and end, alone and packed, in archives of growing depth, encrypted, and larger than each of its limits, sent by three kinds of upload. None of them becomes clean, none is readable for another user before or after the result, harmless files within the limits become clean, and a daemon without the required settings makes nothing clean.',
  measuresNoTime: true,
  run: async (context) => {
    const missing = whyNoClamd();
    if (missing !== null) {
      context.didNotRun(missing);
      return;
    }
    const [sizes, limits] = context.quick
      ? [[1, 4, 7, 13, 18], { scan: 12, stream: 16 }]
      : [[1, 10, 30, 90, 210, 300], { scan: 200, stream: 250 }];
    const lines = [...alerts, `MaxScanSize ${limits.scan}M`];
    const clamd = await startClamd({ streamBytesMax: limits.stream * 1024 ** 2, lines });
    const careless = await startClamd({
      streamBytesMax: limits.stream * 1024 ** 2,
      lines: ['MaxFileSize 8M'],
    });
    const stage = await openStorageStage(1, undefined, { DAYBOOK_CLAMD: clamd.path });
    try {
      await judge(context, stage, { clamd, careless }, [...scannedFiles(sizes, [1, 5, 10, 20, 40])]);
    } finally {
      await Promise.all([stage.stop(), clamd.remove(), careless.remove()]);
    }
  },
};

async function judge(
  context: SuiteContext,
  stage: StorageStage,
  { clamd, careless }: { readonly clamd: ClamdServer; readonly careless: ClamdServer },
  files: readonly ScannedFile[],
): Promise<void> {
  const projectId = await stage.newProject('scanned');
  const reader = await addReader(stage, projectId);
  const stored: (ScannedFile & { readonly id: string })[] = [];
  for (const [turn, file] of files.entries())
    stored.push({ ...file, id: await store(stage, projectId, file, turn) });
  const before = await countReadable(stage, reader, stored);
  const refused = await inspectAll(stage, createCompleteScanner(careless)).then(
    () => 0,
    () => 1,
  );
  const careful = await statesOf(stage);
  const afterRefusal = [...careful.values()].filter((state) => state !== 'waiting').length;
  await stage.superuser.pool.query(
    'UPDATE storage.blob SET inspection_due_at = now() WHERE inspection_due_at > now()',
  );
  await inspectAll(stage, createCompleteScanner(clamd));
  const states = await statesOf(stage);
  const suspects = stored.filter(({ isSuspect }) => isSuspect);
  const wrong = suspects.filter(({ id }) => !['infected', 'unscannable'].includes(states.get(id) ?? ''));
  for (const { name, id } of wrong.slice(0, 10)) context.note(`${name}: ${states.get(id)}`);
  const figure = (name: string, value: number, exactly = 0): void =>
    context.figure({ name, value, unit: 'files', goal: { exactly } });
  context.figure({ name: 'suspect files', value: suspects.length, unit: 'files', goal: { atLeast: 30 } });
  figure('readable by others before a result', before);
  figure('inspections refused without the required settings', refused, 1);
  figure('with a result of a scanner without the required settings', afterRefusal);
  figure('suspect files with another result than infected or unscannable', wrong.length);
  figure('suspect files readable by others afterwards', await countReadable(stage, reader, suspects));
  const count = (state: string): number => stored.filter(({ id }) => states.get(id) === state).length;
  context.figure({ name: 'infected', value: count('infected'), unit: 'files', goal: { atLeast: 10 } });
  context.figure({ name: 'unscannable', value: count('unscannable'), unit: 'files', goal: { atLeast: 10 } });
  context.figure({ name: 'clean', value: count('clean'), unit: 'files', goal: { atLeast: 5 } });
}

async function addReader(stage: StorageStage, projectId: string): Promise<StagePerson> {
  const reader = await signUp(stage);
  await addGuest(stage, await organizationOf(stage, stage.account.id), reader);
  await stage.ask('POST', `/api/v1/projects/${projectId}/shares`, { member: reader.username, level: 'read' });
  return reader;
}

/** In one request, in two, or with tus: by turns. */
async function store(
  stage: StorageStage,
  projectId: string,
  { name, bytes }: ScannedFile,
  turn: number,
): Promise<string> {
  const { port = 0 } = stage.processes[0] ?? {};
  const put = async (method: string, path: string, headers = {}): Promise<{ id?: string }> => {
    const answer = await sendBytes(port, { method, path, headers: { ...stage.headers, ...headers } }, bytes);
    if (answer === null || answer.status > 299) throw new Error(`${name}: ${answer?.body.toString()}`);
    return JSON.parse(answer.body.toString() || '{}') as { id?: string };
  };
  if (turn % 3 === 0 || bytes.length === 0)
    return idOf(await put('POST', `/api/v1/projects/${projectId}/files?name=${encodeURIComponent(name)}`));
  if (turn % 3 === 1) {
    const made = await stage.ask('POST', '/api/v1/uploads', { projectId, name, size: bytes.length });
    return idOf(await put('PUT', `/api/v1/uploads/${made.json<{ id: string }>().id}/content`));
  }
  const metadata = Object.entries({ projectId, filename: name });
  const begun = await send(port, '/api/v1/tus', {
    method: 'POST',
    headers: {
      ...stage.headers,
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes.length),
      'upload-metadata': metadata
        .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
        .join(),
    },
  });
  const location = new URL(String(begun.headers['location']), 'http://localhost').pathname;
  const piece = { 'tus-resumable': '1.0.0', 'upload-offset': '0' };
  await put('PATCH', location, { ...piece, 'content-type': 'application/offset+octet-stream' });
  const upload = await stage.ask('GET', location.replace('/tus/', '/uploads/'));
  return upload.json<{ fileId: string }>().fileId;
}

function idOf({ id }: { id?: string }): string {
  if (id === undefined) throw new Error('a file was not stored');
  return id;
}

async function statesOf({ superuser }: StorageStage): Promise<ReadonlyMap<string, string>> {
  const { rows } = await superuser.pool.query<{ id: string; state: string }>(
    `SELECT version.file_id AS id, blob.scan_state AS state
     FROM storage.version JOIN storage.blob ON blob.key = version.blob_key`,
  );
  return new Map(rows.map(({ id, state }) => [id, state]));
}

async function countReadable(
  { processes }: StorageStage,
  reader: StagePerson,
  files: readonly { readonly id: string }[],
): Promise<number> {
  let readable = 0;
  for (const { id } of files) {
    const { port = 0 } = processes[0] ?? {};
    const answer = await send(port, `/api/v1/files/${id}/content`, { headers: reader.bearer });
    if (answer.status !== 409) readable += 1;
  }
  return readable;
}
