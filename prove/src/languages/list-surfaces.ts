import type { ReaderLanguage } from '../../../apps/server/src/foundation/reader-language.ts';
import type { Readers, Shown, Surface } from './language-surfaces.ts';
import { get, getJson, inMarkdown, pagePath, plain, runCli } from './language-surfaces.ts';

interface ListedItem {
  readonly id: string;
  readonly title: string;
}

/** Words of titles, one in each language. */
const searched = ['model', '模型'];

const timelineEntry =
  /<li data-entry="([^"]+)" data-key[\s\S]*?<h\d[^>]*><a\s+href="[^"]+"[^>]*>([\s\S]*?)<\/a\s*>/g;

/** The entries above the heading of the other language. */
function timelineOf(page: string): readonly Shown[] {
  const [own = ''] = page.split('id="other-language"');
  return [...own.matchAll(timelineEntry)].map(([, key = '', title = '']) => ({
    key,
    title: plain(title).trim(),
  }));
}

function itemsOf(items: readonly ListedItem[]): readonly Shown[] {
  return items.map(({ id, title }) => ({ key: id, title }));
}

/** Lists of one language: every entry is in it. */
export function listSurfaces({ port, mcp }: Readers): readonly Surface[] {
  const surface = (name: string, read: Surface['read']): Surface => ({
    name,
    isSameForAll: false,
    isOneLanguage: true,
    read,
  });
  const readItems = async (path: string, language: ReaderLanguage): Promise<readonly Shown[]> =>
    itemsOf((await getJson<{ items: ListedItem[] }>(port, `${path}&language=${language}`)).items);
  const api = (path: string): Surface => surface(path, (language) => readItems(path, language));
  const page = (path: string): Surface =>
    surface(`page ${path}`, async (language) => timelineOf(await get(port, pagePath(language, path))));
  const feed = (path: string): Surface =>
    surface(path, async (language) => {
      const address = `${path}${path.includes('?') ? '&' : '?'}language=${language}`;
      const { items } = await getJson<{ items: { url: string; title: string }[] }>(port, address);
      return items.map(({ url, title }) => ({ key: url.split('/').at(-1) ?? '', title }));
    });
  const tool = (name: string, given: Record<string, unknown>): Surface =>
    surface(`MCP ${name}`, async (language) => {
      const { structuredContent } = await mcp.callTool({
        name,
        arguments: { ...given, language, limit: 50 },
      });
      return itemsOf((structuredContent as unknown as { items: ListedItem[] }).items);
    });
  /** A document with as many entries as the list, each with its title. */
  const markdown = (path: string, list: string): Surface =>
    surface(path, async (language) => {
      const text = await get(port, `${path}${path.includes('?') ? '&' : '?'}language=${language}`);
      const items = await readItems(list, language);
      const isComplete = (text.match(/^- \*\*/gm)?.length ?? 0) === items.length;
      return items.map((one) => (isComplete ? inMarkdown(text, one) : { ...one, title: '' }));
    });
  const ofSearch = searched.map((word) => encodeURIComponent(word));
  return [
    ...['/api/v1/items?limit=100', '/api/v1/items?limit=100&mode=all', '/api/v1/archive/items?limit=100'].map(
      api,
    ),
    ...['/', '/timeline', '/timeline?mode=all', '/archive'].map(page),
    ...ofSearch.flatMap((q) => [page(`/search?q=${q}`), page(`/archive?q=${q}`)]),
    ...['/feeds/selected.json', '/feeds/categories/industry.json', '/feeds/items.json?mode=all'].map(feed),
    ...ofSearch.map((q) => feed(`/feeds/search.json?q=${q}`)),
    tool('latest', {}),
    ...searched.map((q) => tool('search', { q })),
    markdown('/agent/latest.md', '/api/v1/items?limit=30'),
    ...ofSearch.map((q) => markdown(`/agent/search.md?q=${q}`, `/api/v1/items?limit=20&mode=all&q=${q}`)),
    surface('CLI today', async (language) =>
      itemsOf((await runCli<{ items: ListedItem[] }>(port, ['today', '--language', language])).items),
    ),
  ];
}
