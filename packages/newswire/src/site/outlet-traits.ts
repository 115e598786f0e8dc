import type { Outlet } from '../dispatch.ts';
import { Random } from '../random.ts';

export type FeedFormat = 'rss2' | 'rss1' | 'atom' | 'json';

/** The habits of one publisher's system. They follow from the seed, so that a world has all of them. */
export interface OutletTraits {
  /** The format of the feed that the outlet names first. */
  readonly format: FeedFormat;
  readonly feedSize: number;
  readonly content: 'full' | 'summary';
  readonly markup: 'escaped' | 'cdata';
  readonly guid: 'address' | 'tag' | 'number';
  readonly validators: 'both' | 'etag' | 'last-modified' | 'none';
  /** Minutes east of UTC in which dates are written. */
  readonly zoneMinutes: number;
  readonly encoding: 'utf-8' | 'gbk';
  /** Whether responses are compressed for clients that accept it. */
  readonly compresses: boolean;
  readonly maxAgeSeconds: number | null;
  readonly ttlMinutes: number | null;
  /** Which of the page layouts the site uses. */
  readonly layout: number;
}

const traitsByOutlet = new WeakMap<Outlet, OutletTraits>();

export function outletTraits(seed: number, outlet: Outlet): OutletTraits {
  let traits = traitsByOutlet.get(outlet);
  if (traits === undefined) {
    traits = drawTraits(new Random(seed, 21, outlet.index), outlet);
    traitsByOutlet.set(outlet, traits);
  }
  return traits;
}

function drawTraits(random: Random, outlet: Outlet): OutletTraits {
  const chinese = outlet.language === 'zh';
  const site = outlet.shape === 'site';
  return {
    format: formatOf(random, outlet),
    feedSize: outlet.shape === 'preprints' ? 60 : random.pick([10, 10, 15, 20, 20, 25, 30, 40]),
    content: site && random.chance(0.45) ? 'full' : 'summary',
    markup: random.chance(0.5) ? 'escaped' : 'cdata',
    guid: site ? random.pick(['address', 'address', 'tag', 'number'] as const) : 'tag',
    validators: random.pick([
      'both',
      'both',
      'both',
      'etag',
      'etag',
      'last-modified',
      'last-modified',
      'none',
    ]),
    zoneMinutes: chinese ? 480 : random.pick([0, 0, 0, -300, -480, 60]),
    encoding: site && chinese && random.chance(0.1) ? 'gbk' : 'utf-8',
    compresses: random.chance(0.8),
    maxAgeSeconds: random.pick([null, null, 300, 600, 900, 3600]),
    ttlMinutes: random.pick([null, null, null, 15, 30, 60]),
    layout: random.below(5),
  };
}

function formatOf(random: Random, { shape }: Outlet): FeedFormat {
  const drawn = random.pick([
    'rss2',
    'rss2',
    'rss2',
    'rss2',
    'rss2',
    'atom',
    'atom',
    'atom',
    'json',
    'rss1',
  ] as const);
  if (shape === 'site' || shape === 'planet') return drawn;
  return shape === 'video' || shape === 'releases' ? 'atom' : 'rss2';
}

const fileNames: Readonly<Record<FeedFormat, string>> = {
  rss2: 'feed.xml',
  rss1: 'index.rdf',
  atom: 'atom.xml',
  json: 'feed.json',
};

/** Every outlet has a feed in each of the four formats; without a format the one that it names first. */
export function feedAddress(seed: number, outlet: Outlet, format?: FeedFormat): string {
  return outlet.home + fileNames[format ?? outletTraits(seed, outlet).format];
}

export function formatOfFile(name: string): FeedFormat | undefined {
  return (Object.keys(fileNames) as FeedFormat[]).find((format) => fileNames[format] === name);
}
