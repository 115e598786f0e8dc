import type { InterfaceLanguage } from '../../shell/words/words.ts';

const english = {
  budgets: 'Budgets',
  intro:
    'Budgets limit paid calls to language models. A question that would exceed a budget is refused until the next period. Answers that consist of quotations are free.',
  noModel:
    'This installation has no language model for agents. Agents quote their sources and use no budget.',
  usage: 'Usage in the current periods',
  whose: 'Applies to',
  scopes: { organization: 'The organization', agent: 'Agent', member: 'Member' },
  every: { organization: 'The organization', agent: 'Every other agent', member: 'Every other member' },
  you: 'You',
  period: 'Period',
  periods: { minute: 'Minute', day: 'Day', month: 'Month' },
  per: { minute: 'per minute', day: 'per day', month: 'per month' },
  usageOf: (whose: string, per: string) => `${whose}, ${per}`,
  named: (scope: string, name: string) => `${scope}: ${name}`,
  tokens: 'Tokens',
  money: (currency: string) => `Cost (${currency})`,
  calls: 'Calls',
  renews: 'Renews (UTC)',
  of: (used: string, limit: string) => `${used} of ${limit}`,
  unlimited: 'No limit',
  list: 'Organization budgets',
  empty: 'No budgets yet.',
  emptyText: 'Without a budget, calls by agents are not limited.',
  set: 'Set budget',
  save: 'Save budget',
  saveText:
    'Replaces the budget for the same agent, member or organization and the same period. Leave a field empty for no limit.',
  moneyHint: 'For example 5 or 0.50.',
  remove: 'Remove budget',
  change: 'Change',
  required: 'is required unless you enter a cost limit',
};

export type BudgetWords = typeof english;

const chinese: BudgetWords = {
  budgets: '预算',
  intro: '预算限制语言模型的付费调用。超出预算的提问会被拒绝，直到下一个周期开始。直接引用的回答不产生费用。',
  noModel: '此系统没有为智能体配置语言模型：智能体只引用原文，不消耗预算。',
  usage: '当前周期的用量',
  whose: '对象',
  scopes: { organization: '整个组织', agent: '智能体', member: '成员' },
  every: { organization: '整个组织', agent: '其他每个智能体', member: '其他每位成员' },
  you: '您',
  period: '周期',
  periods: { minute: '分钟', day: '天', month: '月' },
  per: { minute: '每分钟', day: '每天', month: '每月' },
  usageOf: (whose: string, per: string) => `${whose}（${per}）`,
  named: (scope: string, name: string) => `${scope}：${name}`,
  tokens: 'Token 数',
  money: (currency: string) => `金额（${currency}）`,
  calls: '调用次数',
  renews: '重置时间（UTC）',
  of: (used: string, limit: string) => `${used} / ${limit}`,
  unlimited: '不限',
  list: '组织的预算',
  empty: '还没有预算。',
  emptyText: '没有预算时，智能体的调用不受限制。',
  set: '设置预算',
  save: '保存预算',
  saveText: '同一对象、同一周期的原有预算会被替换。留空表示不限。',
  moneyHint: '例如 5 或 0.50。',
  remove: '移除预算',
  change: '更改',
  required: '为必填项，除非填写了金额',
};

export function budgetWords(language: InterfaceLanguage): BudgetWords {
  return language === 'zh' ? chinese : english;
}
