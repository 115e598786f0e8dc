import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';
import { techniques, universities } from '../grammar/subject-matter.ts';

export const researchPaper: EventKind = {
  name: 'paper',
  category: 'paper',
  tone: 'research',
  figureName: ['the reported saving', '论文给出的降幅'],
  figure: (random) => quantity(random, 'percent', 11, 72),
  twinBy: 'task',
  announced: true,
  leadsTo: ['open-weights', 'model-release', 'benchmark'],
  slots: (random) => ({
    method: random.pick(techniques),
    lab: random.pick(universities),
    size: quantity(random, 'parameters', 4e8, 7e10),
  }),
  en: {
    titles: [
      'Paper: {method} cuts the cost of {task} by {figure}',
      '{org} and {lab} [show|report] {figure} saving from {method}',
      '{Method} for {task}: a study from {lab}',
      'How {method} makes {product} cheaper to run for {task}',
      'Researchers at {lab} use {method} to trim compute for {task} by {figure}',
      '{org} researchers revisit {method} in {task}',
      'When does {method} help {task}? {lab} measures a saving of {figure}',
    ],
    leads: [
      'A paper from {org} and {lab} applies {method} to {task} and reports {figure} less computation at equal quality.',
      'Using {method}, a team at {lab} working with {org} [reduced|brought down] the cost of {task} by {figure}.',
      'In a preprint, researchers at {org} and {lab} describe how {method} lowers the compute needed for {task} by {figure}.',
    ],
    details: [
      'The experiments use models of up to {size}; the authors leave larger ones to future work.',
      'Code and training logs are public.',
      'Ablations [suggest|indicate] that most of the effect comes from the first few layers.',
      'The gain shrinks when inputs are very long, which the authors discuss openly.',
      'The method was tried on {product} and two public baselines.',
      'Reviewers praised the careful controls but asked for tests beyond {task}.',
    ],
    voices: [
      '“We were surprised how far a simple idea carries,” said {person}, {job} at {org}.',
      '“I would like to see this repeated on larger models,” a researcher who was not involved said.',
      '{analyst} [expects|predicts] that the method will reach products within a year.',
    ],
    background: [
      'Work on {method} began several years ago, mostly in academic groups, and had not been tried on {task} at this scale.',
      'Computing is the largest cost for companies that offer {task}, {org} among them.',
      '{lab} and {org} have published <three|four> papers together.',
    ],
    brief: 'the {method} paper from {org} and {lab}',
    followUps: [
      {
        title: 'Independent group reproduces {method} result for {task}',
        lead: 'Engineers unconnected with {org} have repeated the {method} experiments and find <the same trend|a slightly smaller effect>.',
      },
      {
        title: '{org} brings {method} to {product}',
        lead: 'Soon after the preprint, {org} is testing {method} in {product} with a small share of traffic.',
      },
      {
        title: 'Authors answer questions about their {method} paper',
        lead: 'In a long post, the team from {org} and {lab} explains where {method} fails and why {task} was the right test.',
      },
    ],
  },
  zh: {
    titles: [
      '论文：{method}让{task}成本下降 {figure}',
      '{org}联合{lab}：{method}可[节省|减少] {figure} 计算量',
      '{method}用于{task}：来自{lab}的研究',
      '{method}如何降低 {product} 做{task}的成本',
      '{lab}用{method}将{task}算力需求压低 {figure}',
      '{org}研究人员重新审视{method}在{task}中的作用',
      '{method}何时对{task}有效？{lab}测得降幅 {figure}',
    ],
    leads: [
      '{org}与{lab}发表论文，将{method}用于{task}，在效果相当的情况下计算量减少 {figure}。',
      '{lab}团队与{org}合作，借助{method}将{task}的成本[降低|压缩]了 {figure}。',
      '{org}与{lab}研究人员在预印本中介绍，{method}可使{task}所需算力下降 {figure}。',
    ],
    details: [
      '实验所用模型最大为 {size}，更大规模留待后续研究。',
      '代码和训练日志均已公开。',
      '消融实验[显示|表明]，效果主要来自最初几层。',
      '输入很长时收益会缩小，作者对此有专门讨论。',
      '该方法在 {product} 和两个公开基线上做了验证。',
      '审稿人肯定了对照实验，但希望看到{task}之外的测试。',
    ],
    voices: [
      '“一个简单的想法能走这么远，我们也没想到，”{org}{job}{person}表示。',
      '“我希望看到它在更大的模型上重复，”一位未参与该研究的学者表示。',
      '{analyst}[预计|认为]，这一方法一年内会进入产品。',
    ],
    background: [
      '{method}的研究始于数年前，主要在高校进行，此前没有在这一规模上用于{task}。',
      '对提供{task}服务的企业来说，算力是最大的成本，{org}也不例外。',
      '{lab}与{org}已合作发表<三|四>篇论文。',
    ],
    brief: '{org}与{lab}的{method}论文',
    followUps: [
      {
        title: '第三方团队复现{method}在{task}上的结果',
        lead: '与{org}无关的工程师重复了{method}实验，<趋势一致|效果略小于原文>。',
      },
      {
        title: '{org}将{method}引入 {product}',
        lead: '预印本发布后，{org}开始在 {product} 的少量流量中测试{method}。',
      },
      {
        title: '作者回应{method}论文的疑问',
        lead: '{org}与{lab}团队撰文说明{method}在哪些情况下失效，以及为何选择{task}作为测试场景。',
      },
    ],
  },
};
