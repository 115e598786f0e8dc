import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';
import { techniques } from '../grammar/subject-matter.ts';

const habits = [
  ['a short checklist', '一份简短清单'],
  ['three worked examples', '三个完整示例'],
  ['a fixed output format', '固定的输出格式'],
  ['a second pass that only checks facts', '一遍只核对事实的复查'],
  ['a small test set', '一个小型测试集'],
  ['a glossary of house terms', '一份内部术语表'],
  ['a cheaper model for the first draft', '便宜模型先起草的办法'],
  ['a hard limit on steps', '执行步数上限'],
  ['a saved set of prompts', '一套常用提示词'],
] as const;

export const workingTip: EventKind = {
  name: 'tip',
  category: 'tip',
  tone: 'essay',
  figureName: ['the time saved', '节省的时间'],
  figure: (random) => quantity(random, 'percent', 12, 60),
  twinBy: 'product',
  announced: true,
  leadsTo: [],
  slots: (random) => ({
    habit: random.pick(habits),
    steps: quantity(random, 'count', 3, 12),
    method: random.pick(techniques),
  }),
  en: {
    titles: [
      'How to use {product} for {task}, with {habit}',
      '{steps} ways to get more out of {product} for {task}',
      'How {habit} can make {product} better at {task}',
      'A practical guide to {task} with {product} in {steps} steps',
      'We cut {task} time by {figure} with {product} and {habit}',
      'Beginner mistakes with {product} in {task}, and how {habit} can help',
      'Setting up {product} for {task}: notes from {sector}',
      'Understanding {method} with {product}, in {steps} short exercises',
    ],
    leads: [
      'Adding {habit} makes {product} noticeably more reliable for {task}, this guide shows.',
      'The author walks through {task} with {product} step by step and explains where {habit} can help.',
      'A team that uses {product} for {task} saved {figure} of its time once it introduced {habit}.',
      'Anyone who uses {product} for {task} can start with {habit}; the rest of the setup takes <ten minutes|half an hour|an afternoon>.',
    ],
    details: [
      'The prompts and settings are listed in full, so that readers can copy them.',
      'The guide also covers what to do when the model refuses or loops.',
      'It works with the free plan, though larger jobs need a paid one.',
      'Readers who know {method} can skip the first half.',
      'A short section compares the same workflow in the service of {rival}.',
      'The most common error, [according to|says] the author, is to ask for everything in one prompt.',
    ],
    voices: [
      '“The model was never the slow part; we were,” writes the author.',
      '“Start with ten real cases and keep the ones that fail,” the author advises.',
      '“I check every tenth result by hand and nothing else,” a reader from one of the {sector} adds below the text.',
    ],
    background: [
      'The text is part of a series on {task} for people who work in {sector}.',
      'An earlier part of the series compared {product} with the service of {rival}.',
      'What it says about cost will interest teams with a small budget.',
    ],
    brief: 'a guide to {task} with {product}',
    followUps: [],
  },
  zh: {
    titles: [
      '如何用 {product} 做{task}：从{habit}开始',
      '用好 {product} 做{task}的 {steps}个方法',
      '为什么{habit}能让 {product} 更擅长{task}',
      '{product} {task}实用指南：{steps}步上手',
      '靠 {product} 和{habit}，我们把{task}时间缩短了 {figure}',
      '新手用 {product} 做{task}常犯的错，{habit}可以避免',
      '{sector}经验：为{task}配置 {product}',
      '用 {product} 理解{method}：{steps}个小练习',
    ],
    leads: [
      '这篇教程介绍，加上{habit}后，{product} 在{task}中的表现会稳定许多。',
      '作者一步步演示如何用 {product} 完成{task}，并说明{habit}在哪里最有用。',
      '一个用 {product} 处理{task}的团队，在引入{habit}之后节省了 {figure} 的时间。',
      '想用 {product} 做{task}的用户可以先从{habit}入手，其余设置只需<十分钟|半小时|一个下午>。',
    ],
    details: [
      '文中列出全部提示词和参数设置，读者可以直接复制。',
      '教程还介绍了模型拒答或陷入循环时的处理办法。',
      '免费版即可使用，任务较大时需要付费版。',
      '熟悉{method}的读者可以跳过前半部分。',
      '文末比较了在{rival}产品中完成同一流程的差别。',
      '作者[表示|认为]，最常见的错误是把所有要求塞进一个提示词。',
    ],
    voices: [
      '“慢的从来不是模型，而是我们自己，”作者写道。',
      '“先准备十个真实案例，把失败的留下来，”作者建议。',
      '“我只抽查十分之一的结果，别的都不看，”一位来自{sector}的读者在文后留言。',
    ],
    background: [
      '本文属于{task}系列，面向{sector}从业者。',
      '系列此前的一篇比较了 {product} 和{rival}的服务。',
      '文中关于成本的部分，值得预算有限的团队参考。',
    ],
    brief: '用 {product} 做{task}的教程',
    followUps: [],
  },
};
