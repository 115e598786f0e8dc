import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { editions } from '../../../apps/server/src/record/index.ts';
import type { EditionTruth } from './edition-truth.ts';
import type { Readers, Shown, Surface } from './language-surfaces.ts';
import { get, getJson, inMarkdown, pagePath, plain, runCli } from './language-surfaces.ts';
import type { MailedEditions } from './mailed-editions.ts';

/** A text of a report, before its expected titles are known. */
interface ReadItem {
  readonly id: string;
  readonly title: string;
}

interface Report {
  readonly headline: string;
  readonly overview: string;
  readonly sections: readonly { readonly items: readonly ReadItem[] }[];
  readonly flashes?: readonly ReadItem[];
}

interface ReadReport {
  readonly headline: string;
  readonly overview?: string;
  readonly items: readonly ReadItem[];
}

const plurals: Readonly<Record<editions.EditionKind, string>> = {
  daily: 'dailies',
  weekly: 'weeklies',
  monthly: 'monthlies',
};

const readReport = ({ headline, overview, sections, flashes = [] }: Report): ReadReport => ({
  headline,
  overview,
  items: [...sections.flatMap(({ items }) => items), ...flashes],
});

/** The edition as each surface shows it; the command line reads one edition of each kind. */
export function editionSurfaces(
  { port, mcp }: Readers,
  truth: EditionTruth,
  mailed: MailedEditions,
  withCli: boolean,
): readonly Surface[] {
  const { kind, period } = truth;
  const api = async (language: ReaderLanguage): Promise<ReadReport> =>
    readReport(
      (await getJson<{ report: Report }>(port, `/api/v1/${plurals[kind]}/${period}?language=${language}`))
        .report,
    );
  const surface = (name: string, read: (language: ReaderLanguage) => Promise<ReadReport>): Surface => ({
    name: `${kind} ${period}, ${name}`,
    isSameForAll: true,
    document: `${kind} ${period}`,
    read: async (language) => shownOf(truth, language, await read(language)),
  });
  const cli = surface('CLI', async (language) =>
    readReport((await runCli<{ report: Report }>(port, [kind, period, '--language', language])).report),
  );
  const mail = surface('mail', async (language) => readMail(mailed.textOf(truth, language) ?? ''));
  const mailedPage = surface('HTML of the mail', async (language) =>
    readMailedPage(mailed.htmlOf(truth, language) ?? ''),
  );
  return [
    surface('API', api),
    surface('Markdown', async (language) => {
      const text = await get(port, `/agent/${kind}/${period}.md?language=${language}`);
      return inDocument(text, await api(language));
    }),
    surface('MCP', async (language) => {
      const { structuredContent } = await mcp.callTool({
        name: 'report',
        arguments: { kind, period, language },
      });
      return readReport(structuredContent as unknown as Report);
    }),
    surface('page', async (language) =>
      readPage(await get(port, pagePath(language, `/${kind}/${period}`)), truth),
    ),
    ...(withCli ? [cli] : []),
    ...(mailed.textOf(truth, 'en') === undefined ? [] : [mail, mailedPage]),
  ];
}

/** Headlines and overviews of all editions of a kind. */
export function editionListSurfaces(
  { port, mcp }: Readers,
  kind: editions.EditionKind,
  truths: readonly EditionTruth[],
): readonly Surface[] {
  const listed = (
    rows: readonly { readonly period: string; readonly title: string; readonly digest?: string }[],
    language: ReaderLanguage,
  ): readonly Shown[] =>
    rows.map((row) => ({
      ...row,
      key: `${kind} ${row.period}`,
      isHeadline: true as const,
      titles: truths.find(({ period }) => period === row.period)?.headlinesIn(language) ?? new Set(),
    }));
  const surface = (name: string, read: Surface['read']): Surface => ({
    name: `${plurals[kind]}, ${name}`,
    isSameForAll: true,
    read,
  });
  return [
    surface('index API', async (language) => {
      const { reports } = await getJson<{ reports: Record<string, string>[] }>(
        port,
        `/api/v1/${plurals[kind]}?language=${language}`,
      );
      return listed(
        reports.map((entry) => ({
          period: entry['date'] ?? entry['week'] ?? entry['month'] ?? '',
          title: entry['headline'] ?? '',
        })),
        language,
      );
    }),
    surface('feed', async (language) => {
      const { items } = await getJson<{
        items: { title: string; content_text?: string; summary?: string }[];
      }>(port, `/feeds/${kind}.json?language=${language}`);
      return listed(
        // The newest have their whole content, and the overview as summary.
        items.map(({ title, content_text, summary = '' }) => {
          const [period = '', ...rest] = title.split(': ');
          return { period, title: rest.join(': '), digest: content_text ?? summary };
        }),
        language,
      );
    }),
    surface('MCP reports', async (language) => listed(await mcpReports(mcp, kind, language), language)),
    surface('archive page', async (language) => {
      const page = await get(port, pagePath(language, `/${kind}/archive`));
      const entry = /<li data-entry="([^"]+)">\s*<a [^>]*>([\s\S]*?)<\/a\s*>/g;
      return listed(
        [...page.matchAll(entry)].map(([, period = '', title = '']) => ({ period, title: plain(title) })),
        language,
      );
    }),
  ];
}

async function mcpReports(
  mcp: Readers['mcp'],
  kind: editions.EditionKind,
  language: ReaderLanguage,
): Promise<readonly { readonly period: string; readonly title: string }[]> {
  const { structuredContent } = await mcp.callTool({
    name: 'reports',
    arguments: { kind, language, limit: 50 },
  });
  const { reports } = structuredContent as unknown as { reports: { period: string; headline: string }[] };
  return reports.map(({ period, headline }) => ({ period, title: headline }));
}

function shownOf(
  { kind, period, storyOf, titlesOf, headlinesIn }: EditionTruth,
  language: ReaderLanguage,
  { headline, overview, items }: ReadReport,
): readonly Shown[] {
  const head = {
    key: `${kind} ${period}`,
    title: headline,
    digest: overview ?? null,
    titles: headlinesIn(language),
    isHeadline: true as const,
  };
  const entries = items.map(({ id, title }) => {
    const key = storyOf(id);
    return { key, title, titles: titlesOf(key, language) };
  });
  return [head, ...entries];
}

/** The entries that the document contains; its headline is empty if it has another. */
function inDocument(text: string, { headline, overview = '', items }: ReadReport): ReadReport {
  return {
    headline: inMarkdown(text, { key: '', title: headline, digest: overview }).title,
    overview,
    items: items.filter(({ title }) => inMarkdown(text, { key: '', title }).title !== ''),
  };
}

/** Entries by their printed number; flashes, which have none, by their stories. */
function readPage(page: string, { storyOf }: EditionTruth): ReadReport {
  const entry =
    /<li data-entry="([^"]+)">\s*<span class="number">(\d+)<\/span>[\s\S]*?<h3>\s*<a href="[^"]+"\s*>([\s\S]*?)<\/a\s*>/g;
  const flash = /<li data-entry="([^"]+)"[^>]*>\s*<a href="[^"]+"\s*>([\s\S]*?)<\/a\s*>/g;
  const entries = [...page.matchAll(entry)]
    .map(([, id = '', number, title = '']) => ({ id, number: Number(number), title: plain(title).trim() }))
    .toSorted((one, other) => one.number - other.number);
  const flashes = [...page.matchAll(flash)]
    .map(([, id = '', title = '']) => ({ id, title: plain(title).trim() }))
    .toSorted((one, other) => (storyOf(one.id) < storyOf(other.id) ? -1 : 1));
  return {
    headline: plain(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(page)?.[1] ?? '').trim(),
    overview: plain(/<p class="overview"[^>]*>([\s\S]*?)<\/p>/.exec(page)?.[1] ?? '').trim(),
    items: [...entries, ...flashes],
  };
}

/** The plain text of a mail: headline, overview, then entries with their addresses. */
function readMail(text: string): ReadReport {
  const [headline = '', overview = ''] = text.split(/\n\n/);
  const entry = /^\* (.*) \([^\n]*\)\n(?:[^\n]*\n)?\S*\/items\/([0-9a-f-]+)$/gmu;
  return {
    headline,
    overview,
    items: [...text.matchAll(entry)].map(([, title = '', id = '']) => ({ id, title })),
  };
}

/** The page of a mail: its title is the headline; each entry links its item. */
function readMailedPage(page: string): ReadReport {
  const entry = /<a\s+href="\S*\/items\/([0-9a-f-]+)"[^>]*>([\s\S]*?)<\/a\s*>/g;
  return {
    headline: plain(/<title>([\s\S]*?)<\/title>/.exec(page)?.[1] ?? '').trim(),
    items: [...page.matchAll(entry)].map(([, id = '', title = '']) => ({ id, title: plain(title).trim() })),
  };
}
