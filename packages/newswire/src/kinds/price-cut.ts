import type { EventKind } from '../grammar/event-kind.ts';
import { quantity, quantityOf } from '../grammar/quantity.ts';

export const priceCut: EventKind = {
  name: 'price-cut',
  category: 'ai-products',
  tone: 'announcement',
  figureName: ['the size of the cut', '降价幅度'],
  figure: (random) => quantityOf('percent', random.pick([10, 15, 20, 25, 30, 33, 35, 40, 45, 50, 60, 70])),
  twinBy: 'product',
  announced: true,
  leadsTo: ['partnership', 'funding', 'outage'],
  slots: (random) => ({ users: quantity(random, 'people', 4000, 600_000) }),
  en: {
    titles: [
      '{org} cuts price of {product} by {figure}',
      '{product} gets {figure} cheaper as {rival} <gains ground|closes in>',
      'Price war: {org} slashes {product} rates by {figure}',
      '{org} lowers {product} prices for {task} by {figure}',
      '{org} undercuts {rival} with {figure} discount on {product}',
      '{Sector} to pay {figure} less for {product}',
    ],
    leads: [
      '{org} is [cutting|lowering] what it charges for {product} by {figure}, effective immediately.',
      'Using {product} becomes {figure} cheaper: {org} [announced|published] a new price list on {day}.',
      'The price of {product} falls by {figure}, {org} told customers by mail.',
    ],
    details: [
      'Jobs that can wait until the night cost half of that again.',
      'The company cites better use of its machines in {place}.',
      'About {users} developers are on the affected plans.',
      'Customers with annual contracts get the difference as a credit.',
      'The free plan stays as it is.',
    ],
    early: ['{rival} has not [responded|followed] so far.'],
    voices: [
      '“We serve the same request with half the machines we needed in spring,” {person}, {job} at {org}, told reporters.',
      '“For {task} the price was the last reason to wait,” the head of technology at a customer said.',
      '{analyst} expects margins to suffer for at least two quarters.',
    ],
    background: [
      'It is the <second|third> time this year that {org} has lowered prices.',
      '{rival} had undercut {product} by a wide margin since the spring.',
      '{Sector} that run {task} around the clock pay most for such services.',
    ],
    brief: "{org}'s price cut for {product}",
    followUps: [
      {
        title: '{rival} follows {org} with cheaper rates',
        lead: '{rival} has lowered its own prices, shortly after {org} made {product} cheaper.',
      },
      {
        title: 'Small providers feel the squeeze from cheaper {product}',
        lead: 'Resellers who build on {product} say the new prices of {org} leave them little room.',
      },
      {
        title: 'How {org} can afford a cheaper {product}',
        lead: 'Engineers at {org} describe the changes in serving that made the new {product} prices possible.',
      },
    ],
  },
  zh: {
    titles: [
      '{org}下调 {product} 价格，降幅 {figure}',
      '{rival}<步步紧逼|追赶加快>，{product} 降价 {figure}',
      '价格战升级：{org} {product} 直降 {figure}',
      '{org}下调 {product} {task}价格，降幅 {figure}',
      '{org}以 {figure} 降幅应对{rival}，{product} 全线调价',
      '{sector}受益：{product} 费用下降 {figure}',
    ],
    leads: [
      '{org}宣布 {product} 即日起[降价|下调价格] {figure}。',
      '{org}{day}[公布|发布]新价目表，{product} 使用费用下降 {figure}。',
      '{org}通过邮件告知客户，{product} 价格下调 {figure}。',
    ],
    details: [
      '可以等到夜间处理的任务在此基础上再减半。',
      '公司称，这得益于{place}机房利用率提升。',
      '约 {users}名开发者的套餐将受影响。',
      '已签年度合同的客户，差价将以代金券形式返还。',
      '免费套餐维持不变。',
    ],
    early: ['{rival}目前没有[回应|跟进]。'],
    voices: [
      '“处理同样的请求，我们现在只需要春天时一半的机器，”{org}{job}{person}对记者表示。',
      '“对{task}来说，价格是我们观望的最后一个理由，”一家客户的技术负责人表示。',
      '{analyst}预计，至少两个季度内利润率会受到影响。',
    ],
    background: [
      '这是{org}今年第<二|三>次降价。',
      '自春季以来，{rival}的价格一直远低于 {product}。',
      '全天候运行{task}的{sector}，在这类服务上花费最多。',
    ],
    brief: '{org} {product} 降价',
    followUps: [
      {
        title: '{rival}跟进{org}，下调服务价格',
        lead: '{org}下调 {product} 价格后不久，{rival}也宣布降价。',
      },
      {
        title: '{product} 降价，中小服务商感受压力',
        lead: '基于 {product} 的转售商表示，{org}的新价格让他们利润所剩无几。',
      },
      {
        title: '{product} 为什么能降价：{org}工程师详解',
        lead: '{org}工程师介绍了让 {product} 新价格成为可能的推理服务改造。',
      },
    ],
  },
};
