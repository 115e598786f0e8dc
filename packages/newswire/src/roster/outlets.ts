import type { Language, Organization, Outlet, OutletShape } from '../dispatch.ts';
import { generatedOutlet, sharedDomain } from './generated-names.ts';
import { channelNames, publishers } from './outlet-names.ts';

/** An outlet before it has an address. */
type Unplaced = Omit<Outlet, 'index' | 'host' | 'domain' | 'home'>;

interface OutletSettings {
  readonly outlets?: number | undefined;
  readonly domains?: number | undefined;
}

/** How many of each shape a world has: press and the organizations' own, then the special shapes. */
interface Composition {
  readonly press: number;
  readonly blogs: number;
  readonly channels: Readonly<Record<Exclude<OutletShape, 'site'>, number>>;
}

/** The default numbers of a world. */
const usual: Composition['channels'] = {
  video: 6,
  releases: 20,
  preprints: 3,
  podcast: 5,
  discussion: 1,
  headlines: 2,
  planet: 2,
};

const shares: Composition['channels'] = {
  video: 0.06,
  releases: 0.08,
  preprints: 0.03,
  podcast: 0.05,
  discussion: 0.01,
  headlines: 0.03,
  planet: 0.02,
};
const blogShare = 0.15;

function compose(organizations: number, count: number | undefined): Composition {
  if (count === undefined)
    return { press: handWritten().length, blogs: organizations, channels: { ...usual } };
  if (!Number.isInteger(count) || count < 1) throw new RangeError(`a world needs outlets, not ${count}`);
  const shareOf = (share: number): number => (count < 20 ? 0 : Math.max(1, Math.round(count * share)));
  const channels = Object.fromEntries(
    Object.entries(shares).map(([shape, share]) => [shape, shareOf(share)]),
  ) as Record<Exclude<OutletShape, 'site'>, number>;
  channels.releases = Math.min(channels.releases, organizations);
  const blogs = Math.min(organizations, Math.round(count * blogShare));
  const special = Object.values(channels).reduce((sum, one) => sum + one, 0);
  return { press: count - blogs - special, blogs, channels };
}

/** All outlets of a world, each shape together, with their addresses. */
export function makeOutlets(organizations: readonly Organization[], settings: OutletSettings): Outlet[] {
  const { press, blogs, channels } = compose(organizations.length, settings.outlets);
  const unplaced = [
    ...makePress(press),
    ...organizations.slice(0, blogs).map(makeBlog),
    ...organizations.slice(0, channels.releases).map(makeRepository),
    ...(['video', 'preprints', 'podcast', 'discussion', 'headlines', 'planet'] as const).flatMap((shape) =>
      makeChannels(shape, channels[shape]),
    ),
  ];
  const { domains } = settings;
  return domains === undefined ? onOwnDomains(unplaced) : onDomains(unplaced, domains);
}

function handWritten(): Unplaced[] {
  return publishers.flatMap(({ owner, language, titles }) =>
    titles.map(([name, slug, weight]) => ({
      key: slug,
      name,
      language,
      shape: 'site',
      owner,
      firstPartyOf: null,
      weight,
      pace: 1,
    })),
  );
}

/** Those written by hand take turns by language, so that a small world has both. */
function makePress(count: number): Unplaced[] {
  const written = handWritten();
  const [english, chinese] = (['en', 'zh'] as const).map((language) =>
    written.filter((outlet) => outlet.language === language),
  );
  const outlets = (english ?? []).flatMap((outlet, at) => [outlet, ...(chinese ?? []).slice(at, at + 1)]);
  for (let nth = 0; outlets.length < count; nth += 1) {
    const language: Language = nth % 9 < 5 ? 'en' : 'zh';
    const { name, slug } = generatedOutlet(language, nth);
    const weight = 0.3 + ((nth * 37) % 50) / 100;
    const pace = 1 / (1 + nth / 60);
    outlets.push({ key: slug, name, language, shape: 'site', owner: name, firstPartyOf: null, weight, pace });
  }
  return outlets.slice(0, count);
}

function makeBlog(organization: Organization): Unplaced {
  const english = organization.home === 'en';
  return {
    key: `${organization.key}-blog`,
    name: english ? `${organization.name[0]} Blog` : `${organization.name[1]}官方博客`,
    language: organization.home,
    shape: 'site',
    owner: organization.name[0],
    firstPartyOf: organization,
    weight: 0.85,
    pace: 1,
  };
}

/** Release notes are written in English, wherever the organization is at home. */
function makeRepository(organization: Organization): Unplaced {
  const [family = organization.key] = organization.families;
  return {
    key: `${organization.key}-releases`,
    name: `Release notes from ${organization.key}/${family.toLowerCase()}`,
    language: 'en',
    shape: 'releases',
    owner: organization.name[0],
    firstPartyOf: organization,
    weight: 0.8,
    pace: 1,
  };
}

function makeChannels(shape: keyof typeof channelNames, count: number): Unplaced[] {
  const names = channelNames[shape];
  return Array.from({ length: count }, (_, nth) => {
    const [name, slug, language] = names[nth % names.length] ?? names[0];
    const round = Math.floor(nth / names.length);
    const suffix = round === 0 ? '' : ` ${round + 1}`;
    return {
      key: slug + suffix.replace(' ', '-'),
      name: name + suffix,
      language,
      shape,
      owner: name + suffix,
      firstPartyOf: null,
      weight: shape === 'preprints' ? 0.75 : 0.4,
      pace: 1,
    };
  });
}

/** Shapes that share one host, each outlet under a path of its own. */
const platformHosts: Partial<Record<OutletShape, string>> = {
  video: 'vidlark.example',
  releases: 'codeharbor.example',
  preprints: 'preprint-hall.example',
};

/** Every site has its own domain; channels, repositories and preprint lists are on a platform each. */
function onOwnDomains(outlets: readonly Unplaced[]): Outlet[] {
  return outlets.map((outlet, index) => {
    const platform = platformHosts[outlet.shape];
    const host = platform ?? `${outlet.firstPartyOf?.key ?? outlet.key}.example`;
    return place(outlet, index, host, host);
  });
}

/** Outlets in equal shares on so many registrable domains. */
function onDomains(outlets: readonly Unplaced[], domains: number): Outlet[] {
  if (!Number.isInteger(domains) || domains < 1 || domains > outlets.length)
    throw new RangeError(`${outlets.length} outlets cannot stand on ${domains} domains`);
  const domainOf = (index: number): number => Math.floor((index * domains) / outlets.length);
  const sizes = Array<number>(domains).fill(0);
  for (const index of outlets.keys()) sizes[domainOf(index)] = (sizes[domainOf(index)] ?? 0) + 1;
  return outlets.map((outlet, index) => {
    const nth = domainOf(index);
    if (sizes[nth] === 1) {
      const host = `${outlet.key}.example`;
      return place(outlet, index, host, host);
    }
    const domain = sharedDomain(nth);
    return place(outlet, index, outlet.shape in platformHosts ? domain : `${outlet.key}.${domain}`, domain);
  });
}

function place(outlet: Unplaced, index: number, host: string, domain: string): Outlet {
  const path = outlet.shape in platformHosts ? `${pathOf(outlet)}/` : '';
  return { ...outlet, index, host, domain, home: `http://${host}/${path}` };
}

function pathOf({ shape, key, firstPartyOf }: Unplaced): string {
  if (shape === 'video') return `@${key}`;
  if (firstPartyOf === null) return `list/${key}`;
  return `${firstPartyOf.key}/${(firstPartyOf.families[0] ?? 'main').toLowerCase()}`;
}
