import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { figuresOf, sameFigure } from '../../../language/headline-figures.ts';
import { addressKey } from './address-words.ts';
import { aliasTable, builtInAliases, parseAliases } from './aliases.ts';
import type { StoryEntry } from './entry-terms.ts';
import { entryTerms, indexTerms, sharesVersion } from './entry-terms.ts';
import { weighEntry } from './pair-features.ts';
import { readEntry } from './read-entry.ts';
import type { StoredItem } from './stored-item.ts';
import { storeItem, weighStored } from './stored-item.ts';

const aliases = aliasTable(builtInAliases());

function termsOf(title: string, rest: Partial<StoryEntry> = {}) {
  return entryTerms({ title, originalTitle: null, summary: '', url: null, at: null, ...rest }, aliases);
}

describe('terms of an item', () => {
  test('include a name as one term in English and in Chinese', () => {
    expect(termsOf('Nvidia to open a plant').title.terms).toContain('e:nvidia');
    expect(termsOf('英伟达将开设工厂').title.terms).toContain('e:nvidia');
  });

  test('include dotted initials as one word', () => {
    const plain = termsOf('GOP and US senators question AI chief JK Doe').title.terms;
    expect(termsOf('G.O.P. and U.S. senators question A.I. chief J.K. Doe').title.terms).toEqual(plain);
    expect(plain).toContain('w:gop');
    expect(termsOf('v2.5 of x.ai arrives. A plan follows').title.terms).not.toContain('w:xai');
  });

  test('include a Latin name inside a Chinese title as a word of its own', () => {
    const { title, languages } = termsOf('传闻称Gnomon 5即将发布');
    expect([...languages]).toEqual(['zh']);
    expect(title.terms).toContain('w:gnomon');
    expect(title.terms).toContain('h:即将');
  });

  test('include words of the address in the language that the title is not in', () => {
    const terms = termsOf('新模型来了', { url: 'https://www.outlet.example/2026/05/gnomon-model-arrives' });
    expect(indexTerms(terms).get('w:gnomon')).toBeLessThan(1);
    expect(terms.title.terms).not.toContain('w:gnomon');
  });

  test('are extracted from an address of any shape without an error', () => {
    for (const url of ['', 'not an address', 'https://x.example/%E0%A4%A', 'https://x.example/?a=%zz']) {
      expect(() => termsOf('A title', { url })).not.toThrow();
    }
  });

  test('mark columns and lists of several events as roundups, and no other items', () => {
    expect(termsOf('The Download: a model, a chip and a lawsuit').roundup).toBe(true);
    expect(termsOf('早报：三家公司发布新模型').roundup).toBe(true);
    expect(termsOf('Company releases a model').roundup).toBe(false);
    expect(termsOf('Company releases a model', { listing: true }).roundup).toBe(true);
  });

  test.each([
    '7 ways to use Gemini on your phone',
    'Five simple tricks for better prompts',
    'The 10 best AI laptops',
    '12 must-have gadgets for developers',
    'A buying guide to smart glasses',
    '盘点今年最火的智能眼镜',
    '10款值得买的 AI 眼镜',
    '5个技巧让大模型更听话的方法',
    '扫地机器人选购指南',
  ])('mark the list “%s” as a roundup', (title) => {
    expect(termsOf(title).roundup).toBe(true);
  });

  test.each([
    'Two people charged over leaked chip designs',
    'Three labs change hands as Halden sells its patents to Corvid',
    'Apple sells 10 million glasses in a week',
    '苹果发布3款新品，起售价不变',
    '五家公司联合起诉哈尔登实验室',
    '小米汽车10款车型降价',
  ])('do not mark the news “%s” as a roundup', (title) => {
    expect(termsOf(title).roundup).toBe(false);
  });
});

describe('figures', () => {
  test('are equal amounts in either language', () => {
    const [dollars] = figuresOf('raises $55.5B');
    const [yuan] = figuresOf('融资 555 亿美元');
    expect(dollars).toBeDefined();
    expect(yuan).toBeDefined();
    if (dollars === undefined || yuan === undefined) return;
    expect(sameFigure(dollars, yuan)).toBe(true);
  });

  test('do not include a year as an amount', () => {
    expect(figuresOf('in 2026')).toEqual([]);
  });

  test.each([
    ['Corvanta releases Gnomon 5', ['gnomon']],
    ['corvanta releases gnomon 5.5', ['gnomon']],
    ['Tests of the RTX 5090', ['rtx']],
    ['Corvanta dismisses 850 people', []],
    ['Corvanta Dismisses 850 People', []],
  ])('of %s, a number behind a name is a version and a count is none', (title, names) => {
    expect([...termsOf(title).title.versions.keys()]).toEqual(names);
  });

  test('match a version without a variant to any of its variants, but not two different variants', () => {
    const version = (title: string) => termsOf(title).title.versions.get('gnomon') ?? new Set();
    const [plain, pro, mini] = [version('Gnomon 5'), version('Gnomon 5 Pro'), version('Gnomon 5 mini')];
    expect(sharesVersion(plain, pro)).toBe(true);
    expect(sharesVersion(pro, mini)).toBe(false);
  });
});

describe('addresses', () => {
  test('are equal without scheme, www and tracking, and differ if the query differs', () => {
    const plain = addressKey('https://outlet.example/a');
    expect(addressKey('http://www.outlet.example/a/?utm_source=feed')).toBe(plain);
    expect(addressKey('https://outlet.example/a?id=2')).not.toBe(plain);
    expect(addressKey('https://outlet.example/')).toBeNull();
  });
});

describe('aliases', () => {
  test('of an operator extend the built-in ones, and a longer name has priority over one inside it', () => {
    const table = aliasTable([
      ...builtInAliases(),
      ...parseAliases('{"company":[["Apple Orchard Labs","苹果园实验室"]]}'),
    ]);
    const terms = (title: string) =>
      entryTerms({ title, originalTitle: null, summary: '', url: null, at: null }, table).title.terms;
    expect(terms('苹果园实验室宣布')).toContain('e:apple orchard labs');
    expect(terms('苹果园实验室宣布')).not.toContain('e:apple');
    expect(terms('苹果宣布')).toContain('e:apple');
  });

  test('in a file of another format are refused with the reason', () => {
    expect(() => parseAliases('{"animal":[["cat"]]}')).toThrow('unknown kind animal');
    expect(() => parseAliases('{"company":[[]]}')).toThrow('a list of names is empty');
    expect(() => parseAliases('{"company":[[""]]}')).toThrow('a name is empty');
  });
});

describe('an item in the index', () => {
  test('is the same after storing and reading', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom('Gnomon 5 Pro for $2B', '英伟达发布 H200'),
    );
    fc.assert(
      fc.property(text, text, text, (title, summary, path) => {
        const entry = { title, summary, originalTitle: null, url: `https://outlet.example/${path}`, at: 1 };
        const item = readEntry(entry, aliases);
        const json = JSON.stringify(storeItem(item, () => 3));
        const stored = JSON.parse(json) as StoredItem;
        expect(stored.signature).toEqual(item.signature);
        const counts = { items: 500, itemsWith: () => 3 };
        const nothing = weighEntry(
          entryTerms({ ...entry, title: '', summary: '', url: null }, aliases),
          counts,
        );
        const { positionOf: _, facts: restored, ...held } = weighStored(stored, nothing, counts.items);
        const { positionOf: __, facts, ...weighed } = weighEntry(item.terms, counts);
        expect(held).toEqual(weighed);
        expect(facts).toMatchObject(restored);
      }),
    );
  });
});
