import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Suite, SuiteContext } from '@daybook/evidence';

import { drawPicture } from '../../../apps/server/src/storage/derived/draw-picture.ts';
import { withNamelessFile } from '../../../apps/server/src/storage/derived/nameless-file.ts';
import { send } from '../../../apps/server/test/accounts-stage.ts';
import { pdfOf } from '../../../apps/server/test/document-files.ts';
import { noSandbox } from '../../../apps/server/test/no-sandbox.ts';
import { openStorageStage } from '../../../apps/server/test/storage-stage.ts';
import { startWorkerSupervisor } from '../engine/worker-supervisor.ts';
import { signUp } from '../storage/access-askers.ts';
import { hostileArchives } from '../storage/hostile-archives.ts';
import type { HostileFile, HostileMeans } from '../storage/hostile-files.ts';
import { hostileMarkup } from '../storage/hostile-markup.ts';
import { hostilePdfs } from '../storage/hostile-pdfs.ts';
import { hostilePictures } from '../storage/hostile-pictures.ts';
import { mutatedDocuments, validDocuments } from '../storage/mutated-documents.ts';
import type { Attacked, ListTimes } from '../storage/read-hostile.ts';
import { outcomesOf, readBatch, readSecondTime, reportTimes } from '../storage/read-hostile.ts';
import { tryEscapes } from '../storage/sandbox-escapes.ts';
import type { SandboxUse } from '../storage/sandbox-watch.ts';
import { watchSandboxes } from '../storage/sandbox-watch.ts';

export const suite: Suite = {
  name: 'hostile-documents',
  nightly: true,
  summary:
    'Hostile documents and pictures neither leave the sandbox that reads them nor exceed its limits, and each ends with a recorded result.',
  promise:
    'The attacker is a member of one organization who can store any bytes under any name and media type, as many as the quota permits. They know the source code, the versions of Poppler and of the libraries, every limit, and the path of a secret file and the address of a server on the same machine; they see only what the API answers. They store archives and Office files that unpack to far more than they are or lie about it, nested archives, entities that grow or name files and addresses, paths that leave a folder, malformed PDF files that loop, grow or name files and addresses, GIF, JPEG and PNG pictures that are far larger than their files, pages that cost a parser quadratic time, and small random changes of valid files. A real worker reads all of them, while the list of a user of another organization is measured. A program that does what a taken-over parser could try is run with the same walls. Limits are read from the system for every program that reads a document.',
  headline: 'hostile and changed documents',
  run: async (context) => {
    if (noSandbox !== null) {
      context.didNotRun(noSandbox);
      return;
    }
    const folder = await mkdtemp(join(tmpdir(), 'daybook-hostile-documents-'));
    const connections = { count: 0 };
    const server = createServer((socket) => {
      connections.count += 1;
      socket.destroy();
    }).listen(0);
    try {
      const canary = join(folder, 'canary.txt');
      await writeFile(canary, secret);
      await attack(context, { canary, server, logFile: join(folder, 'worker.log') });
      context.figure({
        name: 'connections to the server that documents name',
        value: connections.count,
        unit: 'connections',
        goal: { exactly: 0 },
      });
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  },
};

const secret = 'only this file has the word quagmirical';
const program = fileURLToPath(new URL('../processes/storage-worker.ts', import.meta.url));
const seed = 88;

interface Target {
  readonly canary: string;
  readonly server: Server;
  readonly logFile: string;
}

async function attack(context: SuiteContext, target: Target): Promise<void> {
  const { port } = target.server.address() as AddressInfo;
  await reportEscapes(context, target.canary, port);
  const means = { canary: target.canary, address: `http://127.0.0.1:${port}`, withBombs: !context.quick };
  const stage = await openStorageStage(1);
  const worker = startWorkerSupervisor({
    program,
    slots: 1,
    settings: { environment: stage.settings, readsTexts: true },
    logFile: target.logFile,
  });
  const first = worker.processId(0);
  const watch = watchSandboxes(() => worker.processId(0));
  try {
    const attacked = await prepare(stage, worker);
    await readAll(context, attacked, means);
    reportUse(context, watch.stop());
    context.figure({
      name: 'worker processes that ended',
      value: worker.processId(0) === first ? 0 : 1,
      unit: 'processes',
      goal: { exactly: 0 },
    });
  } finally {
    watch.stop();
    await worker.stop();
    await stage.stop();
  }
  const errors = (await readFile(target.logFile, 'utf8')).trim();
  if (errors !== '') context.note(errors.slice(0, 2_000));
  none(context, 'errors of the worker', errors === '' ? [] : errors.split('\n'), 'lines');
}

async function reportEscapes(context: SuiteContext, canary: string, port: number): Promise<void> {
  const { tried, out } = await tryEscapes(canary, port);
  context.figure({ name: 'ways out of the sandbox', value: tried, unit: 'ways', goal: { atLeast: 25 } });
  none(context, 'ways that lead out', out, 'ways');
}

async function prepare(stage: Attacked['stage'], worker: Attacked['worker']): Promise<Attacked> {
  const attacker = await signUp(stage);
  const { port = 0 } = stage.processes[0] ?? {};
  const made = await send(port, '/api/v1/projects', { json: { name: 'attack' }, headers: attacker.bearer });
  const { id: projectId } = made.json<{ id: string }>();
  const listedProject = await stage.newProject('listed');
  for (let one = 0; one < 100; one += 1)
    await stage.ask('POST', '/api/v1/folders', { projectId: listedProject, name: `folder ${one}` });
  return { stage, worker, attacker, projectId, listedProject };
}

async function readAll(context: SuiteContext, attacked: Attacked, means: HostileMeans): Promise<void> {
  const valid = validDocuments(await drawnJpeg());
  const changed = mutatedDocuments(valid, context.quick ? 100 : 1_000, seed);
  const batches = context.quick
    ? [[...hostileOf(means), ...changed, ...valid]]
    : [...inBatches(hostileOf(means), 40), ...inBatches(changed, 125), valid];
  const ids: string[] = [];
  const rounds: ListTimes[] = [];
  for (const batch of batches) {
    const read = await readBatch(attacked, batch, context.quick ? 40 : 150);
    ids.push(...read.ids);
    rounds.push(read.times);
  }
  await readSecondTime(attacked);
  const outcomes = await outcomesOf(attacked.stage, ids, secret);
  const hostile = ids.length - valid.length;
  const figure = (name: string, value: number, atLeast: number): void =>
    context.figure({ name, value, unit: 'files', goal: { atLeast } });
  figure('hostile and changed documents', hostile, context.quick ? 130 : 1_100);
  none(context, 'without a recorded result', outcomes.missing, 'files');
  none(context, 'texts with the secret that documents name', outcomes.revealing, 'files');
  figure('with text', outcomes.texts, 10);
  figure('with a picture', outcomes.pictures, 10);
  figure('refused with a reason', outcomes.faults, 10);
  const unread = valid.filter((_, index) => !outcomes.read.has(ids[hostile + index] ?? ''));
  none(
    context,
    'valid documents that were not read afterwards',
    unread.map(({ name }) => name),
    'files',
  );
  reportTimes(context, rounds);
}

function hostileOf(means: HostileMeans): readonly HostileFile[] {
  return [
    ...hostileArchives(means),
    ...hostilePdfs(means),
    ...hostilePictures(means),
    ...hostileMarkup(means),
  ];
}

function inBatches(files: readonly HostileFile[], size: number): (readonly HostileFile[])[] {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) =>
    files.slice(index * size, (index + 1) * size),
  );
}

/** A real one: Poppler has written it. */
async function drawnJpeg(): Promise<Buffer> {
  const pdf = pdfOf('a page');
  const drawn = await withNamelessFile([pdf], pdf.length, (file) =>
    drawPicture(file, 'pdf', new AbortController().signal),
  );
  if (drawn === null) throw new Error('no picture was drawn');
  return drawn;
}

function reportUse(context: SuiteContext, use: SandboxUse): void {
  const figure = (
    name: string,
    value: number,
    unit: string,
    goal: { atMost: number } | { atLeast: number },
  ) => context.figure({ name, value, unit, goal });
  figure('programs that read documents, seen', use.programs, 'programs', {
    atLeast: context.quick ? 50 : 500,
  });
  none(context, 'of these without a limit or a wall', use.unconfined, 'programs');
  figure('largest memory of a program, of its limit', use.memoryShare, 'of the limit', { atMost: 1 });
  // Twenty seconds, and the time until a busy machine has ended the program.
  figure('longest time of a program', use.longestSeconds, 's', { atMost: 23 });
  figure('largest memory of the worker', use.workerBytesMax / 1024 ** 2, 'MiB', { atMost: 600 });
  none(context, 'programs left behind', Array(use.running).fill('a program'), 'programs');
}

function none(context: SuiteContext, name: string, found: readonly string[], unit: string): void {
  for (const one of found.slice(0, 10)) context.note(`${name}: ${one}`);
  context.figure({ name, value: found.length, unit, goal: { exactly: 0 } });
}
