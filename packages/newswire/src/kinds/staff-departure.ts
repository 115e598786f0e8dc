import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

export const staffDeparture: EventKind = {
  name: 'departure',
  category: 'industry',
  tone: 'people',
  figureName: ['the number of colleagues leaving too', '一同离职的人数'],
  figure: ['people', 4, 190],
  twinBy: 'organization',
  announced: false,
  leadsTo: ['funding', 'model-release', 'acquisition', 'paper'],
  slots: (random) => ({ tenure: quantity(random, 'people', 2, 13).text }),
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
      'A successor for the team behind {product} has not been named.',
      'In a farewell note to staff, the departing executive [spoke of|cited] differences over priorities.',
      'The office in {place} is said to be hit hardest.',
      'The move comes weeks before a planned update of {product}.',
      '{org} said the work on {task} would go on without delay.',
      'Recruiters have courted senior researchers for months, with [offers|packages] running into the millions.',
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
      '{product} 团队的继任者尚未公布。',
      '这位高管在告别信中[提到|谈及]了对公司优先事项的不同看法。',
      '据称{place}办公室受影响最大。',
      '此次变动发生在 {product} 计划更新前数周。',
      '{org}表示，{task}相关工作不会延迟。',
      '几个月来，各家公司争抢资深研究人员，[报价|薪酬]动辄数百万美元。',
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
