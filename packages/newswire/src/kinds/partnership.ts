import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

export const partnership: EventKind = {
  name: 'partnership',
  category: 'industry',
  tone: 'deal',
  figureName: ['the value of the contract', '合同金额'],
  figure: (random) => quantity(random, 'dollars', 4e6, 8e8),
  twinBy: 'organization',
  announced: true,
  leadsTo: ['feature', 'datacentre', 'regulation', 'acquisition'],
  slots: (random) => ({
    sites: quantity(random, 'count', 5, 60),
    years: random.pick([
      ['three', '三'],
      ['four', '四'],
      ['five', '五'],
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
      'A joint team in {place} will adapt the model to local needs.',
      'Either side may leave after two years.',
      'The contract replaces an agreement between {rival} and another supplier.',
    ],
    early: ['A pilot starts at {sites} sites in {place}.'],
    voices: [
      '“We tried three suppliers, and this was the one our staff kept using,” a manager at {rival} said.',
      '“{Sector} do not buy a model, they buy somebody who answers the phone,” said {person}, {job} at {org}.',
      '{analyst} sees the agreement as a <defensive|sensible> step for both.',
    ],
    background: [
      'The two had competed for {sector} until last year.',
      '{rival} gave up work on a model of its own for {task} in the spring.',
      'Contracts of this kind usually begin small and grow with use.',
    ],
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
    rumour: {
      confirmation: {
        title: '{org} is the supplier behind the {rival} contract',
        lead: 'The supplier that {rival} had been negotiating with over {task} is {org}, both sides confirm.',
      },
      tellings: [
        {
          title: '{rival} said to be close to {figure} contract for {task}',
          lead: '{rival} is about to sign a contract worth {figure} with a supplier of {task} software, according to people familiar with the plans.',
        },
        {
          title: '{rival} looks for help with {task} and is ready to pay {figure}',
          lead: 'For {task}, {rival} wants to rely on another company from now on; the contract is to be worth {figure}, two people involved say.',
        },
      ],
    },
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
      '联合团队将常驻{place}，按当地需求调整模型。',
      '两年后，任何一方均可退出。',
      '新合同取代了{rival}与另一家供应商的协议。',
    ],
    early: ['试点将在{place}的 {sites}个站点启动。'],
    voices: [
      '“我们试过三家供应商，员工一直在用的是这一家，”{rival}的一位经理表示。',
      '“{sector}买的不是模型，而是有人接电话，”{org}{job}{person}表示。',
      '{analyst}认为，这对双方都是<防守型|稳妥的>选择。',
    ],
    background: [
      '直到去年，双方还在争夺{sector}市场。',
      '{rival}今年春天放弃了自研{task}模型。',
      '这类合同通常从小规模起步，随使用量扩大。',
    ],
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
    rumour: {
      confirmation: {
        title: '{rival}合同的供应商确认为{org}',
        lead: '双方证实，此前与{rival}就{task}谈判的供应商是{org}。',
      },
      tellings: [
        {
          title: '消息称{rival}将签下 {figure}的{task}合同',
          lead: '知情人士透露，{rival}即将与一家{task}软件供应商签署价值 {figure}的合同。',
        },
        {
          title: '{rival}为{task}寻找外援，愿付 {figure}',
          lead: '两名参与者表示，{rival}今后将在{task}上依靠另一家公司，合同金额为 {figure}。',
        },
      ],
    },
  },
};
