import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

const projects = [
  ['a data centre', '数据中心'],
  ['a chip plant', '芯片工厂'],
  ['an accelerator cluster', '加速卡集群'],
  ['a liquid-cooled training site', '液冷训练基地'],
  ['an inference campus', '推理园区'],
] as const;

export const datacentre: EventKind = {
  name: 'datacentre',
  category: 'industry',
  tone: 'deal',
  figureName: ['the planned capacity', '规划容量'],
  figure: ['megawatts', 12, 2400],
  twinBy: 'organization',
  announced: true,
  leadsTo: ['regulation', 'partnership', 'outage', 'model-release'],
  slots: (random) => ({
    project: random.pick(projects),
    cost: quantity(random, 'dollars', 9e7, 4e10).text,
    jobs: quantity(random, 'people', 40, 3200).text,
  }),
  en: {
    titles: [
      '{org} to build {project} of {figure} in {place}',
      '{place} lands {cost} project from {org}',
      '{org} [breaks ground|starts work] on {project} in {place}',
      '{org} plans {project} of {figure} with {rival}',
      'For {product}, {org} orders {project} worth {cost}',
      '{org} doubles down on computing with {figure} site in {place}',
    ],
    leads: [
      '{org} will build {project} in {place} with a planned capacity of {figure}, at a cost of {cost}.',
      'In {place}, {org} has started on {project} that is to draw {figure} when complete.',
      '{org} is spending {cost} on {project} in {place}; the planned capacity is {figure}.',
    ],
    details: [
      'The project brings about {jobs} permanent jobs.',
      'Residents worry about water use and the load on the grid.',
      'Half of the power is to come from wind and solar parks nearby.',
      'The chips are its own design, made to serve {product} and work such as {task}.',
      '{rival} will rent part of the capacity.',
    ],
    early: ['The first halls are due <next summer|in eighteen months|within two years>.'],
    brief: "{org}'s site in {place}",
    followUps: [
      {
        title: 'Council in {place} approves {org} site with conditions',
        lead: 'The council of {place} has approved the plans of {org} but limits how much water the site may use.',
      },
      {
        title: 'Grid operator warns of delay for {org} in {place}',
        lead: 'Connecting the {org} site in {place} to the grid may take a year longer than planned, the operator says.',
      },
      {
        title: '{org} shows first photos of its {place} site',
        lead: '{org} has given reporters a tour of the site in {place}, where the first halls are <taking shape|nearly finished>.',
      },
    ],
  },
  zh: {
    titles: [
      '{org}将在{place}建设 {figure}{project}',
      '{org} {cost}项目落户{place}',
      '{org}{place}{project}[动工|开工]',
      '{org}联手{rival}规划{project}，容量 {figure}',
      '为支撑 {product}，{org}投入 {cost}建设{project}',
      '{org}加码算力，{place}新址容量 {figure}',
    ],
    leads: [
      '{org}将在{place}建设{project}，规划容量 {figure}，总投资 {cost}。',
      '{org}在{place}的{project}已经开工，建成后容量为 {figure}。',
      '{org}将投入 {cost}在{place}建设{project}，规划容量为 {figure}。',
    ],
    details: [
      '项目将带来约 {jobs}个长期岗位。',
      '当地居民担心用水和电网负荷。',
      '一半电力将来自附近的风电和光伏电站。',
      '项目采用自研芯片，用于支撑 {product} 以及{task}等业务。',
      '{rival}将租用其中一部分容量。',
    ],
    early: ['首批机房预计<明年夏天|十八个月后|两年内>投入使用。'],
    brief: '{org}在{place}的{project}',
    followUps: [
      {
        title: '{place}有条件批准{org}项目',
        lead: '{place}议会批准了{org}的建设方案，但限制了用水量。',
      },
      {
        title: '电网方面称{org}{place}项目可能延期',
        lead: '电网运营方表示，{org}在{place}的项目接入电网可能比计划晚一年。',
      },
      {
        title: '{org}公开{place}项目现场照片',
        lead: '{org}邀请记者参观{place}项目现场，首批机房<初具规模|即将完工>。',
      },
    ],
  },
};
