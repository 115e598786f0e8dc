import { checkSentence, readSource } from '@daybook/grounding';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import type { Digest } from './compose-digest.ts';
import { composeDigest, deservesDigest } from './compose-digest.ts';
import { findContradictions } from './contradictions.ts';
import { wordQuantity } from './quantity-words.ts';
import type { StoryItem } from './story-item.ts';
import { readItem } from './story-item.ts';

let turn = 0n;
function item(id: string, text: string, change: Partial<StoryItem> = {}): StoryItem {
  turn += 1n;
  return {
    id,
    sourceName: `The ${id.toUpperCase()} Wire`,
    owner: id,
    voice: change.owner ?? id,
    title: `Report ${id}`,
    text,
    language: /\p{Script=Han}/u.test(text) ? 'zh' : 'en',
    receivedAt: turn,
    tier: 2,
    firstParty: false,
    ...change,
  };
}

function contradictions(...items: readonly StoryItem[]): object[] {
  return findContradictions(items.map((one) => readItem(one))).map(({ said, now, earlier, later }) => ({
    said: said.numeral.value,
    now: now.numeral.value,
    earlier,
    later,
  }));
}

const raised = 'Veltrane has raised $120 million in a round led by Ninth Ferry Partners.';

describe('a contradiction', () => {
  test('has no aggregator among its witnesses, and is not a changed copy of one text', () => {
    const denied = 'The round of Veltrane was $95 million and not $120 million, two people say.';
    const changed = raised.replace('$120', '$95');
    expect(contradictions(item('a', raised), item('b', denied, { tier: 4 }))).toEqual([]);
    expect(contradictions(item('a', raised, { tier: 4 }), item('b', denied))).toEqual([]);
    expect(contradictions(item('a', raised, { tier: 4, firstParty: true }), item('b', denied))).toHaveLength(
      1,
    );
    expect(contradictions(item('a', raised), item('b', changed))).toHaveLength(1);
    expect(contradictions(item('a', raised), item('b', changed, { voice: 'a' }))).toEqual([]);
  });

  test.each([
    'Papers seen by reporters put the size of the round at $95 million; earlier reports had said $120 million.',
    'Correction: the round of Veltrane was $95 million. We had written $120 million and regret the error.',
    'The round was $95 million and not $120 million, two people say.',
    'Veltrane has raised $95 million in a round led by Ninth Ferry Partners.',
    '文件显示 Veltrane 融资金额为 9500 万美元，而非 1.2 亿美元。',
    '更正：此前报道称 Veltrane 融资 1.2 亿美元，正确数字是 9500 万美元。',
  ])('is found: %s', (text) => {
    expect(contradictions(item('a', raised), item('b', text))).toEqual([
      { said: 120e6, now: 95e6, earlier: ['a'], later: ['b'] },
    ]);
  });

  test.each([
    ['the same figure in other words', 'Investors have put 120 million dollars into Veltrane.'],
    ['a rounded figure', 'Veltrane raised about $120 million, not from banks but from Ninth Ferry Partners.'],
    [
      'a figure of something else',
      'Veltrane employs 95 people and not only in Linjiang, contrary to what many think.',
    ],
    ['another amount of another thing', 'Halvoric raised $95 million in the spring, a comparable sum.'],
    ['a translation', 'Veltrane 完成 1.2 亿美元融资。'],
  ])('is not %s', (_, text) => {
    expect(contradictions(item('a', raised), item('b', text))).toEqual([]);
  });

  test('lists items that repeat a value with that value, and only earlier items as earlier', () => {
    const dispute = 'The round was $95 million, not $120 million, documents show.';
    const found = contradictions(
      item('a', raised),
      item('b', raised),
      item('c', dispute),
      item('d', dispute),
      item('e', raised),
    );
    expect(found).toEqual([{ said: 120e6, now: 95e6, earlier: ['a', 'b'], later: ['c', 'd'] }]);
  });

  test('does not depend on the order of the items', () => {
    const items = [
      item('a', raised),
      item('b', 'The round was $95 million, not $120 million.'),
      item('c', raised),
    ];
    expect(contradictions(...items.toReversed())).toEqual(contradictions(...items));
  });
});

function digest(
  items: readonly StoryItem[],
  previous: Digest | null = null,
  language: ReaderLanguage = 'en',
): Digest | null {
  return composeDigest({ previous, items, language });
}

describe('a digest', () => {
  const first = item('a', `${raised} Investors like the company.`);
  const reprint = item('b', raised);
  const followUp = item('c', 'Veltrane will spend the money on 4 data centres in Linjiang with Halvoric.');

  test('states each fact once, with every item that supports it', () => {
    expect(digest([first, reprint, followUp])?.sentences).toEqual([
      { text: raised, cites: ['a', 'b'] },
      { text: followUp.text, cites: ['c'] },
    ]);
  });

  test('preserves its sentences when an item is added and loses those of a withdrawn item', () => {
    const before = digest([first, reprint]);
    const after = digest([first, reprint, followUp], before);
    expect(after?.sentences.slice(0, 1)).toEqual(before?.sentences);
    expect(digest([first, reprint], after)?.sentences).toEqual(before?.sentences);
    expect(digest([followUp], after)?.sentences).toEqual([{ text: followUp.text, cites: ['c'] }]);
  });

  test('states a contradiction right after the figure it concerns: earlier value, its source, and current value', () => {
    const dispute = item(
      'd',
      'Papers put the size of the round at $95 million; earlier reports had said $120 million.',
    );
    const { sentences, contradictions: records } = digest([first, reprint, followUp, dispute]) ?? {};
    const statement =
      'The size of the round: $120 million (The A Wire and The B Wire) or $95 million (The D Wire).';
    expect(sentences?.map(({ text }) => text)).toEqual([raised, statement, followUp.text]);
    expect(records).toEqual([{ statement, earlier: ['a', 'b'], later: ['d'] }]);
  });

  test.each([
    [
      'the words beside the figures',
      'Pellan 5 was unavailable for 6.5 hours on Monday, Papermoth reports.',
      'Pellan 5 was unavailable for 4.5 hours and not for 6.5 hours on Monday.',
      'The downtime of Pellan 5: 6.5 hours (The Y Wire) or 4.5 hours (The Z Wire).',
    ],
    [
      'both figures side by side in one report',
      'Pellan 5 was unavailable for 6.5 hours on Monday, Papermoth reports.',
      'Papermoth counted 6.5 hours without Pellan 5, while Halden Labs says 4.5 hours.',
      'The downtime of Pellan 5: 6.5 hours (The Y Wire) or 4.5 hours (The Z Wire).',
    ],
    [
      'the unit alone',
      'The test of Corvid ran for 30 days in Brno.',
      'The test of Corvid ran for 20 days, not 30 days, in Brno.',
      'The duration of Corvid: 30 days (The Y Wire) or 20 days (The Z Wire).',
    ],
    [
      'Chinese words',
      'Pellan 5 服务周一中断 6.5 小时，多家媒体报道。',
      'Pellan 5 服务周一中断 4.5 小时，而非 6.5 小时。',
      'Pellan 5 的中断时长：6.5 小时（The Y Wire）或 4.5 小时（The Z Wire）。',
    ],
  ])('names what is contradicted by %s', (_, earlier, later, statement) => {
    const language = /\p{Script=Han}/u.test(earlier) ? 'zh' : 'en';
    const records = digest([item('y', earlier), item('z', later)], null, language)?.contradictions;
    expect(records?.map((record) => record.statement)).toEqual([statement]);
  });

  test('does not take a change over time for two accounts', () => {
    const earlier = item('y', 'Corvid handled 20 percent of the calls.');
    const grown = item(
      'z',
      'Corvid handled 20 percent of calls in May, but said it was 35 percent last month.',
    );
    expect(contradictions(earlier, grown)).toEqual([]);
  });

  test('says that a source has corrected itself', () => {
    const correction = item('e', '更正：此前报道将融资金额写为 1.2 亿美元，正确数字是 9500 万美元。', {
      owner: 'z',
      sourceName: '北麓',
    });
    const chinese = item('z', 'Veltrane 完成融资，金额 1.2 亿美元，由九渡资本领投。', {
      owner: 'z',
      sourceName: '北麓',
      receivedAt: 0n,
    });
    expect(digest([chinese, correction], null, 'zh')?.contradictions[0]?.statement).toBe(
      '北麓已将融资金额由 1.2 亿美元更正为 9500 万美元。',
    );
  });

  test('quotes only items in the language of the story’s title', () => {
    const chinese = item('f', 'Veltrane 计划在麟江建设 4 个数据中心，容量 300 兆瓦。');
    expect(digest([first, chinese])?.sentences.every(({ text }) => !/\p{Script=Han}/u.test(text))).toBe(true);
    expect(digest([first], null, 'zh')).toBeNull();
  });

  test('opens with the item closest to the event', () => {
    const own = item('g', 'Veltrane closes a round of $120 million with Ninth Ferry Partners.', {
      firstParty: true,
      tier: 1,
    });
    expect(digest([first, own])?.sentences[0]?.text).toBe(own.text);
  });

  test('opens with the event and not with a later turn, a correction or a line of a changelog', () => {
    const day = 86_400_000_000n;
    const event = item(
      'a',
      `${raised} The money comes from 9 funds in 4 countries, Ostrava and Brno among them.`,
      {
        receivedAt: 1n,
        tier: 3,
      },
    );
    const own = { firstParty: true, tier: 1 } as const;
    const turn = item('b', 'Veltrane named Sam Okonjola as head of 3 labs in Brno.', {
      ...own,
      receivedAt: 3n * day,
    });
    const notes = item('c', 'Fixed 12 errors of Veltrane Studio 4.2 in Linjiang.', {
      ...own,
      receivedAt: 2n,
      title: 'Veltrane Studio changelog',
    });
    const opening = (items: readonly StoryItem[]): string | undefined =>
      composeDigest({ previous: null, items, language: 'en', title: 'Veltrane raises $120 million' })
        ?.sentences[0]?.text;
    expect(opening([event, turn])).toBe(raised);
    expect(opening([event, notes])).toBe(raised);
    const list = item('d', `Fixed 9 errors in 4 models of Veltrane, Halvoric and Corvid. ${raised}`, {
      receivedAt: 0n,
    });
    expect(opening([list])).toBe(raised);
  });

  test('opens with the lead and not with a later sentence that has more facts', () => {
    const lead = 'Veltrane reported a weak quarter on Tuesday, and its shares fell.';
    const figures =
      'Looking ahead, Veltrane expects 1.8 percent more sales in 2027, 3.5 percent in Linjiang and 4 percent in Brno with Halvoric.';
    const report = item('a', `${lead} ${figures}`, {
      title: 'Shares of Veltrane fall after weak quarter',
      receivedAt: 0n,
    });
    expect(digest([report, reprint])?.sentences[0]?.text).toBe(lead);
  });

  test('neither says a figure twice, nor adds other subjects, nor names a person it has not introduced', () => {
    const other = item(
      'c',
      [
        'Veltrane plans 4 data centres in Linjiang.',
        'The company got about $120 million from Ninth Ferry.',
        'Tourists from Oster, Brno and Ostrava waited 3 days.',
        `Sam Okonjola, ${'who is well known, '.repeat(20)}leads it.`,
        'Okonjola wants Veltrane to hire 900 engineers for data centres in Brno.',
      ].join(' '),
      { title: 'Veltrane plans data centres' },
    );
    expect(digest([first, other])?.sentences.map(({ text }) => text)).toEqual([
      raised,
      'Veltrane plans 4 data centres in Linjiang.',
    ]);
  });

  test('requires two independent sources', () => {
    expect(deservesDigest([first, { voice: first.voice }])).toBe(false);
    expect(deservesDigest([first, reprint])).toBe(true);
  });

  test('contains only sentences that each of their citations supports, and stays within its limits', () => {
    const sentence = fc.constantFrom(
      raised,
      'Veltrane has raised $95 million, not $120 million.',
      'Halvoric cut 70 jobs in Linjiang on Tuesday.',
      'It was late.',
      'Sam Okonjola said: “We would rather be late than wrong.”',
      'The Opus 4.8 of Veltrane answers 12 percent faster.',
      '奥斯特兰获 3 亿美元融资。',
    );
    const texts = fc.array(fc.array(sentence, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(texts, (all) => {
        const items = all.map((sentences, at) => item(`r${at}`, sentences.join(' '), { language: 'en' }));
        const made = digest(items);
        expect(made?.sentences.length ?? 0).toBeLessThanOrEqual(8 + (made?.contradictions.length ?? 0));
        for (const { text, cites } of made?.sentences ?? []) {
          expect(cites.length).toBeGreaterThan(0);
          const cited = items.filter(({ id }) => cites.includes(id));
          const sources = cited.map((one) => readSource(`${one.title}\n${one.text}\n${one.sourceName}`));
          expect(checkSentence(text, sources)).toEqual([]);
        }
        expect(digest(items, made)).toEqual(digest(items, digest(items, made)));
      }),
      { numRuns: 25 },
    );
  });
});

test.each([
  ['1.2 亿美元', 'en', '$120 million'],
  ['$1.38 billion', 'zh', '13.8 亿美元'],
  ['47.2%', 'en', '47.2 percent'],
  ['920 亿参数', 'en', '92 billion parameters'],
  ['2.5 hours', 'zh', '2.5 小时'],
  ['1,900 megawatts', 'zh', '1.9 吉瓦'],
  ['12,500 people', 'en', '12,500 people'],
] as const)('states %s in %s as %s', (text, language, expected) => {
  const [quantity] = readItem(item('q', text)).sentences[1]?.quantities ?? [];
  expect(quantity === undefined ? '' : wordQuantity(quantity, language)).toBe(expected);
});
