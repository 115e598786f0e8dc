import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

const features = [
  ['a shared memory', '共享记忆'],
  ['a voice mode', '语音模式'],
  ['an offline mode', '离线模式'],
  ['scheduled tasks', '定时任务'],
  ['a team workspace', '团队空间'],
  ['a citation view', '引用视图'],
  ['parental controls', '家长控制'],
  ['a browser assistant', '浏览器助手'],
  ['a canvas for drafts', '草稿画布'],
  ['a cost dashboard', '费用看板'],
  ['an audit trail', '审计记录'],
] as const;

export const productFeature: EventKind = {
  name: 'feature',
  category: 'ai-products',
  tone: 'announcement',
  figureName: ['the number of users in the first wave', '首批覆盖用户数'],
  figure: (random) => quantity(random, 'people', 20_000, 3e7),
  twinBy: 'product',
  announced: true,
  leadsTo: ['price-cut', 'security', 'outage', 'partnership'],
  slots: (random) => ({ feature: random.pick(features) }),
  en: {
    titles: [
      '{product} [gets|gains] {feature} for {task}',
      '{org} adds {feature} to {product}',
      '{org} rolls out {feature} in {product} to {figure} users',
      'New in {product}: {feature} aimed at {sector}',
      '{org} brings {feature} to {product}, [following|chasing] {rival}',
      '{product} update brings {feature} to {figure} people',
    ],
    leads: [
      '{org} has added {feature} to {product}, and {figure} users will see the change over the next few days.',
      'An update to {product} brings {feature}; {org} says the first wave reaches {figure} users.',
      '{product} now offers {feature}. {org} is starting with {figure} users.',
    ],
    details: [
      'The update is meant above all for {task}.',
      'Users on the free plan can try it a few times a day.',
      '{rival} has been testing something similar since the spring.',
      'Administrators can [disable|restrict] it for a whole organization.',
      'Testers liked the speed but found the settings <scattered|hard to find>.',
    ],
    early: ['For {sector} it is off by default.'],
    voices: [
      '“It was the most frequent request in our mail,” said {person}, {job} at {org}.',
      '“We would rather ship it small and listen,” {person}, {job} at {org}, told reporters.',
      '“I use it every day for {task} and would miss it,” one of the first testers said.',
    ],
    background: [
      '{product} is the best-known product of {org} and is popular among {sector}.',
      '{org} has brought out an update nearly every month this year.',
      'Functions like this decide which product {sector} choose for {task}, now that the models differ little.',
    ],
    brief: 'the arrival of {feature} in {product}',
    followUps: [
      {
        title: '{org} pauses rollout of {feature} in {product}',
        lead: 'Following complaints from {sector}, {org} has halted the rollout and will ask users before switching on {feature}.',
      },
      {
        title: 'Hands on with {feature} in {product}',
        lead: 'After some time with {feature} in {product}, the verdict is <favourable|mixed>: good for {task}, less so for anything urgent.',
      },
      {
        title: '{org} opens {feature} in {product} to outside developers',
        lead: 'Developers can now build on {feature} in {product}, {org} said, with {task} as the first example.',
      },
    ],
  },
  zh: {
    titles: [
      '{product} [新增|上线]{feature}，面向{task}',
      '{org}为 {product} 加入{feature}',
      '{org}向 {figure}用户推送 {product} {feature}功能',
      '{product} 新功能：{feature}瞄准{sector}',
      '[紧随|追赶]{rival}，{org} {product} 上线{feature}',
      '{product} 更新：{feature}覆盖 {figure}用户',
    ],
    leads: [
      '{org}为 {product} 加入{feature}，未来几天将覆盖 {figure}用户。',
      '{product} 迎来更新，新增{feature}，{org}表示首批覆盖 {figure}用户。',
      '{product} 现已支持{feature}，{org}首先向 {figure}用户开放。',
    ],
    details: [
      '该功能主要面向{task}场景。',
      '免费用户每天可试用数次。',
      '{rival}的类似功能自春季起一直在测试。',
      '管理员可以为整个组织[关闭|限制]该功能。',
      '测试者认可其速度，但认为设置入口<过于分散|不易找到>。',
    ],
    early: ['对{sector}客户，该功能默认关闭。'],
    voices: [
      '“这是用户来信中提得最多的要求，”{org}{job}{person}表示。',
      '“我们宁愿先小范围上线，再听反馈，”{org}{job}{person}对记者表示。',
      '“我每天都用它做{task}，没有它会不习惯，”一位首批测试者表示。',
    ],
    background: [
      '{product} 是{org}最知名的产品，在{sector}中颇受欢迎。',
      '今年以来，{org}几乎每个月都有更新。',
      '模型之间差距缩小后，{sector}在{task}上选哪款产品，往往取决于这类功能。',
    ],
    brief: '{product} 上线{feature}',
    followUps: [
      {
        title: '{org}暂停 {product} {feature}推送',
        lead: '因{sector}提出意见，{org}暂停推送，今后启用{feature}前将征得用户同意。',
      },
      {
        title: '{product} {feature}体验：是否好用',
        lead: '试用一段时间后，{product} 的{feature}得到<正面|褒贬不一>的评价：适合{task}，紧急任务则略显吃力。',
      },
      {
        title: '{org}向开发者开放 {product} 的{feature}',
        lead: '{org}表示，外部开发者现在可以基于 {product} 的{feature}开发应用，首个示例是{task}。',
      },
    ],
  },
};
