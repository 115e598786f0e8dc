import type { Language, Organization, Outlet, OutletShape, Pair, Person } from '../dispatch.ts';
import { Random } from '../random.ts';
import { generatedFamily, generatedOrganization, slugOf } from './generated-names.ts';
import { familyNames, organizationNames } from './organization-names.ts';
import { makeOutlets } from './outlets.ts';
import { chineseFamily, chineseGiven, jobs, westernFamily, westernGiven } from './person-names.ts';
import { Weighted } from './weighted.ts';

/** All organizations, outlets and persons of one world. */
export interface Roster {
  readonly organizations: readonly Organization[];
  readonly people: readonly Person[];
  readonly outlets: readonly Outlet[];
  /** Independent sites by language, drawn as often as they write. */
  readonly press: Readonly<Record<Language, Weighted<Outlet>>>;
  /** Outlets of one shape and language; empty where the world has none. */
  readonly channels: (shape: OutletShape, language: Language) => readonly Outlet[];
  readonly blogs: ReadonlyMap<Organization, Outlet>;
  readonly repositories: ReadonlyMap<Organization, Outlet>;
  readonly staff: ReadonlyMap<Organization, readonly Person[]>;
}

export interface RosterSettings {
  readonly seed: number;
  readonly organizations?: number | undefined;
  readonly outlets?: number | undefined;
  readonly domains?: number | undefined;
}

export function createRoster(settings: RosterSettings): Roster {
  const random = new Random(settings.seed, 1);
  const organizations = makeOrganizations(random, settings);
  const staff = new Map(organizations.map((organization) => [organization, makeStaff(random, organization)]));
  const outlets = makeOutlets(organizations, settings);
  const byShape = Map.groupBy(outlets, ({ shape, language }) => `${shape} ${language}`);
  const press = (language: Language): Weighted<Outlet> =>
    new Weighted(
      outlets.filter(
        (outlet) => outlet.shape === 'site' && outlet.firstPartyOf === null && outlet.language === language,
      ),
      ({ pace }) => pace,
    );
  return {
    organizations,
    people: [...staff.values()].flat(),
    outlets,
    press: { en: press('en'), zh: press('zh') },
    channels: (shape, language) => byShape.get(`${shape} ${language}`) ?? [],
    blogs: ownOutlets(outlets, 'site'),
    repositories: ownOutlets(outlets, 'releases'),
    staff,
  };
}

function ownOutlets(outlets: readonly Outlet[], shape: OutletShape): ReadonlyMap<Organization, Outlet> {
  return new Map(
    outlets.flatMap((outlet) =>
      outlet.firstPartyOf !== null && outlet.shape === shape ? [[outlet.firstPartyOf, outlet] as const] : [],
    ),
  );
}

const organizationsMax = 10_000;

/** Large worlds have more organizations, so that no company makes news several times a day. */
function organizationCount({ organizations, outlets }: RosterSettings): number {
  const least = organizationNames.reduce((sum, { names }) => sum + names.length, 0);
  const count = organizations ?? Math.max(least, Math.ceil((outlets ?? 0) / 5));
  if (count > organizationsMax)
    throw new RangeError(`a world has at most ${organizationsMax} organizations, not ${count}`);
  return count;
}

function makeOrganizations(random: Random, settings: RosterSettings): Organization[] {
  const count = organizationCount(settings);
  const named = organizationNames.flatMap(({ home, names }) => names.map((name) => ({ home, name })));
  for (let nth = 0; named.length < count; nth += 1) {
    const home = nth % 5 < 3 ? 'en' : 'zh';
    named.push({ home, name: generatedOrganization(home, nth) });
  }
  const families = random.shuffled(familyNames);
  for (let nth = 0; families.length < 2 * count; nth += 1) families.push(generatedFamily(nth));
  return named
    .slice(0, count)
    .map(({ home, name }) => ({ key: slugOf(name[0]), name, home, families: families.splice(0, 2) }));
}

function makeStaff(random: Random, organization: Organization): Person[] {
  return random.shuffled(jobs).map((job, index) => {
    const name = personName(random, organization.home);
    return { key: `${organization.key}-${index}`, name, job, organization };
  });
}

export function personName(random: Random, home: Language): Pair {
  const chinese = random.chance(home === 'zh' ? 0.9 : 0.15);
  const given = random.pick(chinese ? chineseGiven : westernGiven);
  const family = random.pick(chinese ? chineseFamily : westernFamily);
  return [`${given[0]} ${family[0]}`, chinese ? family[1] + given[1] : `${given[1]}·${family[1]}`];
}
