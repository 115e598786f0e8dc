import { measureKeys } from '../../../grounding/index.ts';
import { hanCharacter } from '../../../language/han-text.ts';
import { stemOf } from '../../../language/text-tokens.ts';

/** Words of questions and reports with one meaning, in both languages; each line is one key. */
const synonymTable = `
cost worth valu 成本 费用 价值 耗资
launch releas unveil introduc debut roll 推出 发布 上线 面世
announc declar reveal disclos 宣布 公布 公告 披露
acquir purchas buy bought takeov acquisit 收购 购入 买入
order book 订购 订单 采购
sign agre agreement deal pact contract 协议 合约 合同 签署
list ipo float 上市 挂牌
ceo chief 行政总裁 首席执行官
head lead leader led chair 领导 带领
coach manag 领队 主教练 教练
appoint nomin name 委任 任命 出任 获任
resign quit depart left leav 辞职 辞任 离任 离职 离开
sack fire dismiss oust 解雇 炒 革职
join hire recruit 加入 聘用 招聘
cut layoff redund axe 裁员 裁减 削减
game match fixtur 比赛 赛事
score goal 入球 得分
sentenc jail prison imprison 判刑 判囚 监禁 刑期
charg indict accus alleg 起诉 检控 指控 涉嫌
drop abandon discontinu shelv scrap 撤销 放弃 搁置
investig probe inquiri 调查
prosecutor 检察官 检控官
lawsuit sue suit 诉讼 控告
damag compens 赔偿 损失
fine penalti 罚款
cop polic offic 警方 警察 警员
suspect assail attack 疑犯 嫌疑人 袭击者
fire blaze burn 起火 火警 火灾
crash collis accid collid 车祸 意外 相撞 撞向 碰撞
storm hurrican typhoon 台风 风暴
flee fled escap 逃走 逃离
victim dead die death kill fatal 死者 死亡 遇难 身亡
injur wound hurt 受伤 伤者
ill illness diseas sick ailment 疾病 患病
diagnos contract caught catch infect 确诊 感染 染病
patient 病人 患者
doctor physician 医生
hospit clinic 医院
quarantin isol 隔离
stud studi research survey 研究 调查研究
scientist research 科学家 研究人员
discov detect spot found find observ 发现 探测 观测
water vapor vapour 水汽 水蒸气
attend spectat crowd audienc viewer 观众 入场 现场
visitor tourist 旅客 游客
passeng commut 乘客
test trial experi pilot 测试 试验 试用
teacher educ school 教师 老师 学校
student pupil 学生
money fund cash 资金
salari wage pay paid 月薪 薪金 工资 薪酬
budget 预算
rent leas 租金 租约
interest rate 利率 息率
tariff duti 关税
close closed settl 收市 收盘 收报
open open 开市 开盘 开幕
record high peak 新高 纪录
barrel oil crude 期油 原油 油价
dollar usd 美元
exchang rate 汇率 中间价
korea korean 韩国
sweden swedish 瑞典
german germani 德国
china chines 中国
japan japanes 日本
india indian 印度
israel isra 以色列
russia russian 俄罗斯
franc french 法国
britain british uk 英国
america american u.s us usa 美国
taiwan taiwanes 台湾 台股
hong 香港 港
europ european 欧洲
month monthli 每月 月份
year annual yearli 全年 年度
week weekli 每周
first initi 首次 首个 最初
new latest 最新 新
next upcom 下一次 下次
show displai 展示
home hous resid 住宅 住所
offic headquart 办事处 办公室 写字楼
move reloc 搬遷 搬迁 迁往 搬
station 车站
servic 服务
suspend halt 暂停 停止
resum restor 恢复 回复
apolog apologis 道歉 致歉
delai postpon defer 押后 延后 延期 推迟
cancel 取消
deadlin due expir 限期 截止 到期
meet meeting 会议 开会
minut record 会议记录
recommend suggest advis propos 建议
proposal proposit 建议
plan scheme programm program 计划
approv clear greenlight 批准 获批
reject refus declin 拒绝 否决
applic appli 申请
stall booth stand 摊位 摊档 档位
fair market 市场 年宵
stock share equiti 股票 股份 股
kid child children 儿童 小孩
film movi 电影
song music album 歌曲 音乐
tour concert 巡演 演唱会
plane jet aircraft airlin 飞机 客机 航空
ship vessel boat 船
car vehicl auto 汽车 车辆
truck lorri 货车
price list 价格 定价 售价 标价
cheap cheaper low lower 便宜 较低
expens dear high higher 贵 较高
author writer 作者
husband wife spous 丈夫 妻子
brother sister sibl 兄弟 姊妹
son daughter 儿子 女儿
caus reason due becaus 原因 引致 导致 起因 因为
train cours class 培训 课程
staff employe worker 员工 雇员 职员
user subscrib member 用户 订户 会员
restaur diner 餐厅 食肆
dog pet 狗 犬
`;

const irregularForms = `ate eaten eat|led lead|sold sell|bought buy|went gone go|began begun begin|rose risen rise|fell fallen fall|left leave|won win|lost lose|made make|took taken take|gave given give|came come|became become|knew known know|grew grown grow|held hold|brought bring|thought think|taught teach|caught catch|fought fight|sought seek|told tell|paid pay|built build|sent send|spent spend|met meet|ran run|saw seen see|spoke spoken speak|wrote written write|drove driven drive|chose chosen choose|broke broken break|stole stolen steal|shot shoot|struck strike|stood stand|found find|got gotten get|felt feel|dealt deal|meant mean|heard hear|drew drawn draw|threw thrown throw|flew flown fly|died die|born birth|men man|women woman|children child|people person`;

/** Forms that share no stem with their verb. */
const irregular: ReadonlyMap<string, string> = new Map(
  irregularForms.split('|').flatMap((line) => {
    const forms = line.split(' ');
    const base = stemOf(forms.at(-1) ?? '');
    return forms.map((form) => [stemOf(form), base] as const);
  }),
);

const synonymKeys: ReadonlyMap<string, string> = new Map(
  synonymTable
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split(' ');
      return words.map((word) => [word, `~${words[0] ?? ''}`] as const);
    }),
);

/** One key for the forms and synonyms of an English stem. */
export function wordKey(stem: string): string {
  const base = irregular.get(stem) ?? stem;
  return measureKeys.get(base) ?? synonymKeys.get(base) ?? base;
}

/** The key that a Chinese word shares with its English one, or null. */
export function hanWordKey(word: string): string | null {
  return measureKeys.get(word) ?? synonymKeys.get(word) ?? null;
}

/** The Chinese words of both tables with at least two characters, by their first two. */
const hanTable: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  [...new Set([...measureKeys.keys(), ...synonymKeys.keys()])].filter(
    (word) => hanCharacter.test(word) && word.length > 1,
  ),
  (word) => word.slice(0, 2),
);

/** The keys of the Chinese words of a run that the tables list. */
export function hanRunKeys(run: string, pairs: readonly string[]): string[] {
  return pairs.flatMap((pair) =>
    (hanTable.get(pair) ?? []).filter((word) => run.includes(word)).map((word) => hanWordKey(word) ?? word),
  );
}
