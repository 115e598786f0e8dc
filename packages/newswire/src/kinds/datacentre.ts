import type { EventKind } from '../grammar/event-kind.ts';
import { inProportion, quantity, roughly } from '../grammar/quantity.ts';

const projects = [
  ['a data centre', '数据中心'],
  ['a training cluster', '训练集群'],
  ['a liquid-cooled campus', '液冷园区'],
  ['an inference site', '推理基地'],
] as const;

export const datacentre: EventKind = {
  name: 'datacentre',
  category: 'industry',
  tone: 'deal',
  figureName: ['the planned capacity', '规划容量'],
  figure: (random) => quantity(random, 'megawatts', 12, 1200),
  twinBy: 'organization',
  announced: true,
  leadsTo: ['regulation', 'partnership', 'outage', 'model-release'],
  slots: (random, _, figure) => ({
    project: random.pick(projects),
    // Building and machines cost between nine and thirty million dollars a megawatt.
    cost: inProportion(random, 'dollars', figure, [9e6, 3e7]),
    jobs: roughly('people', 20 + figure.value * random.between(0.3, 0.9)),
  }),
  en: {
    titles: [
      '{org} to build {project} of {figure} in {place}',
      '{place} lands {cost} project from {org}',
      '{org} [breaks ground|starts work] on {project} in {place}',
      '{org} plans {project} of {figure} with {rival}',
      'For {product}, {org} orders {project} worth {cost}',
      '{org} adds computing power with a site of {figure} in {place}',
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
      'The site is meant to serve {product} and work such as {task}.',
      '{rival} will rent part of the capacity.',
    ],
    early: ['The first halls are due <next summer|in eighteen months|within two years>.'],
    voices: [
      '“We need the power before we need the building,” {person}, {job} at {org}, told reporters.',
      '“We were promised jobs, and we will count them,” a member of the council of {place} said.',
      '{analyst} [doubts|questions] whether the grid in {place} can carry the load in time.',
    ],
    background: [
      '{org} has so far rented most of its computing capacity from others.',
      '{place} offers cheap power and a short way to the coast, where cables land.',
      '{rival} gave up a similar project elsewhere last year.',
    ],
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
    rumour: {
      confirmation: {
        title: '{org} is the company behind {project} in {place}',
        lead: 'The council of {place} has named {org} as the company that wants to build {project} there.',
      },
      tellings: [
        {
          title: 'Unnamed company plans {project} of {figure} in {place}',
          lead: 'A company whose name the council keeps to itself wants to build {project} of {figure} in {place}, planning papers show.',
        },
        {
          title: '{place} in talks about {cost} computing project',
          lead: 'The council of {place} is negotiating with a technology company about {project} worth {cost}, according to people who have seen the plans.',
        },
      ],
    },
  },
  zh: {
    titles: [
      '{org}将在{place}建设 {figure}{project}',
      '{org} {cost}项目落户{place}',
      '{org}{place}{project}[动工|开工]',
      '{org}联手{rival}规划{project}，容量 {figure}',
      '为支撑 {product}，{org}投入 {cost}建设{project}',
      '{org}扩充算力，{place}新址容量 {figure}',
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
      '项目将用于支撑 {product} 以及{task}等业务。',
      '{rival}将租用其中一部分容量。',
    ],
    early: ['首批机房预计<明年夏天|十八个月后|两年内>投入使用。'],
    voices: [
      '“我们首先需要的是电，其次才是楼，”{org}{job}{person}对记者表示。',
      '“他们承诺了岗位，我们会一个个数，”{place}的一名议员表示。',
      '{analyst}[怀疑|质疑]{place}的电网能否按时承受这样的负荷。',
    ],
    background: [
      '此前{org}的算力大多租自他人。',
      '{place}电价低，离海缆登陆的海岸也近。',
      '{rival}去年放弃了另一处的类似项目。',
    ],
    brief: '{org}在{place}建设{project}',
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
    rumour: {
      confirmation: {
        title: '{place}{project}项目的投资方是{org}',
        lead: '{place}议会公布，拟在当地建设{project}的公司是{org}。',
      },
      tellings: [
        {
          title: '一家未具名公司拟在{place}建 {figure}{project}',
          lead: '规划文件显示，一家名称未公开的公司拟在{place}建设{project}，容量 {figure}。',
        },
        {
          title: '{place}洽谈 {cost}算力项目',
          lead: '看过方案的人士透露，{place}议会正与一家科技公司洽谈建设{project}，投资 {cost}。',
        },
      ],
    },
  },
};
