import type { NewsOperations } from '@daybook/client/types';

type ItemsQuery = NewsOperations['listItems']['params'];

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];

export const mailFrequencies = ['never', 'hourly', 'daily'] as const;
export type MailFrequency = (typeof mailFrequencies)[number];

/** Offered for completion; the server decides which it knows. */
const categories = [
  'ai-models',
  'ai-products',
  'industry',
  'paper',
  'tip',
  'opinion',
] as const satisfies readonly NonNullable<ItemsQuery['category']>[];
export type Category = (typeof categories)[number];

/** As `parseArgs` takes them. */
export const options = {
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
  limit: { type: 'string', default: '20' },
  language: { type: 'string' },
  category: { type: 'string' },
  source: { type: 'string' },
  since: { type: 'string' },
  cursor: { type: 'string' },
  follow: { type: 'boolean', default: false },
  online: { type: 'boolean', default: false },
  files: { type: 'boolean', default: false },
  sqlite: { type: 'string' },
  jsonl: { type: 'string' },
  key: { type: 'string' },
  digest: { type: 'boolean', default: false },
  agent: { type: 'string' },
  organization: { type: 'string' },
  follows: { type: 'string' },
  without: { type: 'string' },
  mail: { type: 'string' },
  'min-sources': { type: 'string' },
  delete: { type: 'boolean', default: false },
  'delete-all': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;
export type Flag = keyof typeof options;

interface FlagText {
  /** The placeholder of its value. */
  readonly value?: string;
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly isFile?: true;
}

export const flagTexts: Readonly<Record<Flag, FlagText>> = {
  url: { value: 'url', summary: 'server URL; default DAYBOOK_URL, then http://localhost:8080' },
  json: { summary: 'print the response of the API as one JSON document (mirror: one per line)' },
  limit: { value: 'n', summary: 'number of items, 1 to 100' },
  language: {
    value: 'l',
    summary: 'en or zh: language of stories and reports; today, search and watch list only items in it',
    choices: languages,
  },
  category: { value: 'name', summary: 'only items of this category', choices: categories },
  source: { value: 'name', summary: 'only items of this source, by name or id' },
  since: {
    value: 'time',
    summary: 'only items received in the last 90m, 24h or 7d, or since a date (UTC) or a time with zone',
    choices: ['24h', '7d'],
  },
  cursor: {
    value: 'cursor',
    summary: 'continue with the next page: page.nextCursor of the previous response',
  },
  follow: { summary: 'update the mirror until interrupted' },
  online: { summary: 'read from the server even if a mirror exists' },
  files: { summary: 'also offer tools that read the files of the signed-in account' },
  sqlite: {
    value: 'file',
    summary: 'mirror to read or update; default ~/.local/share/daybook/mirror.db',
    isFile: true,
  },
  jsonl: { value: 'file', summary: 'write the mirror as JSON Lines', isFile: true },
  key: {
    value: 'key',
    summary:
      "keys of the log and of witnesses, from a source you trust, separated by spaces; default the log's own at /log/keys",
  },
  digest: { summary: 'for a story: check each sentence of the digest against its quotations' },
  agent: { value: 'name', summary: 'the agent, by name, slug or id; default the only one' },
  organization: {
    value: 'key',
    summary: 'the organization of the agent, by key or name; default the current one',
  },
  follows: { value: 'id', summary: 'id of the previous answer in the conversation' },
  without: { value: 'words', summary: 'exclude items that contain any of these words' },
  mail: {
    value: 'when',
    summary: 'e-mail about new matches: never, hourly or daily; default never',
    choices: mailFrequencies,
  },
  'min-sources': { value: 'n', summary: 'minimum number of independent sources of the story, 1 to 50' },
  delete: { summary: 'move files that the local folder does not contain to the trash of the project' },
  'delete-all': { summary: 'like --delete, even if this moves everything to the trash' },
  help: { summary: 'show this help' },
};

/** One line for each flag. */
export function flagLines(flags: readonly Flag[]): readonly string[] {
  const written = flags.map((flag) => {
    const { value, summary } = flagTexts[flag];
    return { name: `--${flag}${value === undefined ? '' : ` <${value}>`}`, summary };
  });
  const width = Math.max(...written.map(({ name }) => name.length));
  return written.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
}
