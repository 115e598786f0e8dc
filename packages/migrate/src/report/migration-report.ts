import type { JournalRun } from '../commit/journal-store.ts';
import type { DataviewWarning } from './dataview-warning.ts';
import type { InterviewQuestion } from './interview.ts';
import type { RoutingSummary } from './routing-summary.ts';

export interface ReportInput {
  readonly at: string;
  readonly summary: RoutingSummary;
  readonly interview: readonly InterviewQuestion[];
  readonly runs: readonly JournalRun[];
  readonly remainders: readonly { readonly kind: string; readonly count: number; readonly bytes: number }[];
  readonly links: readonly {
    readonly source: string;
    readonly raw: string;
    readonly state: 'waiting' | 'missing';
  }[];
  readonly dataview: readonly DataviewWarning[];
  readonly files: readonly { readonly name: string; readonly status: string; readonly detail: string }[];
}

/** Links that do not lead to a note of the knowledge base, by reason. */
export const linkLists = [
  { title: 'Links to notes that are not committed yet', state: 'waiting' },
  { title: 'Links to files that were not scanned (unchanged)', state: 'missing' },
] as const;

export function remainderName(kind: string): string {
  return kind === 'front-matter' ? 'front matter, written with its note' : kind;
}

const barCells = 30;

/** The migration so far, as Markdown with a chart that any reader shows. */
export function migrationReport(input: ReportInput): string {
  const { summary } = input;
  const sections = [
    `# Migration report\n\nAs of ${input.at}: ${summary.chunks} chunks; ${Object.entries(summary.states)
      .map(([state, count]) => `${count} ${state}`)
      .join(', ')}.`,
    `## Committed chunks by target\n\n${chart(summary.committed)}`,
    `## Pending chunks by proposed target\n\n${chart(summary.routing)}\n\nUNCLEAR: ${summary.unclear}. Low confidence (below 40 %): ${summary.lowConfidence}.`,
    list(
      '## Not in any chunk',
      input.remainders.map(({ kind, count, bytes }) => `${remainderName(kind)}: ${count} (${bytes} bytes)`),
    ),
    list(
      '## Files with remarks',
      input.files.map(({ name, status, detail }) => `\`${name}\`: ${detail === '' ? status : detail}`),
    ),
    ...linkLists.map(({ title, state }) =>
      list(
        `## ${title}`,
        input.links
          .filter((link) => link.state === state)
          .map(({ source, raw }) => `\`${source}\`: \`${raw}\``),
      ),
    ),
    list(
      '## Dataview queries to change',
      input.dataview.map(({ path, folder, now }) => `\`${path}\`: the folder "${folder}" is now ${now}`),
    ),
    list(
      '## Suggested interviews',
      input.interview.map(({ target, question }) => `**${target}**: ${question}`),
    ),
    list(
      '## Runs',
      input.runs.map(
        (run) => `${run.id}: ${run.startedAt}, \`${run.command}\`, ${run.chunks} chunks, ${run.state}`,
      ),
    ),
  ];
  return `${sections.join('\n\n')}\n`;
}

function chart(rows: readonly { readonly target: string; readonly count: number }[]): string {
  if (rows.length === 0) return 'Nothing.';
  const most = Math.max(...rows.map(({ count }) => count));
  const width = Math.max(...rows.map(({ target }) => target.length));
  const lines = rows.map(({ target, count }) => {
    const bar = '█'.repeat(Math.max(1, Math.round((barCells * count) / most)));
    return `${target.padEnd(width)}  ${bar} ${count}`;
  });
  return ['```text', ...lines, '```'].join('\n');
}

function list(heading: string, lines: readonly string[]): string {
  return `${heading}\n\n${lines.length === 0 ? 'Nothing.' : lines.map((line) => `- ${line}`).join('\n')}`;
}
