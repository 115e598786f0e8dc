import type { EventKind } from '../grammar/event-kind.ts';

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
  figureName: ['the number of users who get it', '覆盖用户数'],
  figure: ['people', 20_000, 9e7],
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
      'Users on the free plan get a limited number of runs a day.',
      'A similar function at {rival} has been in testing since the spring.',
      'Administrators can [disable|restrict] the function for a whole organization.',
      'Testers liked the speed but found the settings <scattered|hard to find>.',
    ],
    early: ['The function is off by default for {sector}.'],
    brief: 'the arrival of {feature} in {product}',
    followUps: [
      {
        title: '{org} pauses rollout of {feature} in {product}',
        lead: 'Following complaints from {sector}, {org} has halted the rollout and will ask users before switching the function on.',
      },
      {
        title: 'Hands on with {feature} in {product}',
        lead: 'After some time with {feature} in {product}, the verdict is <favourable|mixed>: good for {task}, less so for anything urgent.',
      },
      {
        title: '{org} opens {feature} in {product} to outside developers',
        lead: 'Developers can now build on the new function in {product}, {org} said, with {task} as the first example.',
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
      '免费用户每天可使用的次数有限。',
      '{rival}的类似功能自春季起一直在测试。',
      '管理员可以为整个组织[关闭|限制]该功能。',
      '测试者认可其速度，但认为设置入口<过于分散|不易找到>。',
    ],
    early: ['对{sector}客户，该功能默认关闭。'],
    brief: '{product} 上线{feature}',
    followUps: [
      {
        title: '{org}暂停 {product} {feature}推送',
        lead: '因{sector}提出意见，{org}暂停推送，今后将在启用前征得用户同意。',
      },
      {
        title: '{product} {feature}体验：是否好用',
        lead: '试用一段时间后，{product} 的{feature}得到<正面|褒贬不一>的评价：适合{task}，紧急任务则略显吃力。',
      },
      {
        title: '{org}向开发者开放 {product} 的{feature}',
        lead: '{org}表示，外部开发者现在可以基于 {product} 的新功能开发应用，首个示例是{task}。',
      },
    ],
  },
};
