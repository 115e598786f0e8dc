import type { EventKind } from '../grammar/event-kind.ts';
import { quantityOf } from '../grammar/quantity.ts';
import { benchmarks, universities } from '../grammar/subject-matter.ts';

export const benchmarkResult: EventKind = {
  name: 'benchmark',
  category: 'ai-models',
  tone: 'research',
  figureName: ['the score', '得分'],
  figure: (random) => quantityOf('score', random.between(41, 95)),
  twinBy: 'product',
  announced: true,
  leadsTo: ['price-cut', 'paper', 'partnership'],
  slots: (random) => {
    const { name, subject } = random.pick(benchmarks);
    return {
      bench: [name, name] as const,
      ...(subject === null ? {} : { task: subject.task, sector: random.pick(subject.sectors) }),
      lab: random.pick(universities),
      lead: quantityOf('points', random.between(1.1, 9)),
    };
  },
  en: {
    titles: [
      '{product} scores {figure} on {bench}, [edging past|overtaking|ahead of] {rival}',
      "{org}'s {product} [tops|climbs to the top of] {bench} with {figure}",
      'New {bench} leader: {product} reaches {figure}',
      '{product} posts {figure} on {bench} in a test of {task}',
      '{org} claims first place on {bench} as {product} hits {figure}',
      '{bench} results put {product} {lead} ahead of its nearest rival',
    ],
    leads: [
      "{org}'s {product} answered {figure} of the questions in {bench} correctly, the [highest|best] score on its public table.",
      'A fresh round of {bench} results places {product} first with {figure}, according to figures published by {org}.',
      '{product}, the model from {org}, has reached {figure} on {bench}, a test that leans heavily on {task}.',
    ],
    details: [
      'The margin over the next entry, from {rival}, is {lead}.',
      'The run used the standard settings, and {org} has released the full transcripts.',
      'Part of the gain comes from longer reasoning, which also [raises|pushes up] the cost of each answer.',
      'Critics [caution|note] that some of the questions have circulated online for months and may have reached the training data.',
      'The model did less well in {task2}, where it trails two smaller competitors.',
      'Each question was asked <three|five> times, and only the average counts.',
    ],
    early: ['Researchers at {lab} who maintain the test have yet to repeat the run.'],
    voices: [
      '“We did not train for this test, and we can show it,” said {person}, {job} at {org}.',
      '{person}, {job} at {org}, [warned|cautioned] against reading too much into one table.',
      '“A lead of {lead} is more than noise, but I would like to see a second run,” a researcher at {lab} said.',
      '{analyst} [notes|points out] that scores on {bench} have risen quickly this year without {sector} buying more.',
    ],
    background: [
      '{bench} is kept by a group at {lab} and is one of the few tests whose questions are not public.',
      '{rival} had led the table since the spring.',
      'Buyers among {sector} look at such tables when they choose a model for {task}.',
    ],
    brief: "{product}'s result on {bench}",
    followUps: [
      {
        title: '{lab} repeats the {bench} run of {product}',
        lead: 'A group at {lab} has rerun {bench} with {product} and <broadly confirms|could largely reproduce> the ranking that {org} reported.',
      },
      {
        title: 'Maintainers of {bench} tighten rules after {product} result',
        lead: 'The team behind {bench} will require sealed questions for top entries, a change prompted by the debate about {product}.',
      },
      {
        title: '{rival} disputes how {product} was tested on {bench}',
        lead: '{rival} says the settings used for {product} on {bench} are not comparable with earlier entries.',
      },
    ],
  },
  zh: {
    titles: [
      '{product} 在 {bench} 取得 {figure}，[超过|反超|领先]{rival}',
      '{org} {product} 以 {figure} [登顶|位列第一]：{bench} 榜单更新',
      '{bench} 易主：{product} 得分 {figure}',
      '{task}测试出炉，{product} 在 {bench} 拿下 {figure}',
      '{org}称 {product} 在 {bench} 上排名第一，得分 {figure}',
      '{bench} 最新结果：{product} 领先第二名 {lead}',
    ],
    leads: [
      '{org}的 {product} 在 {bench} 中答对 {figure} 的题目，为公开榜单[最高|最佳]成绩。',
      '据{org}公布的数据，{product} 以 {figure} 的得分位列 {bench} 第一。',
      '{org}旗下模型 {product} 在 {bench} 上取得 {figure}，这项评测以{task}类题目为主。',
    ],
    details: [
      '第二名来自{rival}，双方差距为 {lead}。',
      '本次测试采用标准设置，{org}已公开完整记录。',
      '部分提升来自更长的推理过程，这也[推高|增加]了单次回答的成本。',
      '有研究者[提醒|指出]，部分题目已在网上流传数月，可能进入了训练数据。',
      '不过在{task2}方面，该模型仍落后于两款规模更小的产品。',
      '每道题重复测试<三|五>次，以平均分计算成绩。',
    ],
    early: ['负责维护该评测的{lab}研究团队尚未完成复现。'],
    voices: [
      '“我们没有针对这项评测训练，而且可以证明，”{org}{job}{person}表示。',
      '{org}{job}{person}[提醒|表示]，不宜对单张榜单作过多解读。',
      '“领先 {lead}已超出误差，但我希望看到第二次测试，”{lab}的一位研究人员表示。',
      '{analyst}[指出|认为]，今年 {bench} 的分数上升很快，{sector}的采购却没有随之增加。',
    ],
    background: [
      '{bench} 由{lab}的一个团队维护，是少数不公开题目的评测之一。',
      '自春季以来，榜首一直是{rival}。',
      '{sector}在为{task}挑选模型时，常会参考这类榜单。',
    ],
    brief: '{product} 的 {bench} 成绩',
    followUps: [
      {
        title: '{lab}复现 {product} 的 {bench} 成绩',
        lead: '{lab}研究团队重新测试了 {product}，结果与{org}公布的排名<基本一致|大体相符>。',
      },
      {
        title: '{bench} 收紧规则，起因是 {product} 成绩引发讨论',
        lead: '{bench} 维护方表示，今后榜首成绩须使用封存题目验证，这一调整与 {product} 的争论有关。',
      },
      {
        title: '{rival}质疑 {product} 的 {bench} 测试方式',
        lead: '{rival}表示，{product} 在 {bench} 上使用的设置与此前成绩不可直接比较。',
      },
    ],
  },
};
