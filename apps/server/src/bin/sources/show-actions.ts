import { feedAddressOf, settingsFor } from '../../ingest/index.ts';
import { listSettings } from './list-settings.ts';
import type { SourcesAction } from './sources-input.ts';
import { one, sourceJson, tableOf } from './sources-input.ts';

export const listAction: SourcesAction = async (desk, { values, print }) => {
  const sources = await desk.list();
  if (values.json === true) {
    print(JSON.stringify(sources.map((source) => sourceJson(desk, source))));
    return;
  }
  if (sources.length === 0) {
    print(
      'No sources yet. Add one with `daybook sources add <url>`, or a starter pack with `daybook sources install ai-industry`.',
    );
    return;
  }
  const rows = sources.map((source) => [
    source.name,
    desk.health(source),
    String(source.tier),
    source.language ?? '',
    source.health.outcome ?? source.stateReason ?? '',
    source.feedUrl,
  ]);
  print(tableOf([['Name', 'Health', 'Tier', 'Lang', 'Last poll', 'Address'], ...rows]));
  print(`\n${sources.length} sources`);
};

export const showAction: SourcesAction = async (desk, { values, positionals, print }) => {
  const source = await desk.find(one(positionals, 'source'));
  const shown: object = { ...sourceJson(desk, source), pushes: await desk.pushes(source) };
  if (values.json === true) print(JSON.stringify(shown));
  else print(tableOf(Object.entries(shown).map(([name, value]) => [name, String(value ?? '–')])));
};

export const discoverAction: SourcesAction = async (desk, { values, positionals, print }) => {
  const named = one(positionals, 'address of a site');
  const address = feedAddressOf(named);
  if (address === null) throw new Error(`"${named}" is not an http or https URL`);
  const found = await desk.discover(address.href);
  if (!found.ok) throw new Error(`${address.href}: ${found.reason}`);
  if (values.json === true) print(JSON.stringify(found.value));
  else if (found.value.length === 0) print(`${address.href} links to no feeds`);
  else print(tableOf(found.value.map(({ feedUrl, title, type }) => [feedUrl, title, type])));
};

export const previewAction: SourcesAction = async (desk, { values, positionals, print }) => {
  const named = one(positionals, 'address or source');
  const address = feedAddressOf(named);
  const sources = await desk.list();
  const stored =
    sources.find(({ id, name, feedUrl }) => [id, name, feedUrl].includes(address?.href ?? named)) ?? null;
  const settings =
    stored ??
    (address === null
      ? await desk.find(named)
      : settingsFor(address, await listSettings(desk, values, address)));
  const preview = await desk.preview(settings, stored);
  if (!preview.ok) throw new Error(`${settings.feedUrl}: ${preview.reason}`);
  const { feed, entries } = preview.value;
  const shown = entries.map(({ entry, verdict }) => ({
    verdict,
    title: entry.title,
    link: entry.link,
    published: entry.published.raw,
    language: entry.language ?? feed.language,
  }));
  if (values.json === true) {
    print(
      JSON.stringify({ title: feed.title, format: feed.format, homepage: feed.homepage, entries: shown }),
    );
    return;
  }
  print(`${feed.title} (${feed.format}, ${feed.encoding}), ${entries.length} entries\n`);
  print(tableOf(shown.map(({ verdict, title, published }) => [verdict, published ?? 'no date', title])));
};
