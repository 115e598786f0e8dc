import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

export const acquisition: EventKind = {
  name: 'acquisition',
  category: 'industry',
  tone: 'deal',
  figureName: ['the purchase price', '收购价格'],
  figure: ['dollars', 4e7, 2e10],
  twinBy: 'rival',
  announced: true,
  leadsTo: ['departure', 'regulation', 'lawsuit', 'feature'],
  slots: (random) => ({ staff: quantity(random, 'people', 25, 1900).text }),
  en: {
    titles: [
      '{org} to [buy|acquire] {rival} for {figure}',
      '{org} [agrees|strikes a deal] to buy {rival} in push into {task}',
      '{figure} deal: {org} takes over {rival}',
      '{org} snaps up {rival}, gaining {staff} staff and a foothold among {sector}',
      '{rival} sells itself to {org} for {figure}',
      '{org} bets {figure} on {task} with purchase of {rival}',
    ],
    leads: [
      '{org} has agreed to buy {rival} for {figure} in cash and shares, the two companies [said|announced] in a joint statement.',
      '{rival} will become part of {org} under a deal worth {figure}.',
      '{org} is paying {figure} for {rival}, [its largest purchase so far|the biggest deal in its history], to strengthen its work on {task}.',
    ],
    details: [
      'About {staff} employees move over; the brand is to stay for at least two years.',
      'The deal needs the consent of {authority} and is expected to close within two quarters.',
      'Customers among {sector} were told that existing contracts remain valid.',
      '{person}, {job} of {org}, will run the combined {task} business.',
      '{analyst} called the price <steep|full> but the logic sound.',
      '{rival} had looked for a buyer since a funding round fell through in the summer.',
    ],
    brief: "{org}'s purchase of {rival}",
    followUps: [
      {
        title: '{authority} opens review of {org} and {rival} deal',
        lead: '{Authority} will examine whether the purchase of {rival} by {org} harms competition in {task}.',
      },
      {
        title: 'Inside {rival}: staff learn what {org} has planned',
        lead: 'At a meeting in {place}, employees of {rival} were told which teams will join {org} and which will be wound down.',
      },
      {
        title: 'Customers of {rival} weigh their options after {org} deal',
        lead: 'Several {sector} that rely on {rival} are asking for guarantees now that {org} is taking over.',
      },
    ],
  },
  zh: {
    titles: [
      '{org}拟以 {figure}收购{rival}',
      '{org}[同意|宣布]收购{rival}，加快布局{task}',
      '{figure}交易：{rival}并入{org}',
      '{org}拿下{rival}，{staff}名员工将加入',
      '{rival}作价 {figure}卖给{org}',
      '押注{task}，{org}斥资 {figure}收购{rival}',
    ],
    leads: [
      '{org}与{rival}发布联合声明，前者将以现金加股票方式收购后者，交易金额 {figure}。',
      '{rival}将以 {figure}的价格并入{org}。',
      '{org}将斥资 {figure}收购{rival}，以加强{task}业务，这是其[迄今最大|历史上规模最大的]一笔收购。',
    ],
    details: [
      '约 {staff}名员工将随之加入，原品牌至少保留两年。',
      '交易尚需{authority}批准，预计两个季度内完成。',
      '公司已告知{sector}客户，现有合同继续有效。',
      '{org}{job}{person}将负责合并后的{task}业务。',
      '{analyst}认为，<价格偏高|价格不低>，但战略逻辑成立。',
      '自夏季一轮融资告吹后，{rival}一直在寻找买家。',
    ],
    brief: '{org}收购{rival}',
    followUps: [
      {
        title: '{authority}审查{org}收购{rival}一案',
        lead: '{authority}将审查这笔收购是否损害{task}市场的竞争。',
      },
      {
        title: '{org}收购之后，{rival}员工去向初定',
        lead: '{rival}员工在{place}的会议上获悉，哪些团队将并入{org}，哪些将逐步关停。',
      },
      {
        title: '{rival}客户观望{org}收购进展',
        lead: '在{org}宣布收购后，依赖{rival}产品的多家{sector}要求对方给出服务保证。',
      },
    ],
  },
};
