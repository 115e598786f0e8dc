import type { EventKind } from '../grammar/event-kind.ts';
import { quantity, roughly } from '../grammar/quantity.ts';

/** What a company costs for each person it employs. */
const dollarsPerPerson = [1.2e6, 5e6] as const;

export const acquisition: EventKind = {
  name: 'acquisition',
  category: 'industry',
  tone: 'deal',
  figureName: ['the purchase price', '收购价格'],
  figure: (random) => quantity(random, 'dollars', 4e7, 6e9),
  twinBy: 'rival',
  announced: true,
  leadsTo: ['departure', 'regulation', 'lawsuit', 'feature'],
  slots: (random, _, figure) => ({
    staff: roughly('people', figure.value / random.between(...dollarsPerPerson)),
  }),
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
      '{person}, {job} at {org}, will run the combined {task} business.',
      '{rival} had looked for a buyer since a funding round fell through in the summer.',
      'A break-up fee is due if either side walks away.',
    ],
    voices: [
      '“We kept losing bids to them, so we called,” {person}, {job} at {org}, told reporters.',
      '“Nobody here had planned to sell this year,” a manager at {rival} said.',
      '{analyst} called the price <steep|full> but the logic sound.',
      '“{Sector} want one supplier for {task}, not three,” an analyst at {analyst} said.',
    ],
    background: [
      '{rival} sells software for {task} and employs about {staff} people.',
      'It is the <second|third> purchase by {org} within a year.',
      'Both companies sell to {sector}, where they had competed until now.',
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
    rumour: {
      confirmation: {
        title: '{org} confirmed as buyer of {rival}',
        lead: 'The buyer that {rival} had been talking to is {org}, both companies have confirmed.',
      },
      tellings: [
        {
          title: '{rival} said to be in talks about a sale for {figure}',
          lead: '{rival} is negotiating its sale to a larger competitor for {figure}, according to three people with knowledge of the talks.',
        },
        {
          title: 'A buyer has been found for {rival}, people familiar say',
          lead: 'After months of searching, {rival} has found a buyer in its own industry that is ready to pay {figure}, people familiar with the matter say.',
        },
      ],
    },
  },
  zh: {
    titles: [
      '{org}拟以 {figure}[收购|买下]{rival}',
      '{org}[同意|宣布]收购{rival}，加快布局{task}',
      '{figure}交易：{rival}并入{org}',
      '{org}拿下{rival}，{staff}名员工将加入',
      '{rival}作价 {figure}卖给{org}',
      '押注{task}，{org}斥资 {figure}收购{rival}',
    ],
    leads: [
      '{org}与{rival}[发布|发表]联合声明，前者将以现金加股票方式收购后者，交易金额 {figure}。',
      '{rival}将以 {figure}的价格并入{org}。',
      '{org}将斥资 {figure}收购{rival}，以加强{task}业务，这是其[迄今最大的|历史上规模最大的]一笔收购。',
    ],
    details: [
      '约 {staff}名员工将随之加入，原品牌至少保留两年。',
      '交易尚需{authority}批准，预计两个季度内完成。',
      '公司已告知{sector}客户，现有合同继续有效。',
      '{org}{job}{person}将负责合并后的{task}业务。',
      '自夏季一轮融资告吹后，{rival}一直在寻找买家。',
      '任何一方退出交易，都须支付分手费。',
    ],
    voices: [
      '“我们竞标总输给他们，于是打了电话，”{org}{job}{person}对记者表示。',
      '“今年本来没有人打算卖公司，”{rival}的一位经理表示。',
      '{analyst}认为，价格<偏高|不低>，但战略逻辑成立。',
      '“{sector}想要一家{task}供应商，而不是三家，”{analyst}的一位分析师表示。',
    ],
    background: [
      '{rival}主要销售{task}软件，约有 {staff}名员工。',
      '这是{org}一年内的第<二|三>笔收购。',
      '两家公司的客户都以{sector}为主，此前一直是竞争对手。',
    ],
    brief: '{org}收购{rival}',
    followUps: [
      {
        title: '{authority}审查{org}收购{rival}一案',
        lead: '{authority}将审查{org}收购{rival}是否损害{task}市场的竞争。',
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
    rumour: {
      confirmation: {
        title: '{rival}买家确认为{org}',
        lead: '{rival}与{org}双双证实，此前与{rival}洽谈的买家正是{org}。',
      },
      tellings: [
        {
          title: '消息称{rival}正洽谈以 {figure}出售',
          lead: '三名知情人士透露，{rival}正与一家规模更大的同行洽谈出售，价格为 {figure}。',
        },
        {
          title: '知情人士称{rival}已找到买家',
          lead: '知情人士表示，{rival}寻找数月后，在业内找到一家愿意出价 {figure}的买家。',
        },
      ],
    },
  },
};
