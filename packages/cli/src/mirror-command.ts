import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import type { MirrorStore } from '@daybook/client/mirror';
import { follow, MirrorDifferentError, MirrorRefusedError, verify } from '@daybook/client/mirror';
import { jsonLinesStore } from '@daybook/client/mirror/json-lines';
import { sqliteStore } from '@daybook/client/mirror/sqlite';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { clientOf, defaultMirror } from './command-line.ts';
import { ago } from './reader-commands.ts';
import { painter } from './terminal-text.ts';

/** Copies the selected set, or checks the copy. */
export async function mirror(line: CommandLine, host: CliHost): Promise<void> {
  const [what, ...more] = line.words;
  if ((what !== undefined && what !== 'verify') || more.length > 0)
    throw new CliError('usage', 'use daybook mirror or daybook mirror verify');
  const path = line.sqlite ?? line.jsonLines ?? defaultMirror(host);
  if (what === 'verify' && !existsSync(path))
    throw new CliError('notFound', `no mirror at ${path}; create it with daybook mirror`);
  mkdirSync(dirname(path), { recursive: true });
  const store = line.jsonLines === null ? sqliteStore(path) : jsonLinesStore(path);
  try {
    if (what === 'verify') await check(line, host, store);
    else await copy(line, host, store, path);
  } finally {
    await store.close();
  }
}

async function check(line: CommandLine, host: CliHost, store: MirrorStore): Promise<void> {
  const found = await verify(store);
  if (line.json) host.print(JSON.stringify(found));
  else if (found.ok) {
    const since =
      found.exactAt === null ? '' : `, confirmed by the server ${ago(host.nowMs() - found.exactAt)} ago`;
    host.print(`${found.size} items, all intact${since}.`);
  }
  if (found.ok) return;
  const named = found.differing.slice(0, 20).join('\n  ');
  throw new CliError(
    'different',
    found.differing.length === 0
      ? 'the mirror is incomplete; continue with daybook mirror'
      : `these items are damaged:\n  ${named}`,
  );
}

async function copy(line: CommandLine, host: CliHost, store: MirrorStore, path: string): Promise<void> {
  const paint = painter(host.screen);
  let read = 0;
  try {
    for await (const event of follow({ client: clientOf(line, host), store, once: !line.follow })) {
      if (line.json) host.print(JSON.stringify(event));
      else if (event.kind === 'exact')
        host.print(`${event.size} items in ${path}, ${paint('bold', 'exact')}.`);
      else if (event.kind === 'upsert') host.print(`+ ${event.item.id}`);
      else if (event.kind === 'remove') host.print(`- ${event.id}`);
      else if (event.kind === 'restart')
        host.say('Creating a new copy; the old copy stays in use until it is complete.');
      else host.say(`${(read += event.items)} items read`);
    }
  } catch (error) {
    if (error instanceof MirrorDifferentError) throw new CliError('different', error.message);
    if (error instanceof MirrorRefusedError) throw new CliError('failed', error.message);
    throw error;
  }
}
