import { Random } from '../random.ts';
import type { Language, Organization, Outlet, Pair, Person } from '../report.ts';
import { familyNames, organizationNames } from './organization-names.ts';
import { publishers } from './outlet-names.ts';
import { chineseFamily, chineseGiven, jobs, westernFamily, westernGiven } from './person-names.ts';

/** Everyone who exists in one world. */
export interface Roster {
  readonly organizations: readonly Organization[];
  readonly people: readonly Person[];
  readonly outlets: readonly Outlet[];
  /** Independent outlets by language. */
  readonly press: Readonly<Record<Language, readonly Outlet[]>>;
  readonly blogs: ReadonlyMap<Organization, Outlet>;
  readonly staff: ReadonlyMap<Organization, readonly Person[]>;
}

export function createRoster(seed: number): Roster {
  const random = new Random(seed, 1);
  const organizations = makeOrganizations(random);
  const staff = new Map(organizations.map((organization) => [organization, makeStaff(random, organization)]));
  const press = makePress();
  const blogs = new Map(organizations.map((organization) => [organization, makeBlog(organization)]));
  return {
    organizations,
    people: [...staff.values()].flat(),
    outlets: [...press, ...blogs.values()],
    press: {
      en: press.filter(({ language }) => language === 'en'),
      zh: press.filter(({ language }) => language === 'zh'),
    },
    blogs,
    staff,
  };
}

function makeOrganizations(random: Random): Organization[] {
  const families = random.shuffled(familyNames);
  return organizationNames.flatMap(({ home, names }) =>
    names.map((name) => ({ key: slug(name[0]), name, home, families: families.splice(0, 2) })),
  );
}

function makeStaff(random: Random, organization: Organization): Person[] {
  return random.shuffled(jobs).map((job, index) => {
    const name = personName(random, organization.home);
    return { key: `${organization.key}-${index}`, name, job, organization };
  });
}

function personName(random: Random, home: Language): Pair {
  const chinese = random.chance(home === 'zh' ? 0.9 : 0.15);
  const given = random.pick(chinese ? chineseGiven : westernGiven);
  const family = random.pick(chinese ? chineseFamily : westernFamily);
  return [`${given[0]} ${family[0]}`, chinese ? family[1] + given[1] : `${given[1]}·${family[1]}`];
}

function makePress(): Outlet[] {
  return publishers.flatMap(({ owner, language, titles }) =>
    titles.map(([name, host, weight]) => ({
      key: host,
      name,
      language,
      owner,
      firstPartyOf: null,
      host: `${host}.example`,
      weight,
    })),
  );
}

function makeBlog(organization: Organization): Outlet {
  const host = `${organization.key}.example`;
  const name =
    organization.home === 'en' ? `${organization.name[0]} Blog` : `${organization.name[1]}官方博客`;
  return {
    key: `${organization.key}-blog`,
    name,
    language: organization.home,
    owner: organization.name[0],
    firstPartyOf: organization,
    host,
    weight: 0.85,
  };
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-');
}
