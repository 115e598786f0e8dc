import { describe, expect, test } from 'vitest';

import type { SelectionReason } from './selection-reason.ts';
import { reasonIn, wordReason } from './selection-reason.ts';

const openings = ['first', 'adds', 'repeats'] as const;
const authors = ['company', 'press', null] as const;
const names = ['OpenAI', 'Z.ai', 'Ant Group', '月之暗面', null] as const;
const counts = [3, 12, null] as const;

const everyReason: readonly SelectionReason[] = openings.flatMap((opening) =>
  authors.flatMap((by) =>
    names.flatMap((about) =>
      counts.flatMap((owners) => [true, false].map((concrete) => ({ opening, by, about, concrete, owners }))),
    ),
  ),
);

describe('a stored reason', () => {
  test('is worded in the other language, whichever language it was stored in', () => {
    for (const reason of everyReason) {
      const [en, zh] = [reasonIn('en', reason), reasonIn('zh', reason)];
      expect(wordReason(en, 'zh').reason).toBe(zh);
      expect(wordReason(zh, 'en').reason).toBe(en);
      expect(wordReason(zh, 'zh')).toEqual(wordReason(en, 'zh'));
    }
  });

  test('has a code and values that do not depend on the language', () => {
    const text = 'First report by the company itself about OpenAI, with concrete facts.';
    expect(wordReason(text, 'zh')).toEqual({
      reason: '公司首发，涉及 OpenAI，含具体事实。',
      reasonCode: 'first.company.about.concrete',
      reasonValues: { about: 'OpenAI' },
    });
  });

  test('is recognized in the Chinese wording of version 0.1.0', () => {
    const text = '首次报道，由当事公司发布，涉及 OpenAI，有具体事实，5 家独立媒体跟进。';
    expect(wordReason(text, 'en').reason).toBe(
      'First report by the company itself about OpenAI, with concrete facts, carried by 5 independent publishers.',
    );
  });

  test.each([
    'First open weights of this size that plan over many steps.',
    'A report about OpenAI, which the editors checked twice.',
    'First report',
    '首次报道模型权重。',
  ])('stays as an editor wrote it: %s', (text) => {
    expect(wordReason(text, 'zh')).toEqual({ reason: text });
    expect(wordReason(text, 'en')).toEqual({ reason: text });
  });
});
