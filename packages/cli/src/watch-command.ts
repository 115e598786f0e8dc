import type { SavedSearch, WatchClient } from '@daybook/client/watch';
import { createWatchClient } from '@daybook/client/watch';

import type { CliHost } from './cli-host.ts';
import { CliError, required } from './cli-host.ts';
import type { CommandLine } from './command-line.ts';
import { clientOf } from './command-line.ts';
import { sourceId } from './item-list.ts';
import { all, signedIn, withRefusals } from './signed-in.ts';
import { painter, printable } from './terminal-text.ts';

/** Lists, saves and deletes the saved searches of the account. */
export async function watch(line: CommandLine, host: CliHost): Promise<void> {
  const [action = 'list', ...words] = line.words;
  const client = createWatchClient(signedIn(line, host));
  await withRefusals(async () => {
    if (action === 'add') await add(client, words, line, host);
    else if (action === 'remove') await remove(client, words, line, host);
    else if (action === 'list' && words.length === 0) await list(client, line, host);
    else throw new CliError('usage', 'choose one of: daybook watch list|add|remove');
  });
}

async function list(client: WatchClient, { json }: CommandLine, host: CliHost): Promise<void> {
  const searches = await all(client.each('listSavedSearches', { limit: 100 }));
  if (json) host.print(JSON.stringify({ data: searches }));
  else for (const one of searches) host.print(searchLine(one, host));
}

async function add(
  client: WatchClient,
  words: readonly string[],
  line: CommandLine,
  host: CliHost,
): Promise<void> {
  const { without, category, source, language, minSources, mail } = line;
  if (words.length === 0 && category === null && source === null)
    throw new CliError('usage', 'words, --category or --source are required: daybook watch add <words>');
  const query = {
    ...(words.length > 0 && { q: words.join(' ') }),
    ...(without !== null && { without }),
    ...(category !== null && { category }),
    ...(source !== null && { source: await sourceId(clientOf(line, host), source) }),
    ...(language !== null && { language }),
    ...(minSources !== null && { minSources }),
  };
  const body = { query, ...(mail !== null && { mail }) };
  const saved = required(await client.createSavedSearch({ body }));
  host.print(line.json ? JSON.stringify(saved) : `Saved ${searchLine(saved, host)}`);
}

async function remove(
  client: WatchClient,
  [wanted, ...more]: readonly string[],
  { json }: CommandLine,
  host: CliHost,
): Promise<void> {
  if (wanted === undefined || more.length > 0)
    throw new CliError('usage', 'specify one search: daybook watch remove <id or name>');
  const searches = await all(client.each('listSavedSearches', { limit: 100 }));
  const [found, ...others] = searches.filter(({ id, name }) => id === wanted || name === wanted);
  if (found === undefined) throw new CliError('notFound', `saved search not found: ${wanted}`);
  if (others.length > 0)
    throw new CliError('usage', `several searches are named ${wanted}: use an id from daybook watch list`);
  required(await client.deleteSavedSearch({ id: found.id }));
  host.print(json ? JSON.stringify(found) : `Deleted ${searchLine(found, host)}`);
}

function searchLine({ id, name, query, mail }: SavedSearch, host: CliHost): string {
  const { q, without, category, language, minSources } = query;
  const filters = [
    q === null || q === name ? '' : q,
    without === null ? '' : `without ${without}`,
    category === null || category === name ? '' : category,
    language ?? '',
    minSources > 1 ? `${minSources} sources` : '',
    mail === 'never' ? '' : `${mail} mail`,
  ].filter((text) => text !== '');
  const facts = [...filters, id].map(printable).join('  ');
  return `${printable(name)}  ${painter(host)('dim', facts)}`;
}
