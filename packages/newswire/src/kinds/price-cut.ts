import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

export const priceCut: EventKind = {
  name: 'price-cut',
  category: 'ai-products',
  tone: 'announcement',
  figureName: ['the size of the cut', '降价幅度'],
  figure: ['percent', 12, 85],
  twinBy: 'product',
  announced: true,
  leadsTo: ['partnership', 'funding', 'outage'],
  slots: (random) => ({ users: quantity(random, 'people', 40_000, 9_000_000).text }),
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
      'Batch jobs cost half of that again.',
      'The company cites better use of its machines in {place}.',
      'About {users} developers are on the affected plans.',
      '{analyst} expects margins to suffer for at least two quarters.',
      'Prices for {task} stay as they are until the new year.',
    ],
    early: ['{rival} has not [responded|followed] so far.'],
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
      '{org}宣布{task}用户使用 {product} 便宜 {figure}',
      '{org}以 {figure} 降幅应对{rival}，{product} 全线调价',
      '{sector}受益：{product} 费用下降 {figure}',
    ],
    leads: [
      '{org}宣布 {product} 即日起降价 {figure}。',
      '{org}{day}公布新价目表，{product} 使用费用下降 {figure}。',
      '{org}通过邮件告知客户，{product} 价格下调 {figure}。',
    ],
    details: [
      '批量任务在此基础上再减半。',
      '公司称，这得益于{place}机房利用率提升。',
      '约 {users}名开发者的套餐将受影响。',
      '{analyst}预计，至少两个季度内利润率会受到影响。',
      '{task}相关价格在年底前维持不变。',
    ],
    early: ['{rival}目前没有[回应|跟进]。'],
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
