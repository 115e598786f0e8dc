import { readFile, writeFile } from 'node:fs/promises';

import type { SourceDesk } from '../../ingest/index.ts';
import { feedAddressOf, settingsFor } from '../../ingest/index.ts';
import { categories } from '../../record/index.ts';
import { listSettings } from './list-settings.ts';
import { pollWithProgress } from './poll-progress.ts';
import type { SourcesAction, SourcesInput } from './sources-input.ts';
import { one } from './sources-input.ts';

type Additions = Parameters<SourceDesk['add']>[0];

export const addAction: SourcesAction = async (desk, input) => {
  const { values } = input;
  const text = one(input.positionals, 'address');
  const address = feedAddressOf(text);
  if (address === null) throw new Error(`"${text}" is not an http or https URL`);
  const tiers = { '1': 1, '2': 2, '3': 3, '4': 4 } as const;
  const settings = settingsFor(address, {
    ...(values.name !== undefined && { name: values.name, owner: values.name }),
    ...(values.owner !== undefined && { owner: values.owner }),
    ...(values.syndicate !== undefined && { syndicate: values.syndicate }),
    ...(values.language !== undefined && { language: values.language }),
    ...(values.homepage !== undefined && { homepageUrl: values.homepage }),
    ...(values.tier !== undefined && { tier: tiers[oneOf(values.tier, ['1', '2', '3', '4'], 'tier')] }),
    ...(values.category !== undefined && { categoryHint: oneOf(values.category, categories, 'category') }),
    ...(values.participation !== undefined && {
      participation: oneOf(
        values.participation,
        ['editorial', 'signal', 'isolated'] as const,
        'participation',
      ),
    }),
    firstParty: values['first-party'] === true,
    allSubjects: values['all-subjects'] === true,
    fullText: values['full-text'] === true,
    ...(await listSettings(desk, values, address)),
  });
  await addAndPoll(desk, input, [settings]);
};

export const importAction: SourcesAction = async (desk, input) => {
  const file = one(input.positionals, 'OPML file');
  const read = desk.readOpml(await readFile(file, 'utf8'));
  if (!read.ok) throw new Error(`${file} is not OPML`);
  const { sources, unusable } = read.value;
  for (const address of unusable) process.stderr.write(`skipped, not an http or https URL: ${address}\n`);
  await addAndPoll(desk, input, sources);
};

export const installAction: SourcesAction = async (desk, input) => {
  const name = oneOf(
    one(input.positionals, 'starter pack: ai-industry'),
    ['ai-industry'] as const,
    'starter pack',
  );
  await addAndPoll(desk, input, await desk.readStarterPack(name));
};

export const exportAction: SourcesAction = async (desk, { values, print }) => {
  const { opml, feeds, leftOut } = await desk.exportOpml();
  for (const name of leftOut) process.stderr.write(`skipped, not a feed: ${name}\n`);
  if (values.out === undefined) print(values.json === true ? JSON.stringify({ opml }) : opml);
  else {
    await writeFile(values.out, opml);
    print(`${feeds} sources in ${values.out}`);
  }
};

/** The first poll of a source is its check. */
async function addAndPoll(desk: SourceDesk, input: SourcesInput, additions: Additions): Promise<void> {
  const added = await desk.add(additions);
  const fresh = added.filter(({ id }) => id !== null);
  const paused = fresh.filter(({ isPaused }) => isPaused);
  if (input.values.json !== true) {
    if (added.length > fresh.length) input.print(`${added.length - fresh.length} already exist`);
    input.print(
      `${fresh.length} added${paused.length > 0 ? `, ${paused.length} of them paused. See \`daybook sources list\`` : ''}`,
    );
  }
  if (input.values['no-poll'] === true) {
    if (input.values.json === true) input.print(JSON.stringify(fresh));
    return;
  }
  const ids = new Set(fresh.filter(({ isPaused }) => !isPaused).map(({ id }) => id));
  const toPoll = (await desk.list()).filter(({ id }) => ids.has(id));
  if (toPoll.length > 0 || input.values.json === true) await pollWithProgress(desk, input, toPoll);
}

function oneOf<Option extends string>(value: string, options: readonly Option[], what: string): Option {
  const option = options.find((candidate) => candidate === value);
  if (option === undefined)
    throw new Error(`Unknown ${what} "${value}". Choose one of: ${options.join(', ')}`);
  return option;
}
