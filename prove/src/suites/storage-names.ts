import type { Suite, SuiteContext } from '@daybook/evidence';

import { entryNameFaults, foldName, parseEntryName } from '../../../apps/server/src/storage/entry-name.ts';
import { archiveName } from '../../../apps/server/src/storage/files/archive-paths.ts';
import type { StorageStage } from '../../../apps/server/test/storage-stage.ts';
import { openStorageStage, sendBytes } from '../../../apps/server/test/storage-stage.ts';
import { zipPathsOf } from '../storage/hostile-storing.ts';
import {
  deceptiveNames,
  emojiNames,
  joinedNames,
  lettersOfScripts,
  realNames,
  scriptsIn,
} from '../storage/real-names.ts';

export const suite: Suite = {
  name: 'storage-names',
  nightly: true,
  summary:
    'Names in the scripts of the world and all emoji are stored as written; deceptive names are refused with a reason.',
  promise:
    'Names of territories and languages as the Unicode locale data writes them in every language, words with joiners, words of the letters of further scripts, and all emoji sequences of the current list are accepted, stored, listed, put into an archive and downloaded as they were written, in NFC. Names with control, direction or invisible characters, blank names, stray marks and paths are refused with the reason.',
  measuresNoTime: true,
  run: async (context) => {
    const names = [...realNames(), ...joinedNames, ...lettersOfScripts()];
    const emoji = emojiNames();
    judgeNames(context, names, emoji);
    const stage = await openStorageStage(1);
    try {
      const every = context.quick ? 20 : 1;
      const sample = [...names, ...emoji].filter((_, index) => index % every === 0);
      await storeNames(context, stage, [...new Set([...joinedNames, ...sample])]);
    } finally {
      await stage.stop();
    }
  },
};

function judgeNames(context: SuiteContext, names: readonly string[], emoji: readonly string[]): void {
  const isRefused = (name: string): boolean => !parseEntryName(name).ok;
  const figure = (name: string, value: number, goal: { atLeast: number } | { exactly: number }): void =>
    context.figure({ name, value, unit: 'names', goal });
  const refused = [...names, ...emoji].filter(isRefused);
  for (const name of refused.slice(0, 10)) context.note(`refused: ${JSON.stringify(name)}`);
  figure('names', names.length, { atLeast: 2_000 });
  figure('scripts', scriptsIn(names).size, { atLeast: 60 });
  figure('emoji sequences', emoji.length, { atLeast: 3_700 });
  figure('refused of these', refused.length, { exactly: 0 });
  const deceptive = deceptiveNames();
  const accepted = deceptive.filter((name) => !isRefused(name));
  for (const name of accepted.slice(0, 10)) context.note(`accepted: ${JSON.stringify(name)}`);
  const reasons = deceptive
    .map(parseEntryName)
    .map((parsed) => (parsed.ok ? '' : entryNameFaults[parsed.reason]));
  figure('deceptive names', deceptive.length, { atLeast: 500 });
  figure('accepted of these', accepted.length, { exactly: 0 });
  figure('refused without a reason', reasons.filter((reason) => reason === '').length, { exactly: 0 });
}

/** Each as a file; then they are listed, put into an archive and downloaded. */
async function storeNames(
  context: SuiteContext,
  stage: StorageStage,
  names: readonly string[],
): Promise<void> {
  const projectId = await stage.newProject('names');
  const { port = 0 } = stage.processes[0] ?? {};
  // Two names may be equal for a folder, such as one with and one without a variation selector.
  const distinct = [
    ...new Map(names.map((name) => [foldName(name.normalize('NFC')), name.normalize('NFC')])).values(),
  ];
  let [unequal, different] = [0, 0];
  for (const name of distinct) {
    const path = `/api/v1/projects/${projectId}/files?name=${encodeURIComponent(name)}`;
    const stored = await sendBytes(port, { method: 'POST', path, headers: stage.headers }, Buffer.from(name));
    const file = JSON.parse(stored?.body.toString() ?? '{}') as { id?: string; name?: string };
    if (stored?.status !== 201 || file.name !== name) {
      unequal += 1;
      context.note(`stored as ${JSON.stringify(file.name)}: ${JSON.stringify(name)}`);
      continue;
    }
    const content = { method: 'GET', path: `/api/v1/files/${file.id}/content`, headers: stage.headers };
    const sent = await sendBytes(port, content, Buffer.alloc(0));
    const [, downloaded] =
      /filename\*=UTF-8''([^;]+)/.exec(String(sent?.headers['content-disposition'])) ?? [];
    if (decodeURIComponent(downloaded ?? name) !== name || sent?.body.toString() !== name) different += 1;
  }
  const archive = { method: 'GET', path: `/api/v1/projects/${projectId}/archive`, headers: stage.headers };
  const zip = await sendBytes(port, archive, Buffer.alloc(0));
  const zipped = new Set(zipPathsOf(zip?.body ?? Buffer.alloc(22)));
  const unzipped = distinct.filter((name) => !zipped.has(`names/${archiveName(name)}`));
  for (const name of unzipped.slice(0, 5)) context.note(`not in the archive: ${JSON.stringify(name)}`);
  const listed = await listedNames(stage, projectId);
  const figure = (name: string, value: number): void =>
    context.figure({ name, value, unit: 'names', goal: { exactly: 0 } });
  context.figure({ name: 'stored', value: distinct.length, unit: 'names', goal: { atLeast: 250 } });
  figure('stored under another name', unequal);
  figure('downloaded under another name', different);
  figure('not listed', distinct.filter((name) => !listed.has(name)).length);
  figure('not in the archive', unzipped.length);
}

async function listedNames(stage: StorageStage, projectId: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let cursor = '';
  do {
    const page = await stage.ask('GET', `/api/v1/projects/${projectId}/children?limit=100${cursor}`);
    const { data, pagination } = page.json<{
      data: { name: string }[];
      pagination: { hasMore: boolean; nextCursor: string | null };
    }>();
    for (const { name } of data) names.add(name);
    const next = pagination.hasMore ? pagination.nextCursor : null;
    cursor = next === null ? '' : `&cursor=${encodeURIComponent(next)}`;
  } while (cursor !== '');
  return names;
}
