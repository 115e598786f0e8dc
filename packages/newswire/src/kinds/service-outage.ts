import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

const causes = [
  ['a faulty configuration change', '一次错误的配置变更'],
  ['an expired certificate', '证书过期'],
  ['a failed database upgrade', '数据库升级失败'],
  ['a cooling fault', '机房冷却故障'],
  ['a surge in traffic after a promotion', '促销带来的流量激增'],
  ['a cut fibre line', '光缆被挖断'],
  ['a bug in its load balancer', '负载均衡程序缺陷'],
] as const;

export const serviceOutage: EventKind = {
  name: 'outage',
  category: 'ai-products',
  tone: 'trouble',
  figureName: ['the time without service', '中断时长'],
  figure: (random) => quantity(random, 'minutes', 18, 1100),
  twinBy: 'product',
  announced: false,
  leadsTo: ['security', 'price-cut', 'departure', 'datacentre'],
  slots: (random) => ({ cause: random.pick(causes), tickets: quantity(random, 'count', 400, 60_000) }),
  en: {
    titles: [
      '{product} [goes down|knocked out] for {figure}, hitting {sector}',
      'Outage at {org} leaves {product} users without service for {figure}',
      '{org} blames {cause} for {product} outage',
      '{product} back online after {figure}',
      'Users locked out of {product} as {org} struggles with {cause}',
      '{org} apologises after {product} fails for {figure}',
    ],
    leads: [
      '{product} was [unavailable|out of service] for {figure} on {day}, and {org} has named {cause} as the reason.',
      'Users of {product} met error messages for {figure} after {cause} took down systems at {org}.',
      'A failure at {org} cut off access to {product} for {figure}; the company traced it to {cause}.',
    ],
    details: [
      '{Sector} that use the service for {task} had to switch to manual work.',
      'The status page stayed green at first, which drew <complaints|anger>.',
      'Paying customers will receive a credit on their next bill.',
      'No data was lost, according to the company.',
      'It was the <second|third|fourth> interruption in as many months.',
      '{rival} reported a jump in sign-ups during the same hours.',
      'The support desk counted {tickets} messages before service returned.',
    ],
    voices: [
      '“We tested the change, and we tested it wrongly,” {person}, {job} at {org}, wrote on the status page.',
      '“We had people on the phone and nothing to tell them,” a manager at one of the customers said.',
      '“An outage is forgiven once; the question is how often,” an analyst at {analyst} said.',
    ],
    background: [
      '{product} runs from data centres in {place} and one other site.',
      '{Sector} have come to rely on it for {task} within a short time.',
      'Contracts promise credits when the service is away for longer than an hour a month.',
    ],
    brief: 'the {product} outage at {org}',
    followUps: [
      {
        title: '{org} publishes its account of the {product} outage',
        lead: 'In a post-mortem, {org} describes how {cause} spread through its systems and lists <five|six|seven> changes it will make.',
      },
      {
        title: '{Sector} ask {org} for compensation over {product} outage',
        lead: 'Customers hit by the failure of {product} say the credit offered by {org} does not cover their losses.',
      },
      {
        title: '{person} promises backup region for {product}',
        lead: '{person}, {job} at {org}, said {product} would run from a second site in {place} by the end of the quarter.',
      },
    ],
  },
  zh: {
    titles: [
      '{product} [宕机|中断服务] {figure}，{sector}受影响',
      '{org}服务故障，{product} 用户 {figure}无法使用',
      '{org}解释 {product} 故障：起因是{cause}',
      '{product} 在中断 {figure}后恢复',
      '{cause}致 {product} 无法登录，{org}紧急抢修',
      '{product} 故障 {figure}，{org}致歉',
    ],
    leads: [
      '{product} {day}[中断服务|无法使用] {figure}，{org}表示原因是{cause}。',
      '由于{cause}，{org}系统出现故障，{product} 用户在 {figure}内无法正常使用。',
      '{org}发生服务故障，{product} 中断 {figure}，公司已查明起因是{cause}。',
    ],
    details: [
      '将该服务用于{task}的{sector}一度只能改为人工处理。',
      '故障初期状态页面仍显示正常，引发用户<不满|质疑>。',
      '公司表示，付费客户将在下期账单中获得补偿。',
      '{org}称没有数据丢失。',
      '这已是近几个月来的第<二|三|四>次服务中断。',
      '同一时段，{rival}的注册用户明显增加。',
      '恢复之前，客服共收到 {tickets}条消息。',
    ],
    voices: [
      '“这次变更我们测试过，只是测试方法错了，”{org}{job}{person}在状态页面上写道。',
      '“客户打来电话，我们却没有任何消息可以告诉他们，”一家客户的经理表示。',
      '“一次故障可以原谅，问题是会有几次，”{analyst}的一位分析师表示。',
    ],
    background: [
      '{product} 由{place}和另一处的机房提供服务。',
      '{sector}在很短时间内就对它产生了依赖，多用于{task}。',
      '合同约定，每月中断超过一小时须给予补偿。',
    ],
    brief: '{org}的 {product} 故障',
    followUps: [
      {
        title: '{org}公布 {product} 故障报告',
        lead: '{org}在复盘报告中说明了{cause}如何波及整个系统，并列出<五|六|七>项改进措施。',
      },
      {
        title: '{sector}就 {product} 故障向{org}索赔',
        lead: '受 {product} 故障影响的客户表示，{org}给出的补偿不足以弥补损失。',
      },
      {
        title: '{person}承诺为 {product} 建立备用机房',
        lead: '{org}{job}{person}表示，本季度末前 {product} 将在{place}启用第二机房。',
      },
    ],
  },
};
