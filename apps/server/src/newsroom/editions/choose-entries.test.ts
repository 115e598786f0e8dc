import { checkSentence, readSource, splitSentences } from '@daybook/grounding';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { epochMicroseconds } from '../../foundation/instant.ts';
import type { ReaderLanguage } from '../../foundation/reader-language.ts';
import type { editions } from '../../record/index.ts';
import type { EditionCandidate } from './choose-entries.ts';
import { chooseEntries, editionSizes } from './choose-entries.ts';
import { composeEdition, unreportedCandidates } from './compose-edition.ts';
import { materialToStore, readMaterial } from './edition-material.ts';
import { withoutReportedStories } from './new-fact.ts';
import { composeRest } from './rewrite-edition.ts';
import { writeWords } from './write-words.ts';

function candidate(given: Partial<EditionCandidate> & { readonly number?: number }): EditionCandidate {
  const { number = 1, ...rest } = given;
  const id = `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  return {
    id: id as EditionCandidate['id'],
    storyId: `story ${number}` as EditionCandidate['storyId'],
    groupId: `group ${number}` as EditionCandidate['groupId'],
    groupAppearedAt: epochMicroseconds(BigInt(number)),
    sourceId: `source ${number}` as EditionCandidate['sourceId'],
    title: `Halden Labs opens office ${number}`,
    summary: '',
    language: 'en',
    category: 'industry',
    score: 50,
    owners: 1,
    discoveredAt: epochMicroseconds(BigInt(number)),
    selected: true,
    barred: null,
    ...rest,
  };
}

/** Without items in other languages. */
const composed = (unreported: readonly EditionCandidate[]) => ({ unreported, alternatives: [] });

const candidates = fc
  .array(
    fc.record({
      story: fc.integer({ min: 0, max: 40 }),
      source: fc.integer({ min: 0, max: 12 }),
      score: fc.integer({ min: 0, max: 100 }),
      owners: fc.integer({ min: 1, max: 9 }),
      selected: fc.boolean(),
      barred: fc.constantFrom(null, null, 'roundup' as const),
    }),
    { maxLength: 80 },
  )
  .map((drawn) =>
    drawn.map(({ story, source, ...rest }, at) =>
      candidate({
        number: at,
        storyId: story === 0 ? null : (`story ${story}` as EditionCandidate['storyId']),
        sourceId: `source ${source}` as EditionCandidate['sourceId'],
        ...rest,
      }),
    ),
  );

const most = (values: readonly unknown[]): number =>
  Math.max(0, ...[...Map.groupBy(values, (value) => value).values()].map(({ length }) => length));

test('an edition has a story once, two items of a source, twelve entries and ten flashes in any order', () => {
  fc.assert(
    fc.property(candidates, (all) => {
      const { entries, flashes } = chooseEntries(all, editionSizes.daily);
      const chosen = [...entries, ...flashes];
      expect(most(chosen.map(({ storyId, groupId }) => storyId ?? groupId))).toBeLessThanOrEqual(1);
      expect(most(chosen.map(({ sourceId }) => sourceId))).toBeLessThanOrEqual(2);
      expect(entries.length).toBeLessThanOrEqual(12);
      expect(flashes.length).toBeLessThanOrEqual(entries.length === 12 ? 10 : 0);
      expect(chooseEntries(all.toReversed(), editionSizes.daily)).toEqual({ entries, flashes });
    }),
  );
});

test('omitted items rank no higher than chosen ones, unless a limit of story or source applied', () => {
  fc.assert(
    fc.property(candidates, (all) => {
      const { entries, flashes } = chooseEntries(all, editionSizes.daily);
      const chosen = [...entries, ...flashes];
      if (chosen.length === 22) return;
      const left = all.filter(
        (one) => !chosen.includes(one) && one.barred === null && (one.selected || chosen.length < 5),
      );
      for (const one of left) {
        const sameStory = chosen.some(
          ({ storyId, groupId }) => (storyId ?? groupId) === (one.storyId ?? one.groupId),
        );
        const ofSource = chosen.filter(({ sourceId }) => sourceId === one.sourceId).length;
        expect(sameStory || ofSource === 2).toBe(true);
      }
    }),
  );
});

test('an edition with fewer than five selected stories is filled up to five with the best of the others', () => {
  const others = [6, 7, 8, 9].map((number) => candidate({ number, selected: false, score: 90 - number }));
  const selected = [1, 2, 3].map((number) => candidate({ number, score: 40 }));
  const { entries, flashes } = chooseEntries([...others, ...selected], editionSizes.daily);
  expect(entries).toEqual([...selected, ...others.slice(0, 2)]);
  expect(flashes).toEqual([]);
  const contents = composeEdition('daily', composed([...selected, ...others]), { language: 'en' });
  expect(contents?.filled).toEqual(others.slice(0, 2).map(({ id }) => id));
  const five = [1, 2, 3, 4, 5].map((number) => candidate({ number, score: 40 }));
  expect(chooseEntries([...others, ...five], editionSizes.daily).entries).toEqual(five);
  expect(composeEdition('daily', composed([...others, ...five]), { language: 'en' })).not.toHaveProperty(
    'filled',
  );
  // One of the others reports a story that is already an entry.
  const repeated = candidate({ number: 6, selected: false, score: 99, storyId: selected[0]!.storyId });
  expect(chooseEntries([...selected, repeated], editionSizes.daily).entries).toEqual(selected);
});

test('a roundup or a correction notice is no entry, whatever its score', () => {
  const barred = [
    candidate({ number: 1, score: 100, barred: 'roundup' }),
    candidate({ number: 2, score: 100, barred: 'correction notice', selected: false }),
  ];
  const news = candidate({ number: 3, score: 1 });
  expect(chooseEntries([...barred, news], editionSizes.daily).entries).toEqual([news]);
  expect(composeEdition('daily', composed(barred), { language: 'en' })).toBeNull();
});

test('more owners raise the importance of a story above a slightly better score', () => {
  const [few, many] = [candidate({ number: 1, score: 55 }), candidate({ number: 2, owners: 4 })];
  expect(chooseEntries([few, many], editionSizes.weekly).entries).toEqual([many, few]);
});

test('a story returns only with a number, name or quotation in a later reading group', () => {
  const carried = {
    ...candidate({ number: 5, summary: 'Halden Labs raised $40 million from Brisk Capital.' }),
    text: 'The round was led by Brisk Capital, said Mira Oduya.',
  };
  const returns = (given: Partial<EditionCandidate>, number = 6): boolean =>
    withoutReportedStories(
      [candidate({ number, storyId: carried.storyId, ...given })],
      [carried],
      [['Halden Labs', '霍尔登实验室']],
    ).length > 0;
  expect(returns({ summary: 'Halden Labs raised $55 million from Brisk Capital.' })).toBe(true);
  expect(returns({ summary: 'Halden Labs raised $40 million, also from Tarn Partners.' })).toBe(true);
  expect(returns({ summary: 'Mira Oduya said the money is “for chips, and nothing else”.' })).toBe(true);
  expect(returns({ summary: 'The $40 million for Halden Labs came from Brisk Capital.' })).toBe(false);
  expect(returns({ summary: 'Mira Oduya told more about the round of Halden Labs.' })).toBe(false);
  expect(returns({ summary: '霍尔登实验室融资 4000 万美元。', language: 'zh' })).toBe(false);
  expect(returns({ summary: '霍尔登实验室融资 5500 万美元。', language: 'zh' })).toBe(true);
  expect(returns({ summary: 'Links to what Mira Oduya said of Halden Labs are below.' })).toBe(false);
  // Not later, or the same group that was published before.
  expect(returns({ summary: 'Halden Labs raised $55 million.' }, 4)).toBe(false);
  expect(returns({ summary: 'Halden Labs raised $55 million.', groupId: carried.groupId })).toBe(false);
  expect(returns({ summary: 'Halden Labs raised $40 million.', storyId: null })).toBe(true);
});

test('headline and overview are in the language of the installation and quote the items they cite', () => {
  const entries = [
    candidate({
      number: 1,
      title: '霍尔登实验室发布第三代模型',
      summary: '霍尔登实验室发布了新模型。',
      language: 'zh',
    }),
    candidate({ number: 2, title: `Ostrava ${'very '.repeat(40)}long`, summary: `${'Long '.repeat(80)}.` }),
    candidate({
      number: 3,
      title: 'Tarn raises $30 million for chips',
      summary: 'Tarn raised $30 million from Brisk Capital. It will hire.',
    }),
    candidate({ number: 4, title: 'Corvid 3 costs half as much' }),
    candidate({ number: 5, title: 'Quill 2', summary: 'Fixes a leak.' }),
  ];
  const words = writeWords(entries, 'en');
  expect(words).toEqual({
    language: 'en',
    headline: 'Tarn raises $30 million for chips',
    headlineCites: [entries[2]?.id],
    overview: 'Tarn raised $30 million from Brisk Capital. Corvid 3 costs half as much.',
    overviewCites: [entries[2]?.id, entries[3]?.id],
  });
  const cited = entries.slice(2, 4).map(({ title, summary }) => readSource(`${title}\n${summary}`));
  for (const sentence of splitSentences(words.overview)) expect(checkSentence(sentence, cited)).toEqual([]);
  expect(writeWords(entries, 'zh').overview).toBe('霍尔登实验室发布了新模型。');
  expect(writeWords([entries[0] as EditionCandidate], 'en').headline).toBe('霍尔登实验室发布第三代模型');
});

test('an overview of titles does not repeat the headline, and ends every title', () => {
  const titles = [
    'Halden Labs comments on the letter "Veltrane and Tarn"',
    'Corvid 3 halves the price of "Quill 2"',
    'Brisk Capital invests $30 million in Ostrava',
  ];
  const entries = titles.map((title, at) => candidate({ number: at + 1, title, summary: '' }));
  expect(writeWords(entries, 'en')).toMatchObject({
    headline: titles[0],
    overview: `${titles[1]}. ${titles[2]}.`,
  });
});

test('an overview has three complete sentences, each of another story, most important first', () => {
  const summaries = [
    // The first sentence needs the one before it; the second is about the title.
    'It means that Halden Labs buys Quill with 2 others. Halden Labs bought Quill for $40 million. Shares of Tarn fell 3%.',
    'What does it mean? “We are glad,” she said.',
    'Corvid 3 reads 2 million tokens and costs half as much as Corvid 2.',
    // The same event as the first.
    'On Monday Halden Labs bought Quill for $40 million.',
    'Regulators in Ostrava fined Brisk Capital 12 million euros for its chatbot.',
    'Mira Oduya left Tarn after 6 years.',
  ];
  const titles = ['Halden Labs buys Quill', 'Nothing', 'Corvid 3', 'Quill sold', 'A fine', 'She left'];
  const entries = summaries.map((summary, at) =>
    candidate({ number: at + 1, summary, title: titles[at] ?? '' }),
  );
  expect(writeWords(entries, 'en').overview).toBe(
    'Halden Labs bought Quill for $40 million. Corvid 3 reads 2 million tokens and costs half as much as Corvid 2. Regulators in Ostrava fined Brisk Capital 12 million euros for its chatbot.',
  );
  expect(writeWords(entries, 'en').overviewCites).toEqual([0, 2, 4].map((at) => entries[at]?.id));
});

describe('after a withdrawal', () => {
  const [tarn, corvid] = [
    candidate({ number: 1, title: 'Tarn raises $30 million for chips', summary: 'Tarn raised $30 million.' }),
    candidate({ number: 2, title: 'Corvid 3 costs half as much as Corvid 2' }),
  ];
  const gone = {
    id: candidate({ number: 3 }).id,
    title: 'Halden Labs releases Quill 7',
    summary: 'Halden Labs has released Quill 7 with secret weights.',
  };
  const ids = [tarn.id, corvid.id];
  const contents: editions.EditionContents = {
    headline: gone.title,
    headlineCites: [gone.id],
    overview: `${gone.summary} Tarn raised $30 million.`,
    overviewCites: [gone.id, tarn.id],
    sections: [{ key: 'industry', label: 'Industry', itemIds: [gone.id, ...ids] }],
    flashes: [],
  };
  const sections = [{ key: 'industry', label: 'Industry', itemIds: ids }];
  const neutral = { headline: 'Daily report', overview: 'Withdrawn.', headlineCites: [], overviewCites: [] };
  const recomposed = (before: editions.EditionContents, rest: Partial<editions.EditionContents> = neutral) =>
    composeRest(
      { before, rest: { ...before, sections, ...rest }, gone },
      [tarn, corvid],
      writeWords([tarn, corvid], 'en'),
    );

  test('text by rule that cited the item is written again from the rest; other text stays', () => {
    expect(recomposed(contents)).toMatchObject({
      headline: tarn.title,
      headlineCites: [tarn.id],
      overview: 'Tarn raised $30 million. Corvid 3 costs half as much as Corvid 2.',
      overviewCites: ids,
      sections,
    });
    const words = { headline: 'Corvid 3 is cheap', headlineCites: [corvid.id] };
    expect(recomposed({ ...contents, ...words }, { ...neutral, ...words })).toMatchObject(words);
  });

  test('an editor’s text stays without the sentences that rest on the item', () => {
    const byEditor = ['headline', 'overview'] as const;
    const overview = 'A week of money and prices. Tarn raised $30 million. Quill 7 has secret weights.';
    expect(
      recomposed({ ...contents, headline: 'Money, and cheaper tokens', overview, byEditor }),
    ).toMatchObject({
      headline: 'Money, and cheaper tokens',
      headlineCites: [],
      overview: 'A week of money and prices. Tarn raised $30 million.',
      overviewCites: [tarn.id],
      byEditor,
    });
    // Nothing of it remains.
    expect(
      recomposed({
        ...contents,
        headline: 'Quill 7 arrives',
        overview: 'The secret weights are released.',
        byEditor,
      }),
    ).toMatchObject({ headline: tarn.title, overviewCites: ids, byEditor: [] });
    // The text was written from another item before the editor replaced it.
    const replaced = { ...contents, overview: 'The secret weights are released.', overviewCites: [tarn.id] };
    const { overview: stored, overviewCites } = replaced;
    expect(
      recomposed({ ...replaced, byEditor }, { ...neutral, overview: stored, overviewCites }),
    ).toMatchObject({ overviewCites: ids, byEditor: [] });
  });
});

describe('an edition in two languages', () => {
  const [office, prices] = [
    candidate({ number: 1, title: 'Halden Labs opens an office in Ostrava', score: 90 }),
    candidate({ number: 2, title: '科维德三代的价格只有上一代的一半', language: 'zh-Hans', score: 60 }),
  ];
  const alternative = {
    language: 'zh' as const,
    entryId: office.id,
    item: {
      id: candidate({ number: 11 }).id,
      title: '霍尔登实验室在俄斯特拉发设立办公室',
      summary: '霍尔登实验室宣布在俄斯特拉发设立 40 人的办公室。',
      language: null,
    },
  };
  const compose = (language: ReaderLanguage) =>
    composeEdition('daily', { unreported: [office, prices], alternatives: [alternative] }, { language });

  test('has a headline and an overview in each, from the items in it', () => {
    expect(compose('en')).toMatchObject({
      language: 'en',
      headline: office.title,
      headlineCites: [office.id],
      versions: [
        {
          language: 'zh',
          headline: alternative.item.title,
          headlineCites: [alternative.item.id],
          overviewCites: [alternative.item.id, prices.id],
        },
      ],
      reports: [{ language: 'zh', entryId: office.id, itemId: alternative.item.id }],
    });
  });

  test('has the same entries whichever language is its own', () => {
    const [english, chinese] = [compose('en'), compose('zh')];
    const ids = (contents: typeof english) => contents?.sections.map(({ itemIds }) => itemIds);
    expect(ids(chinese)).toEqual(ids(english));
    expect(chinese).toMatchObject({
      language: 'zh',
      headline: alternative.item.title,
      versions: [{ language: 'en', headline: office.title }],
    });
  });

  test('without an item in the installation’s language is written in the other one alone', () => {
    const contents = composeEdition('daily', composed([prices]), { language: 'en' });
    expect(contents).toMatchObject({ language: 'zh', headline: prices.title });
    expect(contents).not.toHaveProperty('versions');
  });
});

test('stored material read back from JSON gives the same edition, including articles published before', () => {
  const texts = fc.record({ title: fc.string(), summary: fc.string(), text: fc.string() });
  fc.assert(
    fc.property(candidates, fc.array(texts, { maxLength: 3 }), (all, articles) => {
      const settings = { language: 'en', aliases: [['Halden Labs', 'Halden']] } as const;
      const carried = articles.map((article, at) => ({
        ...candidate({ number: 900 + at, ...article }),
        ...article,
      }));
      const alternatives = all.slice(0, 3).map(({ id }, at) => ({
        language: 'zh' as const,
        entryId: id,
        item: {
          id: candidate({ number: 950 + at }).id,
          title: `标题 ${at}`,
          summary: '摘要。',
          language: 'zh',
        },
      }));
      const material = { candidates: all, carried, alternatives };
      const unreported = unreportedCandidates(material, settings);
      const stored = JSON.parse(
        JSON.stringify(materialToStore(material, unreported, settings)),
      ) as editions.material.StoredEdition;
      const read = readMaterial(stored);
      expect(read.isRedacted).toBe(false);
      expect(
        composeEdition('daily', { ...read, unreported: unreportedCandidates(read, settings) }, settings),
      ).toEqual(composeEdition('daily', { unreported, alternatives }, settings));
      expect(read.candidates).toEqual(all);
      expect(all.filter(({ id }) => !read.reportedBefore.has(id))).toEqual(unreported);
    }),
    { numRuns: 50 },
  );
});
