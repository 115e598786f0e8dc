import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { NewsClient } from '@daybook/client';
import { createClient } from '@daybook/client';
import { serverAddress } from '@daybook/login';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';
import type { Category, Flag, Language, MailFrequency } from './flags.ts';
import { languages, mailFrequencies, options } from './flags.ts';
import { parseSince } from './instants.ts';
import type { Deleting } from './push-folder.ts';

/** Compared with package.json by a test. */
export const cliVersion = '0.2.0';

/** The arguments of every reader command. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly json: boolean;
  readonly limit: number;
  /** Of the wording of stories, and of items. */
  readonly language: Language | null;
  readonly category: Category | null;
  /** A source's name or id. */
  readonly source: string | null;
  /** Milliseconds since 1970. */
  readonly since: number | null;
  readonly cursor: string | null;
  readonly follow: boolean;
  /** Asks the server also where a mirror exists. */
  readonly online: boolean;
  /** Of `mcp`: also the files of the account. */
  readonly files: boolean;
  readonly sqlite: string | null;
  readonly jsonLines: string | null;
  /** The keys that a proof must be signed with. */
  readonly key: string | null;
  /** Whether the digest of a story is checked against its quotations. */
  readonly digest: boolean;
  /** Of `ask`: names or ids. */
  readonly agent: string | null;
  readonly organization: string | null;
  readonly follows: string | null;
  /** Of `watch add`: excluded words, mail, and the least number of sources. */
  readonly without: string | null;
  readonly mail: MailFrequency | null;
  readonly minSources: number | null;
  /** Of `push`. */
  readonly deleting: Deleting;
  readonly server: string;
  readonly help: boolean;
}

const limitMax = 100;

/** Refuses flags that the command would ignore. */
export function parseCommandLine(
  args: readonly string[],
  flags: readonly Flag[],
  host: CliHost,
): CommandLine {
  const { values, positionals } = parsed(args, flags);
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw new CliError('usage', `--limit must be a number from 1 to ${limitMax}`);
  const language = languages.find((one) => one === values.language) ?? null;
  if (values.language !== undefined && language === null)
    throw new CliError('usage', `--language must be ${languages.join(' or ')}`);
  if (values.sqlite !== undefined && values.jsonl !== undefined)
    throw new CliError('usage', '--sqlite and --jsonl cannot be combined');
  const since = values.since === undefined ? null : parseSince(values.since, host.nowMs());
  if (values.since !== undefined && since === null)
    throw new CliError('usage', '--since must be 90m, 24h, 7d, a date, or a time such as 2026-11-18T08:00Z');
  const mail = mailFrequencies.find((one) => one === values.mail) ?? null;
  if (values.mail !== undefined && mail === null)
    throw new CliError('usage', `--mail must be ${mailFrequencies.join(', ')}`);
  const minSources = values['min-sources'] === undefined ? null : Number(values['min-sources']);
  if (minSources !== null && (!Number.isInteger(minSources) || minSources < 1))
    throw new CliError('usage', '--min-sources must be a number from 1');
  return {
    words: positionals,
    json: values.json,
    limit,
    language,
    category: (values.category ?? null) as Category | null,
    source: values.source ?? null,
    since,
    cursor: values.cursor ?? null,
    follow: values.follow,
    online: values.online,
    files: values.files,
    sqlite: values.sqlite ?? null,
    jsonLines: values.jsonl ?? null,
    key: values.key ?? null,
    digest: values.digest,
    agent: values.agent ?? null,
    organization: values.organization ?? null,
    follows: values.follows ?? null,
    without: values.without ?? null,
    mail,
    minSources,
    deleting: values['delete-all'] ? 'all' : values.delete ? 'extra' : 'nothing',
    server: serverAddress(host, values.url),
    help: values.help,
  };
}

function parsed(args: readonly string[], flags: readonly Flag[]) {
  try {
    const found = parseArgs({ args: [...args], options, allowPositionals: true, tokens: true });
    for (const token of found.tokens) {
      if (token.kind === 'option' && !flags.includes(token.name))
        throw new CliError('usage', `${token.rawName} does not apply to this command`);
    }
    return found;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      'usage',
      error instanceof Error ? (error.message.split(/\. /)[0] ?? '') : String(error),
    );
  }
}

export function clientOf({ server }: CommandLine, host: CliHost): NewsClient {
  return createClient({
    baseUrl: server,
    userAgent: `daybook-cli/${cliVersion}`,
    world: { fetch: (url, init) => host.fetch(url, init) },
    patience: { retriesMax: 2, waitMsMax: 20_000 },
  });
}

/** The default path of the mirror. */
export function defaultMirror({ env, home }: CliHost): string {
  return join(env['XDG_DATA_HOME'] ?? join(home, '.local/share'), 'daybook/mirror.db');
}

/** The mirror to read from, if one exists. */
export function mirrorToRead(line: CommandLine, host: CliHost): string | null {
  const path = line.sqlite ?? defaultMirror(host);
  return existsSync(path) ? path : null;
}
