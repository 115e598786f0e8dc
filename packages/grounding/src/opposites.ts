import { hanCharacter } from './language/han-text.ts';
import { stemOf } from './language/text-tokens.ts';

/** A word that belongs to one side of a pair of opposites. */
export interface Opposite {
  readonly pair: string;
  readonly sign: 1 | -1;
  readonly start: number;
  readonly end: number;
}

/**
 * `pair: one side / other side`; English words match in every inflection, `_` joins the words of a phrase. The pairs with
 * a direction also govern numbers (`rose 3 %`).
 */
const table = `
rise: rise rose risen climb grow grew grown growth gain increase jump surge soar advance rebound rally expand expansion accelerate swell uptick up_from up_by up higher raise hike lift boost upgrade uplift skyrocket double triple increment more 升 升至 升幅 涨 涨至 涨幅 增 增至 增幅 增长 增加 增多 上升 上涨 攀升 飙升 急升 回升 反弹 提升 提高 扩大 扩张 走高 走强 上扬 上调 调高 调升 加息 加价 多赚 高收 攀高 拉升 大增 大涨 大升 劲升 劲增 微升 微涨 倍增 翻倍 增持 增发 添 / fall fell fallen drop decline decrease plunge slump slide slid sink sank sunk dip tumble shrink shrank shrunk contract contraction slip ease recede retreat slow slowdown down_from down_by down lower cut reduce reduction trim slash downgrade plummet dive halve fewer less tumbled erode diminish 跌 跌至 跌幅 降 降至 降幅 减 减至 减幅 减少 下跌 下降 下滑 回落 滑落 萎缩 收缩 缩减 削减 走低 走弱 走软 下挫 挫 急跌 暴跌 大跌 大幅下 大减 大降 微跌 微降 下调 调低 调降 减息 降息 减价 降价 少赚 低收 减持 缩 缩水 放缓 收窄
profit: earn profit profitable 盈利 赚 获利 盈余 / loss lost lose unprofitable deficit 亏损 亏蚀 亏 蚀 赤字
buy: buy bought acquire purchase acquisition buyer takeover 收购 购买 购入 买入 买进 增持 买 / sell sold divest dispose sale seller 出售 卖出 抛售 沽出 减持 售出 变卖 卖 沽
beat: beat top exceed surpass outperform outpace better_than ahead_of above_estimates above_expectations 优于 好过 胜过 超出 高于预期 胜预期 超预期 好于 / miss fall_short fell_short falls_short falling_short below undershoot underperform trail lag worse_than short_of 逊于 逊 差过 差于 不及 不如 逊预期 未达
admit: admit acknowledge confess concede 承认 认罪 / deny denied denial refute dispute rebut 否认 不认罪 反驳
approve: approve approval clear accept permit authorise authorize ratify endorse allow grant adopt greenlight 批准 获批 核准 通过 接纳 接受 准许 允许 许可 同意 放行 / reject refuse rejection block ban bar veto forbid prohibit dismiss turn_down turned_down strike_down struck_down overturn outlaw 拒绝 被拒 否决 驳回 禁止 不准 封杀 推翻 遭拒 取缔
comment: comment_on commented responded 回应 置评 / decline_to_comment declined_to_comment refused_to_comment no_comment 拒绝置评 不予置评 拒评 未回应 不作评论 拒绝评论
win: win won victory triumph defeat_of 胜 赢 胜出 击败 获胜 夺冠 取胜 / lose lost loss losing 负 败 输 落败 失利 战败 惨败
support: support back backing favour favor welcome praise applaud advocate in_favor in_favour 支持 赞成 欢迎 赞扬 称赞 赞同 拥护 / oppose opposition criticise criticize criticism condemn object_to denounce slam blast against 反对 批评 谴责 抨击 抗议 指责 不满
start: start begin began begun commence launch open resume initiate introduce reopen re-opened restart kick_off 开始 启动 展开 开展 开幕 恢复 重启 重开 推出 开业 开放 / end stop halt close cease suspend cancel discontinue drop shelve abandon scrap terminate shut conclude finish abolish withdraw axe 结束 停止 终止 取消 暂停 中止 关闭 停业 停牌 撤回 撤销 搁置 废除 放弃 落幕 闭幕 结业
join: join hire appoint recruit appointment enter 加入 上任 就任 履新 聘用 入职 入读 委任 任命 招聘 / leave left quit resign sack fire oust exit depart step_down stepped_down lay_off laid_off resignation departure 离开 辞职 离任 离职 退出 解雇 裁员 下台 卸任 辞任 开除 革职
majority: majority most 多数 大多数 大部分 过半 逾半 / minority few 少数 小部分 不足半 不到一半
over: above over more_than at_least exceeding 以上 高于 超过 逾 / below under less_than fewer_than 以下 低于 不足 不到 少于
premium: premium 溢价 / discount 折让 折价 折扣
before: before prior_to ahead_of 之前 以前 前夕 事前 / after following 之后 以后 过后 事后
import: import 进口 输入 / export 出口 输出
convict: guilty convict conviction 有罪 定罪 罪成 罪名成立 / innocent acquit acquittal not_guilty cleared_of 无罪 脱罪 罪名不成立
success: succeed success successful 成功 / fail failure unsuccessful failed 失败 未能
strong: strong strengthen stronger robust 强 转强 走强 偏强 强劲 增强 加强 巩固 / weak weaken weaker 弱 转弱 走弱 偏弱 偏软 疲弱 疲软 削弱 减弱
surplus: surplus 顺差 盈余 / deficit shortfall 逆差 赤字
legal: legal lawful legitimate 合法 / illegal unlawful illegitimate 非法 违法 不合法
better: improve better improvement 改善 好转 向好 转好 / worsen worse deteriorate deterioration 恶化 转差 变差 向淡
widen: widen broaden 扩阔 / narrow 收窄 收紧
include: include including 包括 包含 / exclude excluding 不包括 撇除 剔除 除外
agree: agree 同意 / disagree 不同意
large: largest biggest highest 最大 最高 最多 新高 / smallest lowest 最小 最低 最少 新低
maximum: maximum max upper_limit 上限 最多 / minimum min lower_limit 下限 最少 至少
fast: faster fastest quicker accelerate 较快 加快 加速 / slower slowest 较慢 减慢 放缓
release: release free freed 释放 获释 保释 / arrest detain jail imprison 拘捕 逮捕 被捕 拘留 扣押
ease: ease loosen relax 放宽 宽松 松绑 / tighten 收紧 从严 紧缩
impose: impose 实施 施加 开征 / lift_the remove repeal 解除 豁免 撤销
inflow: inflow 流入 净流入 / outflow 流出 净流出
lend: lend lent lender 贷出 借出 / borrow borrower 借入
hawk: hawkish bullish 看好 看涨 乐观 / dovish bearish 看淡 看跌 悲观
long: longer longest 较长 延长 / shorter shortest 较短 缩短
early: earlier ahead_of_schedule 提早 提前 / later delayed behind_schedule postpone delay 推迟 延迟 延后 押后 延期
safe: safe secure 安全 / unsafe dangerous insecure 危险 不安全
likely: likely possible 可能 / unlikely impossible 不可能
able: able 能够 可以 / unable 无法 不能 未能
public: public 公开 / secret private confidential 秘密 机密 私人
north: north northern northeast northwest 北部 北方 / south southern southeast southwest 南部 南方
east: east eastern 东部 东方 / west western 西部 西方
man: man male boy father husband brother 男 男子 / woman female girl mother wife sister 女 女子
deposit: deposit 存入 存款 / withdraw withdrawal 提取 提款
hot: hot warm warmer hottest 炎热 酷热 升温 / cold cool cooler coldest 寒冷 降温
same: same identical equal 相同 一致 相等 / different unequal 不同 相异
rich: rich wealthy 富裕 / poor 贫穷 贫困
present: attend attended present 出席 参加 到场 / absent skip skipped boycott 缺席 抵制
remain: remain stay stayed keep kept continue maintain 维持 保持 留任 继续 / change leave left quit abandon 改变 变动
accuse: accuse blame sue charge 指控 控告 起诉 / defend clear exonerate 辩护 撤控
certain: confirm confirmed prove proven 证实 确认 断定 / believe suspect suspected believed 相信 怀疑 据信
kill: kill die died dead death fatal 死 死亡 身亡 遇难 丧生 丧命 不治 / injure wound hurt injury survive survivor 受伤 伤 伤者 生还 幸存
old: older oldest elder 年长 / younger youngest 年轻
done: 已 已经 已被 / 未 尚未 未有 未曾 未被 没有
inject: 投放 注入 净投放 / 回笼 抽走 净回笼 抽资
open_to: married employed guilty / unmarried unemployed
trust: trust optimistic confident 信任 有信心 / distrust pessimistic doubt 不信任 怀疑
`;

interface Side {
  readonly pair: string;
  readonly sign: 1 | -1;
}

const words = new Map<string, Side[]>();
const phrases = new Map<string, Side[]>();
const hanWords = new Map<string, Side[]>();

for (const line of table.trim().split('\n')) {
  const [pair = '', sides = ''] = line.split(': ');
  sides.split(' / ').forEach((side, at) => {
    for (const entry of side.split(' ')) addEntry(entry, { pair, sign: at === 0 ? 1 : -1 });
  });
}

function addEntry(entry: string, side: Side): void {
  const [map, key] = /\p{Script=Han}/u.test(entry)
    ? ([hanWords, entry] as const)
    : entry.includes('_')
      ? ([phrases, entry.replaceAll('_', ' ')] as const)
      : ([words, stemOf(entry)] as const);
  map.set(key, [...(map.get(key) ?? []), side]);
}

const longestFirst = (keys: Iterable<string>): string =>
  [...keys].sort((one, other) => other.length - one.length).join('|');
const hanForm = new RegExp(longestFirst(hanWords.keys()), 'gu');
const phraseForm = new RegExp(`\\b(?:${longestFirst(phrases.keys())})\\b`, 'giu');
const wordForm = /\p{Script=Latin}[\p{Script=Latin}-]*/gu;

export function findOpposites(text: string): Opposite[] {
  const found: Opposite[] = [];
  const add = (sides: readonly Side[] | undefined, start: number, length: number): void => {
    for (const side of sides ?? []) found.push({ ...side, start, end: start + length });
  };
  if (/[a-z]/iu.test(text)) {
    for (const match of text.matchAll(phraseForm))
      add(phrases.get(match[0].toLowerCase()), match.index, match[0].length);
    for (const match of text.matchAll(wordForm))
      add(words.get(stemOf(match[0])), match.index, match[0].length);
  }
  if (hanCharacter.test(text))
    for (const match of text.matchAll(hanForm)) add(hanWords.get(match[0]), match.index, match[0].length);
  return found.sort((one, other) => one.start - other.start || other.end - one.end);
}
