import type { HotTopic, Item, ReportSection, Story } from '@daybook/client/types';

import type { CliHost } from './cli-host.ts';
import { CliError, required } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { clientOf } from './command-line.ts';
import type { Language } from './flags.ts';
import { listItems } from './item-list.ts';
import { cellsOf, column, painter, printable, wrapped } from './terminal-text.ts';

export type ReaderRun = (line: CommandLine, host: CliHost) => Promise<void>;

export const today: ReaderRun = async (line, host) => {
  const found = await listItems(line, host, undefined);
  show(line, host, found, () => itemLines(found.items, host));
};

export const search: ReaderRun = async (line, host) => {
  const q = line.words.join(' ');
  if (q === '') throw new CliError('usage', 'search words are required: daybook search <words>');
  const found = await listItems(line, host, q);
  if (found.items.length === 0 && !line.json) host.say('No items found.');
  show(line, host, found, () => itemLines(found.items, host));
};

export const item: ReaderRun = async (line, host) => {
  const [id] = line.words;
  if (id === undefined) throw new CliError('usage', 'an item id is required: daybook item <id>');
  const wanted = { id: id.split('/').at(-1) ?? '', ...languageOf(line) };
  const data = required(await clientOf(line, host).getItem(wanted));
  show(line, host, data, () => oneItemLines(data.item, host));
};

export const hot: ReaderRun = async (line, host) => {
  const data = required(await clientOf(line, host).listHotTopics(languageOf(line)));
  if (data.items.length === 0 && !line.json) host.say('No hot topics.');
  show(line, host, data, () => data.items.flatMap((topic) => topicLines(topic, host)));
};

export const story: ReaderRun = async (line, host) => {
  const [publicId] = line.words;
  if (publicId === undefined) throw new CliError('usage', 'a story id is required: daybook story <id>');
  const answer = await clientOf(line, host).getStory({
    publicId: publicId.split('/').at(-1) ?? '',
    ...languageOf(line),
  });
  const data = required(answer);
  if (answer.ok && answer.movedTo !== null)
    host.say(`This story was merged into ${answer.movedTo.split('/').at(-1)}.`);
  show(line, host, data, () => storyLines(data.story, host));
};

/** A daily, weekly or monthly edition; without a label the latest. */
export function report(kind: 'daily' | 'weekly' | 'monthly'): ReaderRun {
  return async (line, host) => {
    const client = clientOf(line, host);
    const [label] = line.words;
    const wording = languageOf(line);
    const latest = {
      daily: () => client.getLatestDaily(wording),
      weekly: () => client.getLatestWeekly(wording),
      monthly: () => client.getLatestMonthly(wording),
    };
    const dated = {
      daily: (date: string) => client.getDaily({ date, ...wording }),
      weekly: (week: string) => client.getWeekly({ week, ...wording }),
      monthly: (month: string) => client.getMonthly({ month, ...wording }),
    };
    const data = required<{ readonly report: AnyReport }>(
      await (label === undefined ? latest[kind]() : dated[kind](label)),
    );
    show(line, host, data, () => reportLines(data.report, host));
  };
}

interface AnyReport {
  readonly date?: string;
  readonly week?: string;
  readonly month?: string;
  readonly headline: string;
  readonly overview: string;
  readonly sections: readonly ReportSection[];
  readonly corrections: readonly { readonly at: string; readonly note: string }[];
}

function languageOf({ language }: CommandLine): { readonly language?: Language } {
  return language === null ? {} : { language };
}

function show(line: CommandLine, host: CliHost, data: unknown, lines: () => readonly string[]): void {
  if (line.json) host.print(JSON.stringify(data));
  else {
    const made = lines();
    if (made.length > 0) host.page(made);
  }
}

function itemLines(items: readonly Item[], host: CliHost): readonly string[] {
  const { columns } = host.screen;
  const paint = painter(host);
  const isNarrow = columns < 60;
  return items.flatMap((one) => {
    const when = one.discoveredAt.slice(5, 16).replace('T', ' ');
    const [source, title] = [printable(one.source.name), printable(one.title)];
    const indent = isNarrow ? '' : ' '.repeat(31);
    const addresses = [one.id, one.links.original].map((text) => paint('dim', indent + printable(text)));
    if (isNarrow) {
      const head = paint('dim', column(`${when} ${source}`, columns).trimEnd());
      return [...wrapped(title, columns), head, ...addresses, ''];
    }
    const head = `${paint('dim', when)}  ${paint('cyan', column(source, 16))}  `;
    const titles = wrapped(title, Math.max(20, columns - 31));
    return [...titles.map((part, at) => (at === 0 ? head : indent) + part), ...addresses];
  });
}

function oneItemLines(one: Item, host: CliHost): readonly string[] {
  const { columns } = host.screen;
  const paint = painter(host);
  const facts = [one.source.name, one.category, one.publishedAt ?? one.discoveredAt].map(printable);
  const story = one.links.story?.split('/').at(-1);
  return [
    ...wrapped(printable(one.title), columns).map((part) => paint('bold', part)),
    ...wrapped(printable(one.summary), columns),
    '',
    paint('dim', facts.join('  ')),
    paint('dim', printable(one.links.original)),
    ...(story === undefined ? [] : [paint('dim', `daybook story ${printable(story)}`)]),
  ];
}

function topicLines(topic: HotTopic, host: CliHost): readonly string[] {
  const { columns } = host.screen;
  const paint = painter(host);
  const number = `${String(topic.rank).padStart(2)}  `;
  const title = wrapped(printable(topic.title), columns - 4);
  const sources = printable(topic.sourceNames.join(', '));
  const id = topic.links.story?.split('/').at(-1) ?? '';
  return [
    ...title.map((part, at) => (at === 0 ? number : '    ') + paint('bold', part)),
    ...wrapped(sources, columns - 4).map((part) => paint('dim', `    ${part}`)),
    ...(id === '' ? [] : [paint('dim', `    ${cellsOf(id) + 17 <= columns ? 'daybook story ' : ''}${id}`)]),
  ];
}

function storyLines(story: Story, host: CliHost): readonly string[] {
  const { columns } = host.screen;
  const paint = painter(host);
  const reports = story.reports.flatMap((one) => [
    ...wrapped(`${printable(one.source.name)}: ${printable(one.title)}`, columns - 2).map(
      (part, at) => (at === 0 ? '• ' : '  ') + part,
    ),
    paint('dim', `  ${printable(one.links.original)}`),
  ]);
  const digest =
    story.digest === null || story.digest === undefined
      ? []
      : [...wrapped(printable(story.digest.text), columns), ''];
  return [
    ...wrapped(printable(story.title), columns).map((part) => paint('bold', part)),
    '',
    ...digest,
    ...reports,
  ];
}

function reportLines(report: AnyReport, host: CliHost): readonly string[] {
  const { columns } = host.screen;
  const paint = painter(host);
  const label = report.date ?? report.week ?? report.month ?? '';
  const sections = report.sections.flatMap(({ label: name, items }) => [
    '',
    paint('cyan', printable(name)),
    ...items.flatMap((item) => [
      ...wrapped(printable(item.title), columns - 2).map(
        (part, at) => (at === 0 ? '• ' : '  ') + paint('bold', part),
      ),
      ...wrapped(printable(item.summary), columns - 2).map((part) => `  ${part}`),
      paint('dim', `  ${printable(item.source.name)}  ${printable(item.links.original)}`),
    ]),
  ]);
  const corrections = report.corrections.flatMap(({ at, note }) =>
    wrapped(`Corrected ${at.slice(0, 10)}: ${printable(note)}`, columns),
  );
  return [
    paint('dim', label),
    ...wrapped(printable(report.headline), columns).map((part) => paint('bold', part)),
    ...wrapped(printable(report.overview), columns),
    ...sections,
    ...(corrections.length === 0 ? [] : ['', ...corrections]),
  ];
}
