import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';
import { investors } from '../grammar/subject-matter.ts';

const rounds = [
  ['seed', '种子轮'],
  ['Series A', 'A 轮'],
  ['Series B', 'B 轮'],
  ['Series C', 'C 轮'],
  ['Series D', 'D 轮'],
  ['growth', '成长轮'],
] as const;

export const fundingRound: EventKind = {
  name: 'funding',
  category: 'industry',
  tone: 'deal',
  figureName: ['the size of the round', '融资金额'],
  figure: ['dollars', 1.2e7, 6e9],
  twinBy: 'organization',
  announced: true,
  leadsTo: ['departure', 'acquisition', 'datacentre', 'model-release'],
  slots: (random) => ({
    round: random.pick(rounds),
    investor: random.pick(investors),
    valuation: quantity(random, 'dollars', 8e9, 9e10).text,
    team: quantity(random, 'people', 60, 2400).text,
  }),
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
      'The money will go into computing capacity in {place} and a larger research team.',
      'The company employs about {team} people and sells mostly to {sector}.',
      '{investor} takes a seat on the board.',
      'The round had been [expected|rumoured] for weeks and drew more interest than there were shares, a person close to the deal said.',
      'Annual revenue has tripled since last year, according to {org}, which does not publish accounts.',
      '{Rival} raised a comparable sum in the spring, a sign that investors still want exposure to {task}.',
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
  },
  zh: {
    titles: [
      '{org}完成 {figure}{round}融资，{investor}领投',
      '{investor}领投，{org}获 {figure}投资',
      '{org}[拿下|敲定|获得] {figure}融资，加码{task}业务',
      '{org}新一轮融资 {figure}，估值达 {valuation}',
      '{product} 开发商{org}再获 {figure}融资',
      '{round}融资 {figure}，{org}估值升至 {valuation}',
    ],
    leads: [
      '{org}{day}宣布完成{round}融资，金额 {figure}，由{investor}领投。',
      '{investor}将领投 {product} 开发商{org}，投资金额为 {figure}。',
      '投资者向{org}注资 {figure}，公司估值[达到|升至] {valuation}。',
    ],
    details: [
      '公司表示，资金将用于{place}的算力建设以及扩大研究团队。',
      '{org}目前约有 {team}名员工，客户以{sector}为主。',
      '{investor}将获得一个董事会席位。',
      '知情人士称，这轮融资已[酝酿|传闻]数周，认购额超过发行规模。',
      '{org}称年度收入较去年增长两倍，但公司不公开财务数据。',
      '{rival}今年春天也完成了规模相近的融资，可见投资者仍看好{task}方向。',
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
  },
};
