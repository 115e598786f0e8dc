import { describe, expect, test } from 'vitest';

import type { Dispatch, World } from './index.ts';
import { createWorld } from './index.ts';

const startsAt = Date.UTC(2026, 8, 1);
const worldOf = (seed: number, days = 30, itemsPerDay = 300): World =>
  createWorld({ seed, startsAt, days, itemsPerDay });
const plain = (world: World): unknown[] =>
  [...world.dispatches()].map((dispatch) => [JSON.stringify(dispatch), dispatch.body()]);

const world = worldOf(5);
const dispatches = [...world.dispatches()];
const byKey = new Map(dispatches.map((dispatch) => [dispatch.key, dispatch]));
const groups = Map.groupBy(dispatches, ({ groupKey }) => groupKey);

describe('a seed', () => {
  test('gives the same world every time', () => {
    expect(plain(worldOf(8, 4))).toEqual(plain(worldOf(8, 4)));
  });

  test('gives a different world than the next seed', () => {
    const titles = (seed: number): Set<string> =>
      new Set([...worldOf(seed, 4).dispatches()].map(({ title }) => title));
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
  test('has the requested number of dispatches, within one in fifty', () => {
    expect(Math.abs(dispatches.length - 9000)).toBeLessThan(180);
  });

  test('is in order of discovery and stays inside its days', () => {
    const found = dispatches.map(({ discoveredAt }) => discoveredAt);
    expect(found).toEqual(found.toSorted());
    expect(found[0]! >= new Date(startsAt).toISOString()).toBe(true);
    expect(found.at(-1)! < new Date(startsAt + 30 * 86_400_000).toISOString()).toBe(true);
  });

  test('never publishes after discovery, sometimes without a time, sometimes with discovery days later', () => {
    const known = dispatches.filter(({ publishedAt }) => publishedAt !== null);
    expect(known.filter(({ publishedAt, discoveredAt }) => publishedAt! > discoveredAt)).toEqual([]);
    expect(known.length / dispatches.length).toBeGreaterThan(0.9);
    expect(known.length).toBeLessThan(dispatches.length);
    const late = known.filter(
      (dispatch) => Date.parse(dispatch.discoveredAt) - Date.parse(dispatch.publishedAt!) > 72 * 3_600_000,
    );
    expect(late.length).toBeGreaterThan(20);
  });

  test('has dispatches found at the same microsecond, and times that need microseconds', () => {
    const found = dispatches.map(({ discoveredAt }) => discoveredAt);
    expect(new Set(found).size).toBeLessThan(found.length);
    expect(found.filter((at) => !at.endsWith('000Z')).length).toBeGreaterThan(found.length / 2);
  });

  test('has unique keys and addresses, all on reserved host names', () => {
    expect(byKey.size).toBe(dispatches.length);
    expect(new Set(dispatches.map(({ url }) => url)).size).toBe(dispatches.length);
    expect(dispatches.filter(({ url }) => !new URL(url).hostname.endsWith('.example'))).toEqual([]);
  });

  test('has at least a third in each language, and translations with a title in the other script', () => {
    const chinese = dispatches.filter(({ language }) => language === 'zh');
    expect(chinese.length / dispatches.length).toBeGreaterThan(1 / 3);
    expect(chinese.length / dispatches.length).toBeLessThan(2 / 3);
    const translated = dispatches.filter(({ originalTitle }) => originalTitle !== null);
    expect(translated.length).toBeGreaterThan(dispatches.length / 20);
    for (const { language, title, originalTitle } of translated) {
      expect(/\p{Script=Han}/u.test(language === 'zh' ? originalTitle! : title)).toBe(true);
      expect(/\p{Script=Han}/u.test(language === 'zh' ? title : originalTitle!)).toBe(false);
    }
  });
});

describe('labels', () => {
  const withRole = (role: Dispatch['role']): Dispatch[] =>
    dispatches.filter((dispatch) => dispatch.role === role);

  test('every role and every category occurs', () => {
    expect(new Set(dispatches.map(({ role }) => role)).size).toBe(9);
    expect(new Set(dispatches.map(({ category }) => category)).size).toBe(6);
  });

  test('a reprint shares its reading group with an earlier dispatch of another outlet', () => {
    for (const reprint of withRole('reprint')) {
      const opener = groups.get(reprint.groupKey)![0]!;
      expect(opener.role).not.toBe('reprint');
      expect(opener.outlet).not.toBe(reprint.outlet);
      expect(opener.facts).toEqual(reprint.facts);
    }
  });

  test('a reading group is part of only one story', () => {
    for (const group of groups.values()) expect(new Set(group.map(({ storyKey }) => storyKey)).size).toBe(1);
  });

  test('a contradiction or correction names an earlier dispatch of its story and another figure than that', () => {
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

  test('twins name each other, share no story, storyline or group, and have nearly the same text', () => {
    const twins = dispatches.filter(({ twinOf, role }) => twinOf !== undefined && role === 'first');
    const firsts = new Map(twins.map((dispatch) => [dispatch.storyKey, dispatch]));
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
    const likeness = (dispatch: Dispatch, other: Dispatch): number =>
      overlap(dispatch.summary, other.summary);
    const pairs = withRole('reprint')
      .map((reprint) => [reprint, groups.get(reprint.groupKey)![0]!] as const)
      .filter(([one, other]) => isHan(one.summary) === isHan(other.summary));
    const close = pairs.filter(([one, other]) => likeness(one, other) > 0.6);
    expect(close.length / pairs.length).toBeGreaterThan(0.95);
    const firsts = new Map(withRole('first').map((dispatch) => [dispatch.storyKey, dispatch]));
    const far = withRole('follow-up').filter(
      (dispatch) => likeness(dispatch, firsts.get(dispatch.storyKey)!) < 0.6,
    );
    expect(far.length / withRole('follow-up').length).toBeGreaterThan(0.9);
  });

  test('two reading groups of one story never have the same title', () => {
    const openers = [...groups.values()]
      .map(([opener]) => opener!)
      .filter(({ storyKey }) => storyKey !== null);
    const titles = openers.map(({ storyKey, title }) => `${storyKey} ${title}`);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('a roundup mentions several stories that were reported before it', () => {
    const firstSeen = new Map(
      withRole('first').map((dispatch) => [dispatch.storyKey, dispatch.discoveredAt]),
    );
    expect(withRole('roundup').length).toBeGreaterThan(50);
    for (const { mentions, discoveredAt, storyKey } of withRole('roundup')) {
      expect(storyKey).toBeNull();
      expect(new Set(mentions).size).toBe(3);
      for (const key of mentions!) expect(firstSeen.get(key)! <= discoveredAt).toBe(true);
    }
  });

  test('every organization has two product names of its own', () => {
    const families = world.organizations.flatMap((organization) => organization.families);
    expect(new Set(families).size).toBe(2 * world.organizations.length);
  });

  test('each reading group has exactly one representative, and only it may be selected', () => {
    for (const group of groups.values())
      expect(group.filter(({ representative }) => representative)).toHaveLength(1);
    const selected = dispatches.filter((dispatch) => dispatch.selected);
    expect(selected.length / dispatches.length).toBeGreaterThan(0.1);
    expect(selected.length / dispatches.length).toBeLessThan(0.2);
    expect(selected.filter((dispatch) => !dispatch.representative || !dispatch.reason)).toEqual([]);
    expect(dispatches.filter((dispatch) => !dispatch.selected && dispatch.reason !== null)).toEqual([]);
  });

  test('several outlets belong to one owner and every organization has its own', () => {
    const press = world.outlets.filter(({ firstPartyOf }) => firstPartyOf === null);
    expect(new Set(press.map(({ owner }) => owner)).size).toBeLessThan(press.length);
    const blogs = world.outlets.filter(
      ({ firstPartyOf, shape }) => firstPartyOf !== null && shape === 'site',
    );
    expect(blogs).toHaveLength(world.organizations.length);
  });
});

function isHan(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}

/** Share of the shorter text's character triples that the longer one contains. */
function overlap(one: string, other: string): number {
  const [small, large] = [one, other].map(triples).sort((left, right) => left.size - right.size);
  return small!.intersection(large!).size / small!.size;
}

function triples(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(1, text.length - 2) }, (_, at) => text.slice(at, at + 3)));
}
