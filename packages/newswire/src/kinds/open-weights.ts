import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';
import { modelSize } from './model-size.ts';

const licences = [
  ['a permissive licence', '宽松许可证'],
  ['a licence that bars military use', '禁止军事用途的许可证'],
  ['a research-only licence', '仅限研究的许可证'],
  ['a licence free for small firms', '对中小企业免费的许可证'],
] as const;

export const openWeights: EventKind = {
  name: 'open-weights',
  category: 'ai-models',
  tone: 'announcement',
  figureName: ['the size of the model', '模型规模'],
  figure: (random, cast) =>
    modelSize(random, cast, { small: [1e9, 1.4e10], usual: [7e9, 1.2e11], large: [7e10, 6e11] }),
  twinBy: 'product',
  announced: true,
  leadsTo: ['benchmark', 'security', 'partnership', 'paper'],
  slots: (random) => ({
    licence: random.pick(licences),
    fetches: quantity(random, 'count', 12_000, 600_000),
  }),
  en: {
    titles: [
      '{org} [opens|releases] the weights of {product}, with {figure}',
      '{product} weights now free to download under {licence}',
      '{org} puts {product} in the open, weights and all',
      'Open weights: {org} hands {product} to developers working on {task}',
      '{org} gives away {product} under {licence}',
      'Anyone can now run {product}: {org} publishes its model for {task}',
    ],
    leads: [
      '{org} has published the weights of {product}, a model with {figure}, under {licence}.',
      'The weights of {product} can be downloaded from today; {org} gives its size as {figure} and uses {licence}.',
      'Developers may now run {product} on their own machines: {org} released the model, which has {figure}, under {licence}.',
    ],
    details: [
      'A compressed version needs half of the memory at a small loss in quality.',
      'On the first day the files were fetched {fetches} times.',
      'The training code [is included|is published too], the data is not.',
      'For {task} the company [claims|reports] results close to its paid models.',
      '{Sector} with strict rules on data have waited for a model they can host themselves.',
      '{rival} still keeps its best models behind a paid interface.',
    ],
    voices: [
      '“What people build with it will tell us more than our own tests,” said {person}, {job} at {org}.',
      '“I care less about the score than about the licence,” a maintainer of a popular toolkit said.',
      '{analyst} [expects|predicts] that {rival} will lose customers who want to run {task} themselves.',
    ],
    background: [
      '{org} had released only smaller models in this way before.',
      'Models that can be run at home or in a company’s own data centre have become popular among {sector}.',
      'Under {licence}, companies need to read the terms before they use such a model for {task}.',
    ],
    brief: "{org}'s open release of {product}",
    followUps: [
      {
        title: 'Community squeezes {product} onto cheaper hardware',
        lead: 'Volunteers have shrunk {product} to a quarter of its memory, not long after {org} published the weights.',
      },
      {
        title: 'Lawyers pick apart the licence of {product}',
        lead: 'Open-source advocates argue that {licence}, as used by {org} for {product}, leaves companies in doubt.',
      },
      {
        title: '{Sector} begin to host {product} themselves',
        lead: 'The first {sector} have moved {task} to their own copies of {product}.',
      },
    ],
  },
  zh: {
    titles: [
      '{org}[开放|公开] {product} 权重，规模 {figure}',
      '{product} 权重开放下载，采用{licence}',
      '{org}宣布开源 {product}，权重一并公开',
      '开源新选择：{org}向{task}开发者开放 {product}',
      '{org}免费开放 {product}，采用{licence}',
      '{product} 可本地部署，{org}公开其{task}模型',
    ],
    leads: [
      '{org}公开了 {product} 的权重，该模型规模为 {figure}，采用{licence}。',
      '{product} 权重即日起可下载，{org}介绍其规模为 {figure}，使用{licence}。',
      '开发者现在可以在自己的设备上运行 {product}：{org}以{licence}开源了这款 {figure}的模型。',
    ],
    details: [
      '压缩版本只需一半显存，质量略有损失。',
      '上线首日，文件被下载 {fetches}次。',
      '训练代码[一并公开|随之开放]，数据则未公开。',
      '公司[称|表示]其{task}效果接近自家付费模型。',
      '对数据要求严格的{sector}一直期待可以自行部署的模型。',
      '{rival}最好的模型目前仍只通过付费接口提供。',
    ],
    voices: [
      '“大家用它做出什么，比我们自己的测试更能说明问题，”{org}{job}{person}表示。',
      '“比起分数，我更在意许可证，”一个热门工具库的维护者表示。',
      '{analyst}[预计|认为]，想自行部署{task}的客户会从{rival}流失。',
    ],
    background: [
      '此前{org}以这种方式公开的只有规模更小的模型。',
      '可以在本地或自有机房运行的模型，在{sector}中越来越受欢迎。',
      '在{licence}下，企业将这类模型用于{task}前需要先看清条款。',
    ],
    brief: '{org}开源 {product}',
    followUps: [
      {
        title: '社区让 {product} 跑上更便宜的硬件',
        lead: '{org}公开权重后不久，志愿者已把 {product} 的显存占用压缩到四分之一。',
      },
      {
        title: '{product} 许可证引发讨论',
        lead: '开源倡导者认为，{org}为 {product} 采用的{licence}让企业难以判断风险。',
      },
      {
        title: '{sector}开始自行部署 {product}',
        lead: '首批{sector}已把{task}迁移到自建的 {product} 上。',
      },
    ],
  },
};
