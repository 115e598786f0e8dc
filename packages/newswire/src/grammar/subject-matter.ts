import type { Pair } from '../dispatch.ts';

/** Trades that buy and use such products. */
const trades = {
  banks: ['banks', '银行'],
  hospitals: ['hospitals', '医院'],
  insurers: ['insurers', '保险公司'],
  schools: ['schools', '学校'],
  carmakers: ['carmakers', '汽车厂商'],
  lawFirms: ['law firms', '律师事务所'],
  retailers: ['retailers', '零售商'],
  shippingLines: ['shipping lines', '航运企业'],
  gameStudios: ['game studios', '游戏工作室'],
  localGovernments: ['local governments', '地方政府'],
  powerUtilities: ['power utilities', '电力企业'],
  telecomOperators: ['telecom operators', '电信运营商'],
  publishers: ['publishers', '出版机构'],
  drugMakers: ['drug makers', '制药企业'],
  broadcasters: ['broadcasters', '广播机构'],
  universities: ['universities', '高校'],
  chipDesigners: ['chip designers', '芯片设计公司'],
  aircraftMakers: ['aircraft makers', '飞机制造商'],
  airlines: ['airlines', '航空公司'],
  hotelChains: ['hotel chains', '连锁酒店'],
  clinics: ['clinics', '诊所'],
} as const satisfies Readonly<Record<string, Pair>>;

/** What models are used for, with the trades that use them for it. */
interface Subject {
  readonly task: Pair;
  readonly sectors: readonly Pair[];
}

export const subjects: readonly [Subject, ...Subject[]] = [
  {
    task: ['long-document analysis', '长文档分析'],
    sectors: [trades.lawFirms, trades.insurers, trades.banks, trades.localGovernments],
  },
  {
    task: ['code review', '代码审查'],
    sectors: [trades.banks, trades.telecomOperators, trades.gameStudios, trades.carmakers],
  },
  {
    task: ['customer support', '客户服务'],
    sectors: [trades.retailers, trades.telecomOperators, trades.banks, trades.airlines, trades.hotelChains],
  },
  {
    task: ['spreadsheet work', '表格处理'],
    sectors: [trades.banks, trades.insurers, trades.retailers, trades.localGovernments],
  },
  {
    task: ['speech transcription', '语音转写'],
    sectors: [trades.broadcasters, trades.hospitals, trades.telecomOperators, trades.publishers],
  },
  { task: ['image editing', '图像编辑'], sectors: [trades.publishers, trades.retailers, trades.gameStudios] },
  {
    task: ['contract drafting', '合同起草'],
    sectors: [trades.lawFirms, trades.banks, trades.insurers, trades.shippingLines],
  },
  {
    task: ['theorem proving', '定理证明'],
    sectors: [trades.universities, trades.chipDesigners, trades.aircraftMakers],
  },
  { task: ['medical note-taking', '病历记录'], sectors: [trades.hospitals, trades.clinics, trades.insurers] },
  {
    task: ['video captioning', '视频字幕'],
    sectors: [trades.broadcasters, trades.publishers, trades.schools, trades.universities],
  },
  {
    task: ['live translation', '实时翻译'],
    sectors: [trades.airlines, trades.hotelChains, trades.broadcasters, trades.localGovernments],
  },
  {
    task: ['data cleaning', '数据清洗'],
    sectors: [trades.banks, trades.insurers, trades.drugMakers, trades.retailers],
  },
  {
    task: ['warehouse planning', '仓储调度'],
    sectors: [trades.retailers, trades.shippingLines, trades.carmakers],
  },
  {
    task: ['bug triage', '缺陷分诊'],
    sectors: [trades.gameStudios, trades.telecomOperators, trades.carmakers, trades.banks],
  },
  { task: ['lesson planning', '备课'], sectors: [trades.schools, trades.universities, trades.publishers] },
  {
    task: ['literature search', '文献检索'],
    sectors: [trades.drugMakers, trades.universities, trades.hospitals],
  },
  {
    task: ['invoice matching', '票据核对'],
    sectors: [trades.retailers, trades.shippingLines, trades.carmakers, trades.localGovernments],
  },
  {
    task: ['meeting minutes', '会议纪要'],
    sectors: [trades.lawFirms, trades.localGovernments, trades.insurers, trades.universities],
  },
  {
    task: ['route planning', '路线规划'],
    sectors: [trades.shippingLines, trades.airlines, trades.retailers, trades.powerUtilities],
  },
  {
    task: ['log inspection', '日志排查'],
    sectors: [trades.telecomOperators, trades.banks, trades.powerUtilities],
  },
  {
    task: ['browser automation', '浏览器自动化'],
    sectors: [trades.insurers, trades.retailers, trades.localGovernments, trades.airlines],
  },
  {
    task: ['handwriting recognition', '手写识别'],
    sectors: [trades.insurers, trades.schools, trades.localGovernments, trades.hospitals],
  },
  { task: ['game testing', '游戏测试'], sectors: [trades.gameStudios] },
  { task: ['protein annotation', '蛋白质标注'], sectors: [trades.drugMakers, trades.universities] },
  {
    task: ['circuit design', '电路设计'],
    sectors: [trades.chipDesigners, trades.carmakers, trades.aircraftMakers],
  },
  {
    task: ['fraud screening', '欺诈筛查'],
    sectors: [trades.banks, trades.insurers, trades.retailers, trades.telecomOperators],
  },
  { task: ['radiology reporting', '影像报告'], sectors: [trades.hospitals, trades.clinics] },
  {
    task: ['call summaries', '通话摘要'],
    sectors: [trades.telecomOperators, trades.insurers, trades.banks, trades.hotelChains],
  },
];

/** Invented places with their regulators, so that no real government or utility is spoken of. */
export const places: readonly { readonly name: Pair; readonly authority: Pair }[] = [
  {
    name: ['Port Ansley', '安斯利港'],
    authority: ['the Port Ansley Consumer Tribunal', '安斯利港消费者裁判所'],
  },
  { name: ['Varnholm', '瓦恩霍尔姆'], authority: ['the Varnholm Digital Authority', '瓦恩霍尔姆数字事务局'] },
  { name: ['Lakemere', '莱克米尔'], authority: ['the Lakemere Data Office', '莱克米尔数据办公室'] },
  { name: ['Castelrey', '卡斯特雷'], authority: ['the Castelrey Commerce Board', '卡斯特雷商务委员会'] },
  {
    name: ['New Dunmarrow', '新邓马罗'],
    authority: ['the New Dunmarrow Markets Authority', '新邓马罗市场管理局'],
  },
  {
    name: ['Ostbrücke', '奥斯特布吕克'],
    authority: ['the Ostbrücke Competition Bureau', '奥斯特布吕克竞争事务局'],
  },
  { name: ['Santa Veira', '圣维拉'], authority: ['the Santa Veira Privacy Council', '圣维拉隐私委员会'] },
  { name: ['Qinghe Bay', '清禾湾'], authority: ['the Qinghe Bay Cyberspace Office', '清禾湾网络事务办公室'] },
  {
    name: ['Linjiang New Area', '麟江新区'],
    authority: ['the Linjiang Standards Commission', '麟江标准委员会'],
  },
  { name: ['Yuntai Harbour', '云苔港'], authority: ['the Yuntai Harbour Data Bureau', '云苔港数据局'] },
  {
    name: ['Tormund Valley', '托蒙德谷'],
    authority: ['the Tormund Valley Technology Board', '托蒙德谷科技委员会'],
  },
  {
    name: ['Belcastle', '贝尔卡斯尔'],
    authority: ['the Belcastle Safety Institute', '贝尔卡斯尔安全研究所'],
  },
];

/** Tests of models; those that test one thing say which. */
export const benchmarks: readonly { readonly name: string; readonly subject: Subject | null }[] = [
  { name: 'TessaBench', subject: null },
  { name: 'OpenTerrace', subject: null },
  { name: 'Millstone Reasoning', subject: null },
  { name: 'Harrow Math', subject: subjectOf('theorem proving') },
  { name: 'Quillcode-500', subject: subjectOf('code review') },
  { name: 'Lantern Reading', subject: subjectOf('long-document analysis') },
  { name: 'LongHaul-1M', subject: subjectOf('long-document analysis') },
  { name: 'Switchyard Agents', subject: subjectOf('browser automation') },
  { name: 'Bilinga', subject: subjectOf('live translation') },
  { name: 'Toolmark', subject: subjectOf('bug triage') },
];

function subjectOf(task: string): Subject {
  const found = subjects.find((subject) => subject.task[0] === task);
  if (found === undefined) throw new RangeError(`no such task: ${task}`);
  return found;
}

export const techniques: readonly Pair[] = [
  ['sparse routing', '稀疏路由'],
  ['cache-aware attention', '缓存感知注意力'],
  ['staged distillation', '分阶段蒸馏'],
  ['self-checking decoding', '自校验解码'],
  ['curriculum synthesis', '课程数据合成'],
  ['speculative planning', '推测式规划'],
  ['low-rank memory', '低秩记忆'],
  ['reward smoothing', '奖励平滑'],
  ['token pruning', '词元剪枝'],
  ['paired preference tuning', '成对偏好微调'],
  ['gradient checkpoint sharing', '梯度检查点共享'],
  ['layer recycling', '层复用'],
  ['contrastive retrieval', '对比检索'],
  ['block-wise rollback', '分块回滚'],
];

export const investors: readonly Pair[] = [
  ['Stonepier Capital', '石埠资本'],
  ['Larkfield Ventures', '云雀田创投'],
  ['Ninth Ferry Partners', '九渡基金'],
  ['Oldbridge Growth', '旧桥成长基金'],
  ['Saffron Hill Fund', '藏红山基金'],
  ['Tidewall Equity', '潮墙股权'],
  ['Quarry Lane', '采石巷资本'],
  ['Guyu Capital', '谷语资本'],
  ['Wangchuan Ventures', '辋川创投'],
];

export const analysts: readonly Pair[] = [
  ['Brackwater Research', '布拉克沃特研究'],
  ['Finchley Moor', '芬奇利穆尔咨询'],
  ['Threepenny Analytics', '三便士分析'],
  ['Yanbo Consulting', '烟波咨询'],
  ['Calloway Sound', '卡洛韦桑德研究'],
];

export const universities: readonly Pair[] = [
  ['Castelrey Polytechnic', '卡斯特雷理工学院'],
  ['the University of Varnholm', '瓦恩霍尔姆大学'],
  ['Lakemere College', '莱克米尔学院'],
  ['Linjiang University', '麟江大学'],
  ['Belcastle Technical University', '贝尔卡斯尔工业大学'],
];
