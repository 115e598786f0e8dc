import type { Language } from '../dispatch.ts';
import type { Tone } from './event-kind.ts';

/** Sentences that fit many events. */
interface Colour {
  /** Where an unusual theme comes in. */
  readonly themes: Readonly<Record<Tone, readonly string[]>>;
  /** A reprint's credit of its source. */
  readonly credit: string;
}

const english: Colour = {
  themes: {
    announcement: [
      'One of the first users was a project in {theme}.',
      'The examples that {org} shows come from {theme}, among other fields.',
    ],
    deal: [
      'One of its older contracts is with a group working in {theme}.',
      '{org} also supplies a few projects in {theme} at a reduced price.',
    ],
    research: [
      'Part of the test data comes from {theme}.',
      'The idea was first tried on a small data set from {theme}.',
    ],
    trouble: [
      'Among the customers who spoke to reporters is one that works in {theme}.',
      'One of the smaller customers concerned runs a project in {theme}.',
    ],
    people: ['An earlier post had been with a project in {theme}.'],
    essay: [
      'The main example comes from {theme}, a field the author knows well.',
      'A short detour through {theme} shows that the point holds elsewhere too.',
    ],
  },
  credit: '{source} [first reported this|was first with the news].',
};

const chinese: Colour = {
  themes: {
    announcement: ['首批用户中有一个{theme}项目。', '{org}展示的示例中，有一部分来自{theme}领域。'],
    deal: ['公司较早的一份合同来自一个{theme}团队。', '{org}还以优惠价格服务几个{theme}项目。'],
    research: ['部分测试数据来自{theme}领域。', '这一想法最初在一个小型{theme}数据集上试验。'],
    trouble: ['接受采访的客户中，有一家从事{theme}工作。', '受影响的小客户中，有一个{theme}项目。'],
    people: ['其更早的履历中还有一个{theme}项目。'],
    essay: ['主要例子来自作者熟悉的{theme}领域。', '文中还以{theme}为例，说明同样的道理在别处也成立。'],
  },
  credit: '该消息[最早|率先]由{source}报道。',
};

export const colour: Readonly<Record<Language, Colour>> = { en: english, zh: chinese };
