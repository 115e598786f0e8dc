import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { DatabaseUrls } from '../../apps/server/src/foundation/database/logins.ts';
import { pinned } from './load-generator.ts';
import type { ServerUsage } from './server-usage.ts';

export interface ServerChild<Hello = unknown> {
  /** Its message when it started to listen. */
  readonly hello: Hello;
  readonly usage: () => Promise<ServerUsage>;
  readonly stop: () => Promise<void>;
}

export interface ServerChildOptions {
  readonly isPinned?: boolean;
  /** 1 is the core of the load generator. */
  readonly core?: 0 | 1;
  readonly nodeArgs?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a server, on the core that measured servers share unless it has threads of its own, and waits until it listens. */
export async function startServerChild<Hello>(
  program: string,
  args: readonly string[],
  urls?: DatabaseUrls,
  options: ServerChildOptions = {},
): Promise<ServerChild<Hello>> {
  const { isPinned = true, core = 0, nodeArgs = [], environment = {} } = options;
  const words: [string, ...string[]] = [process.execPath, ...process.execArgv, ...nodeArgs, program, ...args];
  const [command, rest] = isPinned ? pinned(core, words) : [words[0], words.slice(1)];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ...environment,
      ...(urls !== undefined && { DATABASE_URL: urls.application, DATABASE_READER_URL: urls.newsReader }),
    },
  });
  const exited = once(child, 'exit');
  const early = exited.then(([code]) => {
    throw new Error(`the ${args[0] ?? ''} server ended with ${String(code)} before it listened`);
  });
  const [hello] = (await Promise.race([once(child, 'message'), early])) as [Hello];
  early.catch(() => {});
  return {
    hello,
    usage: async () => {
      const said = once(child, 'message');
      child.send('usage');
      return ((await said) as [ServerUsage])[0];
    },
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
}
