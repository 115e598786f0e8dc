import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

export const partnership: EventKind = {
  name: 'partnership',
  category: 'industry',
  tone: 'deal',
  figureName: ['the value of the contract', '合同金额'],
  figure: ['dollars', 3e6, 5e9],
  twinBy: 'organization',
  announced: true,
  leadsTo: ['feature', 'datacentre', 'regulation', 'acquisition'],
  slots: (random) => ({
    sites: quantity(random, 'people', 12, 640).text,
    years: random.pick([
      ['three', '三'],
      ['four', '四'],
      ['five', '五'],
      ['seven', '七'],
    ] as const),
  }),
  en: {
    titles: [
      '{org} and {rival} [team up|join forces] on {task}',
      '{org} signs {figure} deal to bring {product} to {sector}',
      '{rival} picks {product} for {task} in {years}-year contract',
      '{Sector} in {place} to use {product} under {figure} contract',
      '{org} and {rival} agree {figure} alliance for {sector}',
      '{product} to power {task} at {rival}',
    ],
    leads: [
      '{org} and {rival} have signed a {years}-year agreement worth {figure} that [centres on|covers] {task}.',
      'Under a contract worth {figure}, {org} will supply {product} to {rival} and its customers among {sector}.',
      '{rival} will build {product} into its services for {sector}; the agreement with {org} is valued at {figure}.',
    ],
    details: [
      'Data stays with the customer, both sides [stress|say].',
      'Each company keeps the right to work with others.',
      'The two had competed for {sector} until last year.',
      'A joint team in {place} will adapt the model to local needs.',
      '{analyst} sees the agreement as a <defensive|sensible> step for both.',
    ],
    early: ['A pilot starts at {sites} sites in {place}.'],
    brief: 'the alliance of {org} and {rival}',
    followUps: [
      {
        title: 'First sites go live under {org} and {rival} pact',
        lead: 'The pilot agreed by {org} and {rival} has begun at {sites} sites, somewhat <earlier|later> than planned.',
      },
      {
        title: 'Unions question {org} contract with {rival}',
        lead: 'Employee representatives at {sector} want to know what the agreement between {org} and {rival} means for jobs in {task}.',
      },
      {
        title: '{person} on why {org} chose {rival}',
        lead: 'In an interview, {person}, {job} at {org}, says the agreement with {rival} came together in under three months.',
      },
    ],
  },
  zh: {
    titles: [
      '{org}与{rival}[达成合作|携手]，聚焦{task}',
      '{org}签下 {figure}合同，{product} 将进入{sector}',
      '{rival}选用 {product} 处理{task}，合同为期{years}年',
      '{place}多家{sector}将使用 {product}，合同金额 {figure}',
      '{org}与{rival}结盟，{figure}合作面向{sector}',
      '{rival}{task}业务将接入 {product}',
    ],
    leads: [
      '{org}与{rival}签署为期{years}年的协议，金额 {figure}，[重点|主要内容]是{task}。',
      '根据一份价值 {figure}的合同，{org}将向{rival}及其{sector}客户提供 {product}。',
      '{rival}将把 {product} 接入面向{sector}的服务，与{org}的协议金额为 {figure}。',
    ],
    details: [
      '双方[强调|表示]，数据由客户自行保管。',
      '两家公司均可继续与其他企业合作。',
      '直到去年，双方还在争夺{sector}市场。',
      '联合团队将常驻{place}，按当地需求调整模型。',
      '{analyst}认为，这对双方都是<防守型|稳妥的>选择。',
    ],
    early: ['试点将在{place}的 {sites}个站点启动。'],
    brief: '{org}与{rival}的合作',
    followUps: [
      {
        title: '{org}与{rival}合作首批站点上线',
        lead: '{org}与{rival}约定的试点已在 {sites}个站点启动，时间略<早|晚>于计划。',
      },
      {
        title: '工会质疑{org}与{rival}的合同',
        lead: '{sector}员工代表要求说明，{org}与{rival}的协议会对{task}岗位带来哪些影响。',
      },
      {
        title: '{person}谈{org}为何选择{rival}',
        lead: '{org}{job}{person}在采访中表示，与{rival}的协议不到三个月就谈成。',
      },
    ],
  },
};
