import type { Pair } from '../dispatch.ts';
import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

/** Each claim with its possible plaintiffs; by default the rival. */
const claims: readonly { readonly claim: Pair; readonly plaintiffs: readonly Pair[] }[] = [
  {
    claim: ['using articles without a licence', '未经授权使用文章'],
    plaintiffs: [
      ['a group of publishers', '多家出版机构'],
      ['an association of journalists', '记者协会'],
    ],
  },
  {
    claim: ['using drawings without consent', '未经同意使用画作'],
    plaintiffs: [
      ['a coalition of illustrators', '插画师联盟'],
      ['a photo archive', '一家图片库'],
    ],
  },
  {
    claim: ['misleading customers about privacy', '在隐私问题上误导客户'],
    plaintiffs: [
      ['a group of former customers', '一批前客户'],
      ['a consumer association', '消费者协会'],
    ],
  },
  {
    claim: ['training on recorded calls', '用通话录音训练模型'],
    plaintiffs: [
      ['a union of voice actors', '配音演员工会'],
      ['a group of former customers', '一批前客户'],
    ],
  },
  { claim: ['breaking a supply contract', '违反供货合同'], plaintiffs: [] },
  { claim: ['poaching engineers along with trade secrets', '挖走工程师并带走商业秘密'], plaintiffs: [] },
  { claim: ['infringing two patents on model serving', '侵犯两项模型部署专利'], plaintiffs: [] },
];

export const lawsuit: EventKind = {
  name: 'lawsuit',
  category: 'industry',
  tone: 'trouble',
  figureName: ['the sum claimed', '索赔金额'],
  figure: (random) => quantity(random, 'dollars', 4e6, 1.5e9),
  twinBy: 'organization',
  announced: false,
  leadsTo: ['regulation', 'departure', 'partnership'],
  slots: (random, cast) => {
    const { claim, plaintiffs } = random.pick(claims);
    return {
      claim,
      plaintiff: random.pick([...plaintiffs, ...(plaintiffs.length > 0 ? [] : [cast.rival.name])]),
    };
  },
  en: {
    titles: [
      '{org} sued for {claim}',
      '{Plaintiff} [takes|brings] {org} to court over {product}',
      '{org} faces {figure} claim for {claim}',
      '{Plaintiff} [seeks|demands] {figure} from {org} over {product}',
      'Court in {place} to hear case against {org} over {product}',
      '{Plaintiff} accuses {org} of {claim}',
    ],
    leads: [
      'A suit filed in {place} accuses {org} of {claim} and asks for {figure} in damages.',
      '{org} is being sued over {product}: the complaint, brought by {plaintiff}, speaks of {claim} and seeks {figure}.',
      'In a complaint lodged with a court in {place}, {plaintiff} accuses {org} of {claim}. The sum claimed is {figure}.',
    ],
    details: [
      'The company [called the claims baseless|rejected the accusations] and said it would defend itself.',
      'The filing quotes internal messages in which staff [discuss|describe] the practice openly.',
      'The plaintiff also wants sales of {product} halted until the case is decided.',
      'Lawyers not involved in the case say a settlement is the most likely outcome.',
      'It is the <second|third> action of its kind against the company this year.',
      'The filing runs to more than a hundred pages and names <two|three> managers.',
    ],
    early: ['A first hearing is set for next month.', '{org} has <three|four> weeks to reply to the court.'],
    voices: [
      '“We asked them twice before we went to court,” a lawyer for the plaintiff said.',
      '“We will answer this in court and not in the press,” {person}, {job} at {org}, said.',
      '“The messages in the filing are what makes this case different,” a law professor who read it said.',
    ],
    background: [
      '{product} is used by {sector}, mostly for {task}.',
      'Courts in {place} have taken a stricter line with such cases since last year.',
      'Talks between the two sides had broken down in the summer.',
    ],
    brief: 'the suit against {org} over {product}',
    followUps: [
      {
        title: 'Judge in {place} refuses to throw out case against {org}',
        lead: 'A judge has ruled that the suit over {product} against {org} may go ahead, though on narrower grounds.',
      },
      {
        title: '{org} opens settlement talks in {product} case',
        lead: '{org} and {plaintiff} are discussing a settlement, according to two people briefed on the talks.',
      },
      {
        title: '{org} files its answer to the {product} complaint',
        lead: 'In its reply to the court, {org} denies {claim} and asks for the case to be moved out of {place}.',
      },
    ],
  },
  zh: {
    titles: [
      '{org}因{claim}被诉',
      '{plaintiff}就 {product} [起诉|状告]{org}',
      '{org}被指{claim}，面临 {figure}索赔',
      '{plaintiff}向{org}[索赔|要求赔偿] {figure}，事涉 {product}',
      '{place}法院将审理 {product} 诉讼，被告为{org}',
      '{plaintiff}指控{org}{claim}',
    ],
    leads: [
      '一份递交至{place}法院的诉状指控{org}{claim}，索赔 {figure}。',
      '{org}因 {product} 被起诉，原告{plaintiff}称其{claim}，要求赔偿 {figure}。',
      '{plaintiff}近日在{place}提起诉讼，指{org}{claim}，索赔金额为 {figure}。',
    ],
    details: [
      '公司[否认全部指控|称指控毫无根据]，表示将积极应诉。',
      '诉状引用的内部消息显示，员工曾公开[讨论|谈及]相关做法。',
      '原告同时要求在判决前暂停销售 {product}。',
      '未参与此案的律师认为，双方和解的可能性最大。',
      '这是该公司今年面临的第<二|三>起同类诉讼。',
      '诉状长达一百多页，点名了<两|三>名管理人员。',
    ],
    early: ['首次开庭定于下月。', '{org}须在<三|四>周内答辩。'],
    voices: [
      '“起诉之前，我们找过他们两次，”原告律师表示。',
      '“我们会在法庭上回应，而不是在媒体上，”{org}{job}{person}表示。',
      '“诉状里的那些内部消息，让这起案件与众不同，”一位读过诉状的法学教授表示。',
    ],
    background: [
      '{product} 的用户以{sector}为主，多用于{task}。',
      '自去年以来，{place}法院对同类案件的态度趋严。',
      '双方的谈判在夏季破裂。',
    ],
    brief: '{org}的 {product} 诉讼',
    followUps: [
      {
        title: '{place}法官驳回{org}撤案请求',
        lead: '法官裁定，针对{org}的 {product} 诉讼可以继续，但范围有所缩小。',
      },
      {
        title: '{product} 案现转机，{org}开启和解谈判',
        lead: '两名知情人士表示，{org}与{plaintiff}正在商谈和解。',
      },
      {
        title: '{org}就 {product} 案提交答辩状',
        lead: '{org}在答辩状中否认{claim}，并请求将案件移出{place}审理。',
      },
    ],
  },
};
