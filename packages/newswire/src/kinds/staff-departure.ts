import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

export const staffDeparture: EventKind = {
  name: 'departure',
  category: 'industry',
  tone: 'people',
  figureName: ['the number of colleagues who leave as well', '一同离职的人数'],
  figure: (random) => quantity(random, 'people', 4, 60),
  twinBy: 'organization',
  announced: false,
  leadsTo: ['funding', 'model-release', 'acquisition', 'paper'],
  slots: (random) => ({ tenure: quantity(random, 'count', 2, 11) }),
  en: {
    titles: [
      '{person} leaves {org} <after {tenure} years|to join {rival}>',
      '{org} loses {job} {person}',
      '{person}, who led {task} at {org}, [moves to|signs with] {rival}',
      '{rival} hires {person} away from {org}',
      '{org} {job} {person} steps down, taking {figure} colleagues along',
      'Shake-up at {org}: {person} out, {task} team reshuffled',
    ],
    leads: [
      '{person}, {job} at {org}, is [leaving|stepping down] after {tenure} years; {figure} colleagues are going as well.',
      '{org} has confirmed the departure of {person}, its {job}. According to staff, {figure} others have handed in their notice.',
      '{rival} has recruited {person} from {org} to build up its work on {task}, and {figure} members of the old team will follow.',
    ],
    details: [
      'In a farewell note to staff, {person} [spoke of|cited] differences over priorities.',
      'The office in {place} is said to be hit hardest.',
      'The move comes weeks before a planned update of {product}.',
      '{org} said the work on {task} would go on without delay.',
      'Recruiters have courted senior researchers for months, with [offers|packages] running into the millions.',
    ],
    early: ['A successor for the team behind {product} has not been named.'],
    voices: [
      '“A name on the door is one thing, a team is another,” an analyst at {analyst} said.',
      '“We knew this was coming, just not this month,” a member of the team said.',
      'Neither {org} nor {rival} wanted to comment on the terms.',
    ],
    background: [
      '{person} had been with {org} for {tenure} years and built the team for {task}.',
      '{org} has lost <three|four> senior managers since the spring.',
      '{rival} competes with {org} for customers among {sector}.',
    ],
    brief: "{person}'s departure from {org}",
    followUps: [
      {
        title: '{org} names interim lead after {person} exit',
        lead: '{org} has put a long-serving manager in charge of {task} while it looks for a successor to {person}.',
      },
      {
        title: 'What {person} told staff at {org}',
        lead: 'A farewell note seen by reporters sheds light on why {person} left {org} after {tenure} years.',
      },
      {
        title: '{rival} gives {person} a lab in {place}',
        lead: '{person}, until recently {job} at {org}, will set up a research site for {rival} in {place}.',
      },
    ],
  },
  zh: {
    titles: [
      '{person}<任职 {tenure}年后离开{org}|离开{org}，将加入{rival}>',
      '{org}{job}{person}离职',
      '曾负责{org}{task}业务的{person}[加盟|转投]{rival}',
      '{rival}从{org}挖来{person}',
      '{org}{job}{person}卸任，{figure}名同事一同离开',
      '{org}人事变动：{person}离任，{task}团队重组',
    ],
    leads: [
      '{org}{job}{person}在任职 {tenure}年后[离职|卸任]，另有 {figure}名同事一同离开。',
      '{org}证实{job}{person}离职，据员工透露，还有 {figure}人提交了辞呈。',
      '{rival}从{org}聘请{person}，以加强{task}业务，原团队 {figure}名成员将随之加入。',
    ],
    details: [
      '{person}在告别信中[提到|谈及]了对公司优先事项的不同看法。',
      '据称{place}办公室受影响最大。',
      '此次变动发生在 {product} 计划更新前数周。',
      '{org}表示，{task}相关工作不会延迟。',
      '几个月来，各家公司争抢资深研究人员，[报价|薪酬]动辄数百万美元。',
    ],
    early: ['{product} 团队的继任者尚未公布。'],
    voices: [
      '“门上的名字是一回事，团队是另一回事，”{analyst}的一位分析师表示。',
      '“我们知道会有这一天，只是没想到是这个月，”一名团队成员表示。',
      '{org}和{rival}均未就具体条件作出回应。',
    ],
    background: [
      '{person}在{org}任职 {tenure}年，一手组建了{task}团队。',
      '自春季以来，{org}已有<三|四>名高管离开。',
      '{rival}与{org}在{sector}市场上是竞争对手。',
    ],
    brief: '{person}离开{org}',
    followUps: [
      {
        title: '{person}离任后，{org}任命临时负责人',
        lead: '{org}在寻找{person}继任者期间，由一名资深经理负责{task}业务。',
      },
      {
        title: '{person}告别信曝光：为何离开{org}',
        lead: '记者看到的一封内部信，解释了{person}在 {tenure}年后离开{org}的原因。',
      },
      {
        title: '{rival}将在{place}为{person}设立实验室',
        lead: '不久前还是{org}{job}的{person}，将在{place}为{rival}组建研究基地。',
      },
    ],
  },
};
