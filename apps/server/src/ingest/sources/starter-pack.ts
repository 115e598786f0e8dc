import { readFile } from 'node:fs/promises';

import type { SourceToAdd } from './add-sources.ts';
import type { SourceSettings } from './source.ts';
import { feedAddressOf, settingsFor } from './source.ts';

/** A source in the file of a starter pack. */
export interface PackedSource extends Pick<
  SourceSettings,
  'name' | 'owner' | 'firstParty' | 'tier' | 'language' | 'categoryHint'
> {
  readonly feedUrl: string;
  readonly homepageUrl: string | null;
  readonly note?: string;
  /** The source starts paused, for this reason. */
  readonly pausedBecause?: string;
}

export const starterPacks = ['ai-industry'] as const;

export async function readStarterPack(name: (typeof starterPacks)[number]): Promise<readonly SourceToAdd[]> {
  const file = new URL(`starter-packs/${name}.json`, import.meta.url);
  const packed = JSON.parse(await readFile(file, 'utf8')) as readonly PackedSource[];
  return packed.map(({ pausedBecause = null, feedUrl, ...rest }) => {
    const address = feedAddressOf(feedUrl);
    if (address === null) throw new Error(`${name}: ${rest.name} has no usable address`);
    return { ...settingsFor(address, rest), pausedBecause };
  });
}
