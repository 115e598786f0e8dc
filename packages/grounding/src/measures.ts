import { stemOf } from './language/text-tokens.ts';

/** Words of one measure or role in both languages; each line is one key. */
const table = `
revenue turnover 收入 营收 营业额 收益 营业收入
profit earnings earn 盈利 净利润 纯利 利润 净利 溢利 赚 多赚 少赚
loss 亏损
sale sell sold 销售 销量 销售额 售出 卖出
adjusted 经调整
dividend 股息 派息 末期息 中期息
margin 毛利率 利润率
share stock 股价 股份 股票 每股
price 价格 售价 均价
raise fundraise 筹资 集资 融资 募资
analyst 分析师 分析员
expect forecast estimate predict anticipate 预计 预期 料 预测 估计
quarter 季度 上季 季
unemployment jobless 失业 失业率
inflation 通胀 通胀率
population 人口
investment invest 投资
vehicle car auto 汽车 车辆 新车
employee worker staff 员工 雇员 职员
customer client 客户 顾客
user 用户
application 申请
export 出口
import 进口
budget 预算
tax 税 税款
debt 债务 负债
yield 孳息率 收益率 债息
index 指数
barrel 每桶 桶
minister 部长
president 总统 主席
police 警方 警察
court 法院 法庭
vote voter ballot 投票 选民
seat 席 议席
injured wound hurt 受伤 伤者 伤
dead death kill die died 死亡 死者 身亡 死
arrest detain 拘捕 逮捕 被捕
replace succeed 接替 取代
`;

/** Word (an English stem, or Chinese) → the key of its line. */
export const measureKeys: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const entries = line.split(' ');
      return entries.map(
        (entry) => [/\p{Script=Han}/u.test(entry) ? entry : stemOf(entry), `@${entries[0]}`] as const,
      );
    }),
);
