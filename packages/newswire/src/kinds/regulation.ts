import type { EventKind } from '../grammar/event-kind.ts';
import { quantity, quantityOf } from '../grammar/quantity.ts';

const duties = [
  ['label generated content', '标注生成内容'],
  ['report serious incidents within three days', '在三日内上报重大事故'],
  ['keep training records for five years', '保存五年训练记录'],
  ['let outside experts test large models', '接受外部专家测试大模型'],
  ['offer a human contact', '提供人工服务渠道'],
  ['publish energy use', '公布能耗数据'],
  ['verify the age of users', '核验用户年龄'],
] as const;

export const regulation: EventKind = {
  name: 'regulation',
  category: 'industry',
  tone: 'trouble',
  figureName: ['the maximum fine', '罚款上限'],
  figure: (random) =>
    quantityOf('dollars', random.pick([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8]) * 10 ** (6 + random.below(3))),
  twinBy: 'organization',
  announced: false,
  leadsTo: ['lawsuit', 'feature'],
  slots: (random) => ({
    duty: random.pick(duties),
    grace: quantityOf('count', random.pick([30, 60, 90, 120, 180])),
    letters: quantity(random, 'count', 20, 900),
  }),
  en: {
    titles: [
      '{Authority} orders {org} to {duty}',
      '{Authority} [drafts|proposes] rule that would make firms such as {org} {duty}',
      '{org} must {duty} or face fines of up to {figure}',
      '{Authority} opens inquiry into {product}',
      'New rules in {place}: makers of models like {product} must {duty}',
      '{Authority} threatens {org} with fine of {figure}',
    ],
    leads: [
      '{Authority} wants {org} and its peers to {duty}; breaches could cost up to {figure}.',
      'Under a decision published by {authority}, {org} will have to {duty} or pay as much as {figure}.',
      '{Authority} has opened proceedings that could force {org} to {duty}. The maximum fine is {figure}.',
    ],
    details: [
      'Companies have {grace} days to [comply|adapt] once the text takes effect.',
      'Small providers and research groups are [exempt|left out].',
      'The regulator points to {letters} complaints about {product}, many of them from {sector}.',
      '{org} said it was studying the decision and would work with the regulator.',
      'A consultation runs until the end of the month, and {rival} has already signalled objections.',
      'Consumer groups welcomed the step but [called|asked] for clearer deadlines.',
    ],
    voices: [
      '“Companies had two years to do this on their own,” an official said.',
      '“We agree with the aim and not with the deadline,” said {person}, {job} at {org}.',
      '“For a company of this size the fine matters less than the precedent,” an analyst at {analyst} said.',
    ],
    background: [
      '{place} has become stricter with makers of models since an incident last year.',
      'Similar rules are being discussed elsewhere, and {rival} would be affected as well.',
      '{product} is used by {sector}, who would have to change their contracts.',
    ],
    brief: 'the order to {org} from {authority}',
    followUps: [
      {
        title: '{org} asks {authority} for more time',
        lead: '{org} says it cannot {duty} within {grace} days and has asked {authority} for an extension.',
      },
      {
        title: '{Authority} softens its line on {product}',
        lead: 'After talks with the industry, {authority} is dropping part of its demands on {org} while keeping the core duty to {duty}.',
      },
      {
        title: '{Sector} back {authority} against {org}',
        lead: 'Associations of {sector} have sided with {authority}, saying that {org} should have acted on its own.',
      },
    ],
  },
  zh: {
    titles: [
      '{authority}要求{org}{duty}',
      '{authority}[起草|拟出台]新规：{org}等企业须{duty}',
      '{org}须{duty}，违者最高罚 {figure}',
      '{authority}对 {product} 展开调查',
      '{place}新规落地，{product} 等模型提供方须{duty}',
      '{authority}警告{org}：最高可罚 {figure}',
    ],
    leads: [
      '{authority}要求{org}等企业{duty}，违规最高可处 {figure}罚款。',
      '根据{authority}公布的决定，{org}必须{duty}，否则将面临最高 {figure}的罚款。',
      '{authority}已启动程序，可能要求{org}{duty}，罚款上限为 {figure}。',
    ],
    details: [
      '规定生效后，企业有 {grace}天的[整改|过渡]期。',
      '小型服务商和研究机构[不受影响|可获豁免]。',
      '监管方提到，已收到 {letters}件针对 {product} 的投诉，不少来自{sector}。',
      '{org}表示正在研究相关决定，并将配合监管。',
      '征求意见将持续到月底，{rival}已表示有不同看法。',
      '消费者团体对此表示欢迎，同时[呼吁|要求]明确时间表。',
    ],
    voices: [
      '“企业本来有两年时间自己做这件事，”一位官员表示。',
      '“我们认同目标，但不认同期限，”{org}{job}{person}表示。',
      '“对这种规模的公司来说，罚款不如先例重要，”{analyst}的一位分析师表示。',
    ],
    background: [
      '自去年的一起事件以来，{place}对模型企业的监管趋严。',
      '其他地区也在讨论类似规定，{rival}同样会受到影响。',
      '使用 {product} 的{sector}可能需要修改合同。',
    ],
    brief: '{authority}对{org}的监管要求',
    followUps: [
      {
        title: '{org}向{authority}申请延期',
        lead: '{org}表示难以在 {grace}天内{duty}，已向{authority}申请延长期限。',
      },
      {
        title: '{authority}对 {product} 态度有所缓和',
        lead: '与业界沟通后，{authority}放弃了对{org}的部分要求，但仍坚持企业须{duty}。',
      },
      {
        title: '{sector}支持{authority}：{org}早该行动',
        lead: '多个{sector}行业协会表态支持{authority}，认为{org}本应主动采取措施。',
      },
    ],
  },
};
