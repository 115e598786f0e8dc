import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { NewsClient } from '@daybook/client';
import { createClient } from '@daybook/client';
import { serverAddress } from '@daybook/login';

import type { CliHost } from './cli-host.ts';
import { CliError } from './cli-host.ts';

const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

/** The arguments of every reader command. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly json: boolean;
  readonly limit: number;
  /** Of the wording of stories, and of items. */
  readonly language: Language | null;
  readonly follow: boolean;
  /** Asks the server also where a mirror exists. */
  readonly online: boolean;
  readonly sqlite: string | null;
  readonly jsonLines: string | null;
  readonly server: string;
  readonly help: boolean;
}

const options = {
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
  limit: { type: 'string', default: '20' },
  language: { type: 'string' },
  follow: { type: 'boolean', default: false },
  online: { type: 'boolean', default: false },
  sqlite: { type: 'string' },
  jsonl: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;
const limitMax = 100;

export function parseCommandLine(args: readonly string[], host: CliHost): CommandLine {
  const { values, positionals } = parsed(args);
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax)
    throw new CliError('usage', `--limit must be a number from 1 to ${limitMax}`);
  const language = languages.find((one) => one === values.language) ?? null;
  if (values.language !== undefined && language === null)
    throw new CliError('usage', `--language must be ${languages.join(' or ')}`);
  if (values.sqlite !== undefined && values.jsonl !== undefined)
    throw new CliError('usage', '--sqlite and --jsonl cannot be combined');
  return {
    words: positionals,
    json: values.json,
    limit,
    language,
    follow: values.follow,
    online: values.online,
    sqlite: values.sqlite ?? null,
    jsonLines: values.jsonl ?? null,
    server: serverAddress(host, values.url),
    help: values.help,
  };
}

function parsed(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new CliError(
      'usage',
      error instanceof Error ? (error.message.split(/\. /)[0] ?? '') : String(error),
    );
  }
}

export function clientOf({ server }: CommandLine, host: CliHost): NewsClient {
  return createClient({
    baseUrl: server,
    userAgent: 'daybook-cli/0.1.0',
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
