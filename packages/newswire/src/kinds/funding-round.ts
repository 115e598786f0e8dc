import type { Pair } from '../dispatch.ts';
import type { EventKind } from '../grammar/event-kind.ts';
import { inProportion, quantity, roughly } from '../grammar/quantity.ts';
import { investors } from '../grammar/subject-matter.ts';

/** What a round of that size is called, and how many people such a company employs. */
const rounds: readonly (readonly [below: number, name: Pair, staff: readonly [number, number]])[] = [
  [1e7, ['seed', '种子轮'], [8, 30]],
  [4e7, ['Series A', 'A 轮'], [25, 90]],
  [1.3e8, ['Series B', 'B 轮'], [80, 260]],
  [3.5e8, ['Series C', 'C 轮'], [200, 700]],
  [9e8, ['Series D', 'D 轮'], [500, 1600]],
  [Infinity, ['growth', '成长轮'], [1200, 4200]],
];

export const fundingRound: EventKind = {
  name: 'funding',
  category: 'industry',
  tone: 'deal',
  figureName: ['the size of the round', '融资金额'],
  figure: (random) => quantity(random, 'dollars', 3e6, 3e9),
  twinBy: 'organization',
  announced: true,
  leadsTo: ['departure', 'acquisition', 'datacentre', 'model-release'],
  slots: (random, _, figure) => {
    const [, round, staff] = rounds.find(([below]) => figure.value < below) ?? [
      0,
      ['new', '新一轮'],
      [9, 90],
    ];
    return {
      round,
      investor: random.pick(investors),
      valuation: inProportion(random, 'dollars', figure, [4, 9]),
      team: roughly('people', random.between(...staff)),
    };
  },
  en: {
    titles: [
      '{org} raises {figure} in {round} round led by {investor}',
      '{investor} leads {figure} bet on {org}',
      '{org} [closes|lands|secures] {figure} to expand {task} business',
      'Fresh money for {org}: {figure} at a valuation of {valuation}',
      '{org}, maker of {product}, [picks up|collects] {figure} in new funding',
      '{org} valued at {valuation} after {figure} {round} round',
    ],
    leads: [
      '{org} has raised {figure} in a {round} round led by {investor}, the company [said|announced] on {day}.',
      '{investor} is leading an investment of {figure} in {org}, the developer of {product}.',
      'Investors have put {figure} into {org}, [valuing|which values] the company at {valuation}.',
    ],
    details: [
      'Most of the money will go into computing capacity and a larger sales team in {place}.',
      'The company employs about {team} people and sells mostly to {sector}.',
      '{investor} takes a seat on the board.',
      'The round had been [expected|rumoured] for weeks and drew more interest than there were shares, a person close to the deal said.',
      'Revenue has <doubled|tripled> since last year, according to {org}, which does not publish accounts.',
      '{rival} raised a comparable sum in the spring.',
      'Several smaller investors joined the round.',
    ],
    voices: [
      '“We could have raised more and chose not to,” {person}, {job} at {org}, told reporters.',
      '“They had paying customers in {task} before they had a sales team,” a partner at {investor} said.',
      '{analyst} [calls|considers] the valuation of {valuation} <high but defensible|a bet on the next two years>.',
    ],
    background: [
      '{org} makes {product}, which {sector} use for {task}.',
      'Investors have become choosier this year and favour companies that already earn money with {task}.',
      'The talks took <four|six> months, longer than most this year.',
    ],
    brief: "{org}'s {round} round led by {investor}",
    followUps: [
      {
        title: 'What {org} plans to do with its new money',
        lead: '{org} will spend most of the funds from its {round} round on computing contracts in {place}, according to a note to staff.',
      },
      {
        title: '{investor} explains why it backed {org}',
        lead: 'In a letter to its own investors, {investor} says the {task} business was what persuaded it to lead the {round} round of {org}.',
      },
      {
        title: 'Employees of {org} to sell shares after {round} round',
        lead: '{org} will let long-serving staff sell part of their shares following its {round} round, people familiar with the plan say.',
      },
    ],
    rumour: {
      confirmation: {
        title: '{org} is the {task} company that {investor} backs',
        lead: 'The company behind the reported {round} round is {org}, which has confirmed that {investor} leads the investment.',
      },
      tellings: [
        {
          title: '{investor} in talks to lead {round} round for {task} company',
          lead: '{investor} is negotiating to lead a {round} round of {figure} for a company that makes software for {task}, according to people familiar with the talks.',
        },
        {
          title: 'A maker of {task} software is raising {figure}, investors say',
          lead: 'A company that sells {task} software to {sector} is close to raising {figure}, two investors who saw its figures said.',
        },
      ],
    },
  },
  zh: {
    titles: [
      '{org}完成 {figure}{round}融资，{investor}领投',
      '{investor}领投，{org}获 {figure}投资',
      '{org}[拿下|敲定|获得] {figure}融资，加码{task}业务',
      '{org}新一轮融资 {figure}，估值达 {valuation}',
      '{product} 开发商{org}[再获|拿到] {figure}融资',
      '{round}融资 {figure}，{org}估值升至 {valuation}',
    ],
    leads: [
      '{org}{day}[宣布|表示]完成{round}融资，金额 {figure}，由{investor}领投。',
      '{investor}将领投 {product} 开发商{org}，投资金额为 {figure}。',
      '投资者向{org}注资 {figure}，公司估值[达到|升至] {valuation}。',
    ],
    details: [
      '大部分资金将用于算力，以及扩大{place}的销售团队。',
      '{org}目前约有 {team}名员工，客户以{sector}为主。',
      '{investor}将获得一个董事会席位。',
      '知情人士称，这轮融资已[酝酿|传闻]数周，认购额超过发行规模。',
      '{org}称收入较去年增长<一|两>倍，但公司不公开财务数据。',
      '{rival}今年春天也完成了规模相近的融资。',
      '另有几家规模较小的机构参投。',
    ],
    voices: [
      '“我们本可以融得更多，但没有这样做，”{org}{job}{person}对记者表示。',
      '“他们还没有销售团队的时候，{task}业务就有了付费客户，”{investor}的一位合伙人表示。',
      '{analyst}[认为|表示]，{valuation}的估值<偏高但说得过去|押的是未来两年>。',
    ],
    background: [
      '{org}开发的 {product} 被{sector}用于{task}。',
      '今年投资者更加谨慎，更看重已经靠{task}赚到钱的公司。',
      '谈判历时<四|六>个月，比今年多数交易都久。',
    ],
    brief: '{org}的{round}融资',
    followUps: [
      {
        title: '{org}新融资怎么花：重点仍是算力',
        lead: '{org}内部信显示，{round}融资的大部分将用于{place}的算力合同。',
      },
      {
        title: '{investor}谈为何投资{org}',
        lead: '{investor}在致出资人的信中表示，{org}的{task}业务是其领投{round}的主要原因。',
      },
      {
        title: '{round}之后，{org}员工将可出售部分股份',
        lead: '知情人士透露，{org}在完成{round}融资后，将允许老员工出售部分股份。',
      },
    ],
    rumour: {
      confirmation: {
        title: '{investor}投资的{task}公司是{org}',
        lead: '此前传出{round}融资消息的公司是{org}，该公司证实由{investor}领投。',
      },
      tellings: [
        {
          title: '{investor}洽谈领投一家{task}公司{round}融资',
          lead: '知情人士透露，{investor}正在洽谈领投一家{task}软件公司的{round}融资，金额 {figure}。',
        },
        {
          title: '投资者称一家{task}软件公司将融资 {figure}',
          lead: '两名看过财务数据的投资者表示，一家向{sector}销售{task}软件的公司即将完成 {figure}融资。',
        },
      ],
    },
  },
};
