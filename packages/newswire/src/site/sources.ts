import type { Category, Language, Outlet } from '../dispatch.ts';
import type { FeedFormat } from './outlet-traits.ts';
import { feedAddress, outletTraits } from './outlet-traits.ts';

/** An outlet as a newsroom lists its sources. */
export interface Source {
  readonly key: string;
  readonly name: string;
  readonly owner: string;
  readonly firstParty: boolean;
  readonly language: Language;
  readonly kind: 'rss' | 'atom' | 'json';
  readonly feedUrl: string;
  readonly siteUrl: string;
  /** 1 an organization’s own channel; 2 established press; 3 specialised press; 4 aggregator. */
  readonly tier: 1 | 2 | 3 | 4;
  readonly categoryHint: Category;
  /** The registrable domain of the feed. */
  readonly domain: string;
}

const kinds: Readonly<Record<FeedFormat, Source['kind']>> = {
  rss2: 'rss',
  rss1: 'rss',
  atom: 'atom',
  json: 'json',
};

export function sourceOf(seed: number, outlet: Outlet): Source {
  return {
    key: outlet.key,
    name: outlet.name,
    owner: outlet.owner,
    firstParty: outlet.firstPartyOf !== null,
    language: outlet.language,
    kind: kinds[outletTraits(seed, outlet).format],
    feedUrl: feedAddress(seed, outlet),
    siteUrl: outlet.home,
    tier: tierOf(outlet),
    categoryHint: hintOf(outlet),
    domain: outlet.domain,
  };
}

function tierOf({ shape, firstPartyOf, weight }: Outlet): Source['tier'] {
  if (firstPartyOf !== null || shape === 'preprints') return 1;
  if (shape === 'discussion' || shape === 'headlines' || shape === 'planet') return 4;
  return weight >= 0.8 ? 2 : 3;
}

function hintOf({ shape, firstPartyOf }: Outlet): Category {
  if (shape === 'preprints') return 'paper';
  if (shape === 'releases') return 'ai-models';
  if (shape === 'video') return 'tip';
  if (shape === 'podcast') return 'opinion';
  return firstPartyOf === null ? 'industry' : 'ai-products';
}
