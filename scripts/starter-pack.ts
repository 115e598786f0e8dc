import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { dataPath, describeMissingData } from '@daybook/evidence';

import type { PackedSource } from '../apps/server/src/ingest/sources/starter-pack.ts';

// Regenerates the starter pack from its list of sources.
interface ListedSource extends Pick<
  PackedSource,
  'name' | 'owner' | 'firstParty' | 'tier' | 'language' | 'categoryHint' | 'feedUrl'
> {
  readonly siteUrl: string;
  readonly note: string;
}

const root = fileURLToPath(new URL('../', import.meta.url));
const dataSet = 'sources/ai-industry.json';
const pack = `${root}apps/server/src/ingest/sources/starter-packs/ai-industry.json`;

const missing = describeMissingData(root, [dataSet]);
if (missing !== null) {
  console.error(`scripts/starter-pack.ts needs ${missing}; see CONTRIBUTING.md`);
  process.exit(1);
}
const listed = JSON.parse(await readFile(dataPath(root, dataSet), 'utf8')) as readonly ListedSource[];
const lines = listed.map(
  ({ name, owner, firstParty, tier, language, categoryHint, feedUrl, siteUrl, note }) => {
    const isBridge = /\b(?:bridge|RSSHub route|WeChat)\b/iu.test(note) || /rsshub|wechat2rss/iu.test(feedUrl);
    const packed: PackedSource = {
      name,
      owner,
      firstParty,
      tier,
      language,
      categoryHint,
      feedUrl,
      homepageUrl: siteUrl === '' ? null : siteUrl,
      ...(note !== '' && { note }),
      ...(isBridge && {
        pausedBecause: 'a third party makes this feed; ask its operator, or run your own, then resume it',
      }),
    };
    return JSON.stringify(packed);
  },
);
await writeFile(pack, `[\n${lines.join(',\n')}\n]\n`);
console.log(`${lines.length} sources in ${pack}`);
