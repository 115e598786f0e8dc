import type { Pair } from '../report.ts';

export const tasks: readonly Pair[] = [
  ['long-document analysis', '长文档分析'],
  ['code review', '代码审查'],
  ['customer support', '客户服务'],
  ['spreadsheet work', '表格处理'],
  ['speech transcription', '语音转写'],
  ['image editing', '图像编辑'],
  ['contract drafting', '合同起草'],
  ['theorem proving', '定理证明'],
  ['medical note-taking', '病历记录'],
  ['video captioning', '视频字幕'],
  ['live translation', '实时翻译'],
  ['data cleaning', '数据清洗'],
  ['warehouse planning', '仓储调度'],
  ['bug triage', '缺陷分诊'],
  ['lesson planning', '备课'],
  ['literature search', '文献检索'],
  ['invoice matching', '票据核对'],
  ['meeting minutes', '会议纪要'],
  ['map reading', '地图识读'],
  ['log inspection', '日志排查'],
  ['tool calling', '工具调用'],
  ['handwriting recognition', '手写识别'],
  ['game testing', '游戏测试'],
  ['protein annotation', '蛋白质标注'],
];

export const sectors: readonly Pair[] = [
  ['banks', '银行'],
  ['hospitals', '医院'],
  ['insurers', '保险公司'],
  ['schools', '学校'],
  ['carmakers', '汽车厂商'],
  ['law firms', '律师事务所'],
  ['retailers', '零售商'],
  ['shipping lines', '航运企业'],
  ['game studios', '游戏工作室'],
  ['local governments', '地方政府'],
  ['power utilities', '电力企业'],
  ['telecom operators', '电信运营商'],
  ['publishers', '出版机构'],
  ['drug makers', '制药企业'],
];

/** Invented places, so that no real government or utility is spoken of. */
export const places: readonly Pair[] = [
  ['Port Ansley', '安斯利港'],
  ['Varnholm', '瓦恩霍尔姆'],
  ['Lakemere', '莱克米尔'],
  ['Castelrey', '卡斯特雷'],
  ['New Dunmarrow', '新邓马罗'],
  ['Ostbrücke', '奥斯特布吕克'],
  ['Santa Veira', '圣维拉'],
  ['Qinghe Bay', '清禾湾'],
  ['Linjiang New Area', '麟江新区'],
  ['Yuntai Harbour', '云苔港'],
  ['Tormund Valley', '托蒙德谷'],
  ['Belcastle', '贝尔卡斯尔'],
];

export const authorities: readonly Pair[] = [
  ['the Varnholm Digital Authority', '瓦恩霍尔姆数字事务局'],
  ['the Castelrey Commerce Board', '卡斯特雷商务委员会'],
  ['the Lakemere Data Office', '莱克米尔数据办公室'],
  ['the Federation Council on Automation', '联邦自动化理事会'],
  ['the Port Ansley Consumer Tribunal', '安斯利港消费者裁判所'],
  ['the Belcastle Safety Institute', '贝尔卡斯尔安全研究所'],
  ['the Linjiang Standards Commission', '麟江标准委员会'],
  ['the Northern Union Competition Bureau', '北方联盟竞争事务局'],
];

export const benchmarks: readonly Pair[] = [
  ['TessaBench', 'TessaBench'],
  ['Harrow Math', 'Harrow Math'],
  ['Quillcode-500', 'Quillcode-500'],
  ['Lantern Reading', 'Lantern Reading'],
  ['OpenTerrace', 'OpenTerrace'],
  ['LongHaul-1M', 'LongHaul-1M'],
  ['Switchyard Agents', 'Switchyard Agents'],
  ['Millstone Reasoning', 'Millstone Reasoning'],
  ['Bilinga', 'Bilinga'],
  ['Toolmark', 'Toolmark'],
];

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
