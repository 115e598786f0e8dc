import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import type { MirrorEvent, MirrorStore, Verification } from '@daybook/client/mirror';
import {
  follow,
  MirrorDifferentError,
  MirrorRefusedError,
  MirrorServerError,
  verify,
  verifyOnline,
} from '@daybook/client/mirror';
import { jsonLinesStore } from '@daybook/client/mirror/json-lines';
import { MirrorFileError, setAside, sqliteStore } from '@daybook/client/mirror/sqlite';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { clientOf, defaultMirror } from './command-line.ts';
import { ageOf, instant } from './instants.ts';
import { checkMirrorLog } from './mirror-log.ts';
import { painter } from './terminal-text.ts';

/** Copies the selected set, or checks or repairs the copy. */
export async function mirror(line: CommandLine, host: CliHost): Promise<void> {
  const [what, ...more] = line.words;
  const actions: readonly (string | undefined)[] = [undefined, 'verify', 'repair', 'log'];
  if (!actions.includes(what) || more.length > 0)
    throw new CliError('usage', 'use daybook mirror, daybook mirror verify, repair or log');
  const path = line.sqlite ?? line.jsonLines ?? defaultMirror(host);
  if (what !== undefined && !existsSync(path))
    throw new CliError('notFound', `no mirror at ${path}; create it with daybook mirror`);
  mkdirSync(dirname(path), { recursive: true });
  const open = (): MirrorStore => (line.jsonLines === null ? sqliteStore(path) : jsonLinesStore(path));
  try {
    if (what === 'verify') await withStore(open, (store) => check(line, host, store));
    else if (what === 'log') await withStore(open, (store) => checkMirrorLog(line, host, { store, path }));
    else await update(line, host, path, open);
  } catch (error) {
    if (error instanceof MirrorFileError)
      throw new CliError('different', `${error.message}; repair it with daybook mirror repair`);
    if (error instanceof MirrorDifferentError) throw new CliError('different', error.message);
    if (error instanceof MirrorServerError) throw new CliError('usage', error.message);
    if (error instanceof MirrorRefusedError) throw new CliError('failed', error.message);
    throw error;
  }
}

async function withStore(
  open: () => MirrorStore,
  work: (store: MirrorStore) => Promise<void>,
): Promise<void> {
  const store = open();
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

/** A file that cannot be read is renamed, and a new copy begun in its place. */
async function update(
  line: CommandLine,
  host: CliHost,
  path: string,
  open: () => MirrorStore,
): Promise<void> {
  const copyAll = (): Promise<void> => withStore(open, (store) => copy(line, host, store, path));
  try {
    await copyAll();
  } catch (error) {
    if (!(error instanceof MirrorFileError)) throw error;
    host.say(`${error.message}. The file was renamed to ${setAside(path)}. Downloading a new copy.`);
    await copyAll();
  }
}

async function check(line: CommandLine, host: CliHost, store: MirrorStore): Promise<void> {
  const found = line.online ? await verifyOnline(store, clientOf(line, host)) : await verify(store);
  const isServersSet = !('isServersSet' in found) || found.isServersSet;
  const age = ageOf(found, host);
  if (line.json) host.print(JSON.stringify({ ...found, ...age.json }));
  else if (found.ok && isServersSet)
    host.print(`${found.size} items, all intact${age.text}${behind(found)}.`);
  if (found.ok && isServersSet) return;
  const named = found.differing.slice(0, 20).join('\n  ');
  throw new CliError(
    'different',
    found.differing.length === 0
      ? 'the mirror is incomplete or damaged; repair it with daybook mirror repair'
      : `these items are damaged:\n  ${named}`,
  );
}

function behind(found: Verification | Awaited<ReturnType<typeof verifyOnline>>): string {
  if (!('behind' in found) || found.behind === null) return '';
  return found.behind === 0 ? ', up to date with the server' : `, ${found.behind} changes behind the server`;
}

async function copy(line: CommandLine, host: CliHost, store: MirrorStore, path: string): Promise<void> {
  const isOnce = !line.follow || line.words[0] === 'repair';
  let read = 0;
  for await (const event of follow({ client: clientOf(line, host), store, once: isOnce })) {
    if (line.json) host.print(JSON.stringify(event));
    else if (event.kind === 'snapshot') host.say(`${(read += event.items)} items downloaded`);
    else tell(event, host, path);
  }
}

function tell(event: MirrorEvent, host: CliHost, path: string): void {
  const paint = painter(host);
  if (event.kind === 'exact') host.print(`${event.size} items in ${path}, ${paint('bold', 'exact')}.`);
  if (event.kind === 'in-step')
    host.print(`${event.size} items in ${path}, up to date, verified at ${instant(event.verifiedAt)}.`);
  if (event.kind === 'upsert') host.print(`+ ${event.item.id}`);
  if (event.kind === 'remove') host.print(`- ${event.id}`);
  if (event.kind === 'repair')
    host.say(`The copy differed. Repaired ${event.ranges} ranges of ids with ${event.items} items.`);
  if (event.kind === 'restart')
    host.say('Creating a new copy; the old copy stays in use until it is complete.');
}
