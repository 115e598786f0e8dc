/** Words that are capitalised at the start of a sentence or in a headline without being names. Lower case. */
const ordinaryText = `
a about above according across additional after again against ahead all almost along already also although always am among an analysts and annual another any anyone
anything are around as aside at available away back based be because been before behind being below beneath beside besides between beyond both but by can cannot chief companies
company competitors considering consumers contrary could councillor counsel court critics current customers daily days dear despite developers did director do does doctor doing done
down dr during each earlier early editors either eight eleven else employees engineers enough especially even eventually ever every everyone everything example except executive
executives experts facing far few fewer fifty finally firms first five following for former four fourth fresh from full further get getting given giving global go going good
government great group growth had half has have having he head hello hence her here hers high higher his home how however hundreds i if in including increasingly indeed inside
insiders instead interviews into investors is it its itself job joint judge just keep kept key last late later latest launch law lawmakers lawyers leaders least led left less let like
likely long look looking made main major make makers making many managers maybe me meanwhile members men might millions minister monthly more moreover most mother mr mrs ms much
must my national nearly neither never nevertheless new newly news next nine no nobody none nonetheless nor not nothing notably now number numbers of off officer officials often old on
once one only open or organizers other others our out outside over overall own owners papers parent part parts past people per perhaps plans please police police possible president previous price prices
private prior product products professor programmers public put quite rather read readers recent recently regulators related report reporters reports republican research researchers
residents results retailers revenue right rivals sales same saturday say saying says scientists second secretary see seen senior separately service services seven several shares she shortly should
show shows similar similarly simply since six small so some someone something sometimes soon source sources speaking staff standard start started startups state states still stock stop such
supporters sure take taken teachers team teams tell ten testers than thanks that the their them then there therefore these they thing things third this those though thousands three through throughout thus
time to today together told tomorrow tonight too top total toward towards traders training tuesday twelve twenty twice two under unless unlike until up update upon us use users using usually
vendors version very via viewers volunteers want was watch way we week weekly weeks well were what whatever when whenever where whereas whether which while white who whoever whole whom whose why will with within
without witnesses women work workers working world worse worst would writing year yearly years yes yesterday yet you your
ai ceo cfo cto coo gpu gpus cpu api apis ipo llm llms it tv pc vc pr r&d faq app apps agi ml gb mb tb kb mw gw
inc corp ltd llc plc co gmbh ag sa pbc
added adds allowing announced announces asked backs becomes begins brings builds buys calls claims closes comes cuts drops expands faces files finds gets gives goes hires hits joins launches lays leads leaves
loses makes moves names needs offers opens plans posts puts raises reaches releases says sees sells sets signs sues takes tells tests turns unveils wants warns wins
`;

export const ordinaryWords: ReadonlySet<string> = new Set(ordinaryText.trim().split(/\s+/));

/** Single Chinese characters that are words or parts of many words; excludes the usual characters of transliterated names. */
const ordinaryHanText =
  '的一是不了在人有我他这中大来上个国和也子时道说出得就可下自之年过后作里用对生能而于着' +
  '事其那看起发当没成只如把还第样但些现所都想两已见因由将从同力然前外点行间被向给次体间话面' +
  '地进使部长常它间定向者业内高新量化线及期手级强民间产或系应总条位主果别做却题又被己相手工' +
  '头间件更种关市实接知难间今至少多每本最各该即并且仍若则与或以为等让很太再较未需须曾称指据按照' +
  '经过均约近超逾达共总仅逐首末初末早晚日月周天号时分秒起截止元亿万千百十零二三四五六七八九半倍' +
  '款项家名位台条份篇张块座枚颗种类批轮场届期届间层套支组队股宗桩例封则部版型号端侧云网链库包池' +
  '开源领投融资估值收购并裁减增降涨跌升提调改推出发布上线下架更换停用启动测试试用免费付费售价' +
  '买卖供求订阅签约合作联手携手拟欲盼望望促催令命禁止限制允许批准获准拒绝否认承认证实回应表示' +
  '认为预计估算计划打算准备继续保持维持恢复重新重置调整修复优化升级扩大缩小加快减慢支持接入适配' +
  '无非毫否莫勿既虽若倘尽管除此外另有别的哪谁何几怎么什为此故遂便即可能会应须得' +
  '法院案判罚诉讼称涉嫌疑因致使导引发起造建设施工厂站楼房室门口边角处所在地区域省州县镇村' +
  '数据算力模型参芯片卡机器电力能耗热水油气光音像图视频文字字母词句段章节页书报刊稿件信函' +
  '官者架插混例计洽购订件展览赛奖项届季度' +
  '读写听讲谈论述评议析解答问题目录单表格式样本源码代码程序软硬件系统平台工具产品服务功能界面' +
  '员工职岗位薪酬奖金费率税款钱币债务账户客户用户顾问专家学者师生徒' +
  '快慢大小高低长短轻重厚薄深浅冷热好坏新旧真假对错难易强弱多少远近先后左右内外';

export const ordinaryHan: ReadonlySet<string> = new Set(ordinaryHanText);

/** Characters used in transliterated names. */
export const transliterating: ReadonlySet<string> = new Set(
  '斯特尔克里拉尼亚罗马德兰森顿伊奥维卡莱塔诺普娜莉雷福伯丽莎杰詹姆乔戴迈凯温蒂弗沃霍洛穆哈萨埃格鲁布巴莫贝图托戈夫茨赫艾安娅琳妮黛芬芙菲費瓦韦威廉利佐桑坦坎坝泽泰彭佩帕昆夸奎辛希西蒙塞瑟恩',
);

/** Words of the news that the runtime's dictionary lacks. */
export const modernHanWords: ReadonlySet<string> = new Set(
  (
    '开源 官宣 亿元 万元 盘点 举报 算力 芯片 网红 离世 获刑 升幅 降幅 估值 辟谣 复盘 涨停 券商 插件 预览 外卖 重磅 加征 板块 自曝 首批 限时 首发 线程 赛道 热度 ' +
    '联手 确诊 追责 后续 重构 接入 实时 详解 额度 翻倍 客服 医保 降息 携手 热议 音频 构建 车展 混动 插电 电动 端侧 领投 跟投 裁员 大模型 模态 多模态 优化 迎来 发文 ' +
    '新规 权重 微调 推理 智能体 语料 基座 蒸馏 对齐 提示词 上下文 词元 内测 公测 灰度 下架 迭代 适配 云端 后端 前端 接口 调用 架构 开发者 创企 初创 独角兽 市值 ' +
    '财报 营收 净利 毛利 季报 年报 股价 募资 招股书 并购 入股 持股 减持 增持 回购 合规 数据中心 机房 服务器 显卡 晶圆 制程 光刻 良率 产能 出货 执行官 检察长 接触者 ' +
    '发言人 知情人士 负责人 创始人 联合创始人 副总裁 首席执行官 首席技术官 首席财务官 首席科学家 高管 兆瓦 吉瓦 千瓦 自研 液冷 风电 光伏 财讯 预印本 员工 团队 单价 均价 起售价 目录价 竞品 友商 社交媒体 短视频'
  ).split(' '),
);

/** Endings that turn the preceding words into a name. */
export const organizationEnding =
  /^(?:公司|集团|科技|智能|实验室|研究院|研究所|研究|大学|学院|资本|基金|银行|法院|委员会|机器人|智算|芯片|咨询|创投|证券|汽车|电子|软件|网络|传媒|协会)/u;

/** A dictionary word before one of these is also a name (朔望实验室), unless the two are a common noun. */
export const namingEnding = /^(?:科技|智能|实验室|研究院|研究所|资本|智算|机器人|咨询|创投|银行|航空|大学)/u;
export const commonBeforeEnding: ReadonlySet<string> = new Set(
  '中央 投资 储蓄 国际 外资 本地 当地 公立 私立 民用 商业 通用 人工 金融 生物 信息 医疗 农业 教育 工业 人形 聊天 服务 扫地 风险 社会 国有 民间 民营 战略 技术 管理 心理 法律 国家 联合 重点 机构 大型 高端 航天 国防'.split(
    ' ',
  ),
);
