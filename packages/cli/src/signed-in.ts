import type { SignedInOptions } from '@daybook/client/storage';
import { RequestRefused } from '@daybook/client/storage';
import { accessToken } from '@daybook/login';

import type { CliHost } from './cli-host.ts';
import { refused } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { cliVersion } from './command-line.ts';

/** The options of every client that acts as the signed-in account. */
export function signedIn({ server }: CommandLine, host: CliHost): SignedInOptions {
  return {
    baseUrl: server,
    userAgent: `daybook-cli/${cliVersion}`,
    credential: { token: () => accessToken(host, server) },
    world: { fetch: (url, init) => host.fetch(url, init) },
  };
}

/** Turns refusals of the server into messages and exit codes. */
export async function withRefusals(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof RequestRefused ? refused(error.status, error.problem) : error;
  }
}

export async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of records) found.push(one);
  return found;
}
