import type { Source, SourceDesk } from '../../ingest/index.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

export const sourcesOptions = {
  name: text,
  owner: text,
  syndicate: text,
  language: text,
  tier: text,
  category: text,
  participation: text,
  homepage: text,
  'first-party': flag,
  'all-subjects': flag,
  'full-text': flag,
  'password-file': text,
  'token-file': text,
  'page-entry': text,
  'json-entries': text,
  'entry-title': text,
  'entry-link': text,
  'entry-date': text,
  'entry-summary': text,
  'entry-id': text,
  'entry-content': text,
  reason: text,
  out: text,
  all: flag,
  'no-poll': flag,
  json: flag,
} as const;

type Values = {
  readonly [Name in keyof typeof sourcesOptions]?: (typeof sourcesOptions)[Name]['type'] extends 'boolean'
    ? boolean
    : string;
};

export interface SourcesInput {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly print: (line: string) => void;
}

export type SourcesAction = (desk: SourceDesk, input: SourcesInput) => Promise<void>;

export const describeSourcesCommand = `daybook sources <action> [--json]

  add <url>              Add a feed; --name --owner --tier 1-4 --language --category --homepage --first-party
                         --participation editorial|signal|isolated  --full-text (fetch article pages)
                         --all-subjects (publish entries that are not about the AI industry)
                         --syndicate <name> (sources of one syndicate count as one independent source)
                         With authentication: --password-file <file with user:password> or --token-file <file
                         with a bearer token>; stored encrypted, sent only to this host
                         Page without a feed: --page-entry <CSS selector of an entry>, and relative to it
                         --entry-title --entry-link --entry-date --entry-summary (time@datetime selects an attribute)
                         JSON response: --json-entries <path of the array>, --entry-title and --entry-link <path>,
                         --entry-date --entry-summary --entry-id --entry-content
  import <file.opml>     Add the feeds of an OPML file
  install ai-industry    Add the starter pack and poll each source once (--no-poll: do not poll)
  export [--out file]    Export all sources as OPML
  list                   List all sources and their status
  show <source>          Show a source
  discover <site>        List the feeds that a site links to
  preview <url>          Show what a poll would store, without storing it; list options as for add
  poll <source> | --all  Poll now
  pause <source>         Stop polling a source; --reason
  resume <source>        Resume polling and poll now
  remove <source>        Remove a source; its items are not deleted

<source> is an id, URL or name.`;

export function one(positionals: readonly string[], what: string): string {
  const [value, ...others] = positionals;
  if (value === undefined || others.length > 0)
    throw new Error(`Specify one ${what}. See \`daybook sources --help\``);
  return value;
}

/** A table for people; columns as wide as their widest cell, within reason. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const columnMax = 48;
  const cells = rows.map((row) =>
    row.map((cell) => (cell.length > columnMax ? `${cell.slice(0, columnMax - 1)}…` : cell)),
  );
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => (row[at] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** For programs: stable names, times in ISO form. */
export function sourceJson(desk: SourceDesk, source: Source): object {
  const { health, form, hub, sealedAuthorization, ...rest } = source;
  const time = (instant: bigint | null): string | null =>
    instant === null ? null : new Date(Number(instant / 1000n)).toISOString();
  return {
    ...rest,
    kind: form.kind,
    hub: hub?.url ?? null,
    behindPassword: sealedAuthorization !== null,
    health: desk.health(source),
    dueAt: time(health.dueAt),
    polledAt: time(health.polledAt),
    succeededAt: time(health.succeededAt),
    newestEntryAt: time(health.newestEntryAt),
    outcome: health.outcome,
    failures: health.failures,
  };
}
