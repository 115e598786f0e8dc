import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';

const flaws = [
  ['an exposed storage bucket', '存储桶公开暴露'],
  ['a stolen employee laptop', '员工笔记本失窃'],
  ['a prompt injection flaw', '提示词注入漏洞'],
  ['a leaked access token', '访问令牌泄露'],
  ['a poisoned software package', '软件包被投毒'],
  ['a flaw in its plug-in system', '插件系统缺陷'],
  ['a misdirected backup', '备份误发'],
] as const;

export const securityIncident: EventKind = {
  name: 'security',
  category: 'industry',
  tone: 'trouble',
  figureName: ['the number of accounts affected', '受影响账户数'],
  figure: (random) => quantity(random, 'people', 1200, 2.5e7),
  twinBy: 'product',
  announced: false,
  leadsTo: ['regulation', 'lawsuit', 'departure'],
  slots: (random) => ({ flaw: random.pick(flaws) }),
  en: {
    titles: [
      'Data of {figure} {product} users exposed through {flaw}',
      '{org} [discloses|confirms] breach affecting {figure} accounts',
      '{Flaw} at {org} puts {figure} accounts at risk',
      'Researchers trace {product} leak to {flaw}',
      '{org} resets passwords after {flaw} hits {product}',
      '{org} tightens access to {product} after {flaw} comes to light',
    ],
    leads: [
      '{org} has confirmed that {flaw} exposed data from {figure} accounts of {product}.',
      'Names, addresses and chat histories from {figure} {product} accounts were open to outsiders because of {flaw}, {org} [said|admitted].',
      'A security researcher traced a leak in {product} to {flaw}; {figure} accounts were at risk before {org} closed the gap.',
    ],
    details: [
      '{Authority} has been informed and is asking for a full account.',
      'Payment details were stored elsewhere and are not affected.',
      'The gap had been open for <eleven days|three weeks|about two months> before it was noticed.',
      'The finder reported it through the bounty programme and was paid within a week.',
      '{Sector} were among the customers who received a warning overnight.',
      'All sessions were ended, and users have to choose a new password.',
    ],
    early: ['There is no sign so far that the data was <misused|sold>.'],
    voices: [
      '“We found out from outside, and that is part of the problem,” {person}, {job} at {org}, told reporters.',
      '“It took me an afternoon to find, and I was not looking for it,” the researcher said.',
      '“I would judge {org} by what it does in the next weeks,” an analyst at {analyst} said.',
    ],
    background: [
      '{product} holds chat histories, which many of its users treat as private.',
      'Customers among {sector} use it for {task} and had asked for separate storage.',
      '{rival} had to report a similar incident last year.',
    ],
    brief: 'the {product} breach at {org}',
    followUps: [
      {
        title: '{Authority} asks {org} how {product} data came to leak',
        lead: '{Authority} has sent {org} a list of questions about the breach of {product}, with answers due in two weeks.',
      },
      {
        title: '{org} hires outside team after {product} breach',
        lead: 'An independent firm will review how {org} stores data from {product}, {person}, {job} at {org}, told staff.',
      },
      {
        title: 'Files from the {product} breach appear for sale',
        lead: 'Records that seem to come from the breach of {product} have surfaced on a trading forum, and {org} is checking whether they are genuine.',
      },
    ],
  },
  zh: {
    titles: [
      '因{flaw}，{product} {figure}个账户数据外泄',
      '{org}[证实|披露]数据泄露，涉及 {figure}个账户',
      '{org}被曝{flaw}，{figure}个账户面临风险',
      '研究人员发现 {product} 数据外泄源于{flaw}',
      '{product} 因{flaw}受影响，{org}重置用户密码',
      '{org}收紧 {product} 权限，此前曝出{flaw}',
    ],
    leads: [
      '{org}证实，{product} 因{flaw}导致 {figure}个账户的数据暴露。',
      '{org}[表示|承认]，由于{flaw}，{product} 的 {figure}个账户的姓名、地址和对话记录一度可被外部访问。',
      '安全研究人员查明，{product} 数据外泄的起因是{flaw}，{figure}个账户一度面临风险，{org}已完成修复。',
    ],
    details: [
      '{authority}已获通报，并要求公司提交完整说明。',
      '支付信息单独存放，没有受到影响。',
      '该问题在被发现前已存在<十一天|三周|约两个月>。',
      '发现者通过漏洞奖励计划上报，一周内收到奖金。',
      '部分{sector}客户连夜收到了安全提醒。',
      '所有登录状态均已失效，用户须重新设置密码。',
    ],
    early: ['目前没有迹象显示相关数据遭到<滥用|出售>。'],
    voices: [
      '“我们是从外部得知的，这本身就是问题，”{org}{job}{person}对记者表示。',
      '“我只花了一个下午就发现了，而且并不是专门去找，”这名研究人员表示。',
      '“要看{org}接下来几周怎么做，”{analyst}的一位分析师表示。',
    ],
    background: [
      '{product} 保存对话记录，许多用户把这些内容视为隐私。',
      '将其用于{task}的{sector}客户曾要求单独存储数据。',
      '{rival}去年也通报过类似事件。',
    ],
    brief: '{org}的 {product} 数据泄露',
    followUps: [
      {
        title: '{authority}就 {product} 数据泄露问询{org}',
        lead: '{authority}向{org}发出问询函，要求其两周内说明 {product} 数据外泄的经过。',
      },
      {
        title: '{product} 泄露事件后，{org}聘请外部团队',
        lead: '{org}{job}{person}告知员工，独立机构将审查 {product} 的数据存储方式。',
      },
      {
        title: '疑似 {product} 泄露数据现身交易论坛',
        lead: '一批疑似来自 {product} 的数据出现在交易论坛上，{org}正在核实真伪。',
      },
    ],
  },
};
