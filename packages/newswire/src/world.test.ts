import { describe, expect, test } from 'vitest';

import type { Report, World } from './index.ts';
import { createWorld } from './index.ts';

const startsAt = Date.UTC(2026, 8, 1);
const worldOf = (seed: number, days = 30, itemsPerDay = 300): World =>
  createWorld({ seed, startsAt, days, itemsPerDay });
const plain = (world: World): unknown[] =>
  [...world.reports()].map((report) => [JSON.stringify(report), report.body()]);

const world = worldOf(5);
const reports = [...world.reports()];
const byKey = new Map(reports.map((report) => [report.key, report]));
const groups = Map.groupBy(reports, ({ groupKey }) => groupKey);

describe('a seed', () => {
  test('gives the same world every time', () => {
    expect(plain(worldOf(8, 4))).toEqual(plain(worldOf(8, 4)));
  });

  test('gives another world than its neighbour', () => {
    const titles = (seed: number): Set<string> =>
      new Set([...worldOf(seed, 4).reports()].map(({ title }) => title));
    expect(titles(8).intersection(titles(9)).size).toBeLessThan(titles(8).size / 20);
  });

  test('a Date and its milliseconds start the same world', () => {
    const [dated, counted] = [new Date(startsAt), startsAt].map((at) =>
      plain(createWorld({ seed: 1, startsAt: at, days: 2, itemsPerDay: 50 })),
    );
    expect(dated).toEqual(counted);
  });
});

describe('the stream', () => {
  test('brings what was asked for, within one in fifty', () => {
    expect(Math.abs(reports.length - 9000)).toBeLessThan(180);
  });

  test('is in order of discovery and stays inside its days', () => {
    const found = reports.map(({ discoveredAt }) => discoveredAt);
    expect(found).toEqual(found.toSorted());
    expect(found[0]! >= new Date(startsAt).toISOString()).toBe(true);
    expect(found.at(-1)! < new Date(startsAt + 30 * 86_400_000).toISOString()).toBe(true);
  });

  test('never publishes after discovery, sometimes does not know when, sometimes finds things days later', () => {
    const known = reports.filter(({ publishedAt }) => publishedAt !== null);
    expect(known.filter(({ publishedAt, discoveredAt }) => publishedAt! > discoveredAt)).toEqual([]);
    expect(known.length / reports.length).toBeGreaterThan(0.9);
    expect(known.length).toBeLessThan(reports.length);
    const late = known.filter(
      (report) => Date.parse(report.discoveredAt) - Date.parse(report.publishedAt!) > 72 * 3_600_000,
    );
    expect(late.length).toBeGreaterThan(20);
  });

  test('some reports are found at the same microsecond, and some times need microseconds', () => {
    const found = reports.map(({ discoveredAt }) => discoveredAt);
    expect(new Set(found).size).toBeLessThan(found.length);
    expect(found.filter((at) => !at.endsWith('000Z')).length).toBeGreaterThan(found.length / 2);
  });

  test('keys and addresses are unique, addresses lie on reserved names', () => {
    expect(byKey.size).toBe(reports.length);
    expect(new Set(reports.map(({ url }) => url)).size).toBe(reports.length);
    expect(reports.filter(({ url }) => !new URL(url).hostname.endsWith('.example'))).toEqual([]);
  });

  test('each language holds at least a third, translations carry a title in the other script', () => {
    const chinese = reports.filter(({ language }) => language === 'zh');
    expect(chinese.length / reports.length).toBeGreaterThan(1 / 3);
    expect(chinese.length / reports.length).toBeLessThan(2 / 3);
    const translated = reports.filter(({ originalTitle }) => originalTitle !== null);
    expect(translated.length).toBeGreaterThan(reports.length / 20);
    for (const { language, title, originalTitle } of translated) {
      expect(/\p{Script=Han}/u.test(language === 'zh' ? originalTitle! : title)).toBe(true);
      expect(/\p{Script=Han}/u.test(language === 'zh' ? title : originalTitle!)).toBe(false);
    }
  });
});

describe('labels', () => {
  const withRole = (role: Report['role']): Report[] => reports.filter((report) => report.role === role);

  test('every role and every category occurs', () => {
    expect(new Set(reports.map(({ role }) => role)).size).toBe(7);
    expect(new Set(reports.map(({ category }) => category)).size).toBe(6);
  });

  test('a reprint shares its reading group with an earlier report of another outlet', () => {
    for (const reprint of withRole('reprint')) {
      const opener = groups.get(reprint.groupKey)![0]!;
      expect(opener.role).not.toBe('reprint');
      expect(opener.outlet).not.toBe(reprint.outlet);
      expect(opener.facts).toEqual(reprint.facts);
    }
  });

  test('a reading group lies inside one story', () => {
    for (const group of groups.values()) expect(new Set(group.map(({ storyKey }) => storyKey)).size).toBe(1);
  });

  test('a contradiction or correction names an earlier report of its story and another figure than that', () => {
    const disputes = [...withRole('contradiction'), ...withRole('correction')];
    expect(disputes.length).toBeGreaterThan(50);
    for (const dispute of disputes) {
      const earlier = byKey.get(dispute.contradicts!)!;
      expect(earlier.storyKey).toBe(dispute.storyKey);
      expect(earlier.discoveredAt < dispute.discoveredAt).toBe(true);
      expect(earlier.facts.figures[0]!.value).not.toBe(dispute.facts.figures[0]!.value);
    }
    for (const correction of withRole('correction')) {
      expect(byKey.get(correction.contradicts!)!.outlet).toBe(correction.outlet);
    }
  });

  test('twins name each other, share no story, storyline or group, and are told in nearly the same words', () => {
    const twins = reports.filter(({ twinOf, role }) => twinOf !== undefined && role === 'first');
    const firsts = new Map(twins.map((report) => [report.storyKey, report]));
    let alike = 0;
    for (const twin of twins) {
      const sibling = firsts.get(twin.twinOf!);
      if (sibling === undefined) continue;
      expect(sibling.storyKey).not.toBe(twin.storyKey);
      expect(sibling.twinOf).toBe(twin.storyKey);
      expect(sibling.storylineKey === null || sibling.storylineKey !== twin.storylineKey).toBe(true);
      expect(sibling.groupKey).not.toBe(twin.groupKey);
      expect(sibling.title).not.toBe(twin.title);
      if (overlap(sibling.summary, twin.summary) > 0.6) alike += 1;
    }
    expect(alike).toBeGreaterThan(twins.length / 3);
  });

  test('reprints in one language are near-identical, a follow-up is not', () => {
    const likeness = (report: Report, other: Report): number => overlap(report.summary, other.summary);
    const pairs = withRole('reprint')
      .map((reprint) => [reprint, groups.get(reprint.groupKey)![0]!] as const)
      .filter(([one, other]) => isHan(one.summary) === isHan(other.summary));
    const close = pairs.filter(([one, other]) => likeness(one, other) > 0.6);
    expect(close.length / pairs.length).toBeGreaterThan(0.95);
    const firsts = new Map(withRole('first').map((report) => [report.storyKey, report]));
    const far = withRole('follow-up').filter(
      (report) => likeness(report, firsts.get(report.storyKey)!) < 0.6,
    );
    expect(far.length / withRole('follow-up').length).toBeGreaterThan(0.9);
  });

  test('two reading groups of one story never bear the same title', () => {
    const openers = [...groups.values()]
      .map(([opener]) => opener!)
      .filter(({ storyKey }) => storyKey !== null);
    const titles = openers.map(({ storyKey, title }) => `${storyKey} ${title}`);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('a roundup mentions several stories that were reported before it', () => {
    const firstSeen = new Map(withRole('first').map((report) => [report.storyKey, report.discoveredAt]));
    expect(withRole('roundup').length).toBeGreaterThan(50);
    for (const { mentions, discoveredAt, storyKey } of withRole('roundup')) {
      expect(storyKey).toBeNull();
      expect(new Set(mentions).size).toBe(3);
      for (const key of mentions!) expect(firstSeen.get(key)! <= discoveredAt).toBe(true);
    }
  });

  test('every organization sells under two names of its own', () => {
    const families = world.organizations.flatMap((organization) => organization.families);
    expect(new Set(families).size).toBe(2 * world.organizations.length);
  });

  test('each reading group has exactly one representative, and only it may be selected', () => {
    for (const group of groups.values())
      expect(group.filter(({ representative }) => representative)).toHaveLength(1);
    const selected = reports.filter((report) => report.selected);
    expect(selected.length / reports.length).toBeGreaterThan(0.1);
    expect(selected.length / reports.length).toBeLessThan(0.2);
    expect(selected.filter((report) => !report.representative || !report.reason)).toEqual([]);
    expect(reports.filter((report) => !report.selected && report.reason !== null)).toEqual([]);
  });

  test('several outlets belong to one owner and every organization has its own', () => {
    const press = world.outlets.filter(({ firstPartyOf }) => firstPartyOf === null);
    expect(new Set(press.map(({ owner }) => owner)).size).toBeLessThan(press.length);
    expect(world.outlets.filter(({ firstPartyOf }) => firstPartyOf !== null)).toHaveLength(
      world.organizations.length,
    );
  });
});

function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** Share of the shorter text's character triples that the longer one holds. */
function overlap(one: string, other: string): number {
  const [small, large] = [one, other].map(triples).sort((left, right) => left.size - right.size);
  return small!.intersection(large!).size / small!.size;
}

function triples(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(1, text.length - 2) }, (_, at) => text.slice(at, at + 3)));
}
