import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Witness } from '@daybook/client/log/witness';
import { createWitness } from '@daybook/client/log/witness';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import {
  createWitnessFolder,
  logsFile,
  readWitnessedLogs,
  readWitnessKey,
  witnessStore,
} from './witness-files.ts';

const usage = 'use daybook witness keygen <folder> <name>, or daybook witness serve <folder> [port]';
const defaultPort = 8090;

/** A witness for the logs of others: it cosigns each checkpoint that continues the one before. */
export async function witness(line: CommandLine, host: CliHost): Promise<void> {
  const [action, folder, third, ...more] = line.words;
  if (folder === undefined || more.length > 0) throw new CliError('usage', usage);
  if (action === 'keygen') await keygen(folder, third, host);
  else if (action === 'serve') await serveUntilStopped(folder, third, host);
  else throw new CliError('usage', usage);
}

async function keygen(folder: string, name: string | undefined, host: CliHost): Promise<void> {
  if (name === undefined || !/^[\w.:/-]{1,200}$/u.test(name))
    throw new CliError(
      'usage',
      'use the address of the witness without a scheme as its name: witness.example/w',
    );
  const key = await createWitnessFolder(folder, name).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CliError('usage', `${folder} already contains a key`);
    throw error;
  });
  host.say(
    `Created ${folder}. Add the keys of the logs to ${logsFile} in this folder, and publish the key of the witness:`,
  );
  host.print(key);
}

async function serveUntilStopped(folder: string, port: string | undefined, host: CliHost): Promise<void> {
  const number = Number(port ?? defaultPort);
  if (!Number.isInteger(number) || number < 0 || number > 65_535)
    throw new CliError('usage', 'the port must be a number up to 65535');
  const served = await serveWitness(folder, number, () => Math.floor(host.nowMs() / 1_000));
  host.say(`Witness running at http://127.0.0.1:${served.port}/add-checkpoint for ${served.logs} logs.`);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  await once(stopping.signal, 'abort');
  await served.close();
}

export interface ServedWitness {
  readonly port: number;
  readonly logs: number;
  readonly verifierKey: string;
  readonly close: () => Promise<void>;
}

/** On loopback only: a reverse proxy in front of it serves HTTPS. */
export async function serveWitness(
  folder: string,
  port: number,
  nowSeconds: () => number,
): Promise<ServedWitness> {
  const [key, logKeys] = [await readWitnessKey(folder), await readWitnessedLogs(folder)];
  const cosigner = createWitness({
    logKeys,
    store: witnessStore(folder),
    cosign: (text) => key.cosign(text, nowSeconds()),
  });
  const server = createServer((request, response) => {
    answer(cosigner, request, response).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.requestTimeout = 10_000;
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    logs: new Set(logKeys.map(({ name }) => name)).size,
    verifierKey: key.verifierKey,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

const requestBytesMax = 64_000;

async function answer(cosigner: Witness, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url !== '/add-checkpoint') return void response.writeHead(404).end();
  if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > requestBytesMax) return void response.writeHead(413, { connection: 'close' }).end();
    parts.push(part);
  }
  const { status, contentType, body } = await cosigner.addCheckpoint(Buffer.concat(parts).toString());
  response.writeHead(status, { 'content-type': contentType }).end(body);
}
