import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

const theses = [
  ['speed is the wrong goal', '速度不该是目标'],
  ['trust is earned in small print', '信任来自细则'],
  ['the demo is not the product', '演示不等于产品'],
  ['smaller models will win', '小模型会赢'],
  ['buyers should ask harder questions', '买方该问更难的问题'],
  ['nobody reads the logs', '没人看日志'],
  ['the cost is hidden in review', '成本藏在复核里'],
  ['openness is a habit and not a licence', '开放是习惯而非许可证'],
  ['people remain the bottleneck', '瓶颈仍然是人'],
  ['benchmarks reward the wrong work', '评测奖励了错误的努力'],
] as const;

export const opinionPiece: EventKind = {
  name: 'opinion',
  category: 'opinion',
  tone: 'essay',
  figureName: ['the share in the survey', '调查比例'],
  figure: (random) => quantity(random, 'percent', 21, 89),
  twinBy: 'product',
  announced: false,
  leadsTo: [],
  slots: (random) => ({
    thesis: random.pick(theses),
    asked: quantity(random, 'people', 180, 4000),
  }),
  en: {
    titles: [
      'What {product} teaches us about {task}: {thesis}',
      '{Thesis}: lessons from {org} and {sector}',
      'Opinion: after {product}, {thesis}',
      'The trouble with {task} is not {product}: {thesis}',
      '{Sector} do not need {product}, they need patience',
      'In {task}, {thesis}, and {org} should know it',
      'Between {org} and {rival}: why {thesis}',
      'Column: what {sector} get wrong about {product}',
    ],
    leads: [
      'In the race over {task}, {thesis}, argues this column, which takes {product} as its example.',
      'The success of {product} hides a simple point, the author writes: {thesis}.',
      'Looking back on a year of {product} among {sector}, the writer concludes that {thesis}.',
    ],
    details: [
      'In a survey of {asked} people who work in {task}, {figure} said their day had not become shorter.',
      '{org} is praised for its candour, {rival} less so.',
      'The piece is at its strongest where it [describes|follows] a single team in {place} over several months.',
      'Not everyone will agree: the counter-argument, that tools improve faster than habits, gets only a paragraph.',
      'What is missing, says the author, is a plain account of who checks the output.',
    ],
    voices: [
      '“We bought a tool and kept the old process,” the author quotes a manager in {place}.',
      '“Ask who is responsible when it is wrong, and wait for the answer,” the author advises buyers.',
      '“I changed my mind on this twice,” the author admits.',
    ],
    background: [
      'The author has worked with {sector} for many years.',
      '{product} is used by {sector} for {task}, and opinions about it differ widely.',
      'It is the first column in a series on how such products change everyday work.',
    ],
    brief: 'a column on {product} and {task}',
    followUps: [],
  },
  zh: {
    titles: [
      '{product} 给{task}的启示：{thesis}',
      '{thesis}：{org}与{sector}的教训',
      '观点：{product} 之后，{thesis}',
      '{task}的问题不在 {product}：{thesis}',
      '{sector}需要的不是 {product}，而是耐心',
      '谈{task}：{thesis}，{org}应当明白',
      '在{org}与{rival}之间：为什么说{thesis}',
      '专栏：{sector}对 {product} 的误解',
    ],
    leads: [
      '这篇专栏以 {product} 为例指出，在{task}的竞赛中，{thesis}。',
      '作者写道，{product} 的成功掩盖了一个简单的道理：{thesis}。',
      '回顾{sector}使用 {product} 的一年，作者得出结论：{thesis}。',
    ],
    details: [
      '一项针对 {asked}名{task}从业者的调查显示，{figure} 的人认为工作时间并未缩短。',
      '文章肯定了{org}的坦诚，对{rival}则评价不高。',
      '最有说服力的部分，是对{place}一个团队数月的[记录|跟踪]。',
      '也有不同看法：工具的进步快于习惯的改变，但文中只用一段带过。',
      '作者认为，目前缺少的是对“谁来核对结果”的清楚交代。',
    ],
    voices: [
      '“我们买了工具，却留着旧流程，”作者引用{place}一位经理的话。',
      '“先问清楚出错时谁负责，再等对方回答，”作者建议买方。',
      '“在这件事上，我改过两次主意，”作者承认。',
    ],
    background: [
      '作者长期与{sector}打交道。',
      '{product} 被{sector}用于{task}，外界对它的看法不一。',
      '这是该系列的第一篇专栏，讨论这类产品如何改变日常工作。',
    ],
    brief: '关于 {product} 与{task}的专栏',
    followUps: [],
  },
};
