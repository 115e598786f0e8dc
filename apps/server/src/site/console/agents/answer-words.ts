import type { InterfaceLanguage } from '../../shell/words/words.ts';

const english = {
  answers: 'Questions and answers',
  question: 'Question',
  hint: 'Each sentence of the answer cites its source.',
  ask: 'Ask',
  askNext: 'Ask a follow-up question',
  history: 'Earlier questions',
  noHistory: 'No questions yet.',
  noHistoryText: 'Your questions to this agent and their answers appear here. Only you see them.',
  asked: 'Asked',
  sentences: (count: number) => (count === 1 ? '1 sentence' : `${count} sentences`),
  answer: 'Answer',
  nothing: 'The sources do not answer this question.',
  nothingText: 'Name the company, product or person, and ask about one fact.',
  noCorrections: 'No matching corrections or withdrawals.',
  noCorrectionsText:
    'This agent lists corrections and withdrawals of the last 7 days. Name a company, product or person, or ask without a name to list all of them.',
  openSource: 'Open the source',
  quotedFrom: 'Quoted from',
  leftOut: 'Omitted',
  reasons: {
    unavailable: 'A sentence whose source was withdrawn or can no longer be read.',
    changed: 'A sentence that its publisher changed.',
    unanswered: 'Not answered by the sources:',
    unsupported: 'A sentence by the model that its citation does not support.',
    uncited: 'A sentence by the model without a citation.',
  },
  unsupportedParts: 'Not supported:',
  by: {
    extract: 'Quoted from the sources, without a language model.',
    model: 'Written by a language model and checked against the cited sentences.',
  },
  outcomes: {
    wrote: '',
    silent: 'The language model found no answer, so the answer consists of quotations.',
    stopped: 'The sources supported no sentence by the language model, so the answer consists of quotations.',
    missing: 'The language model of this agent is not configured, so the answer consists of quotations.',
    failed: 'The language model did not respond, so the answer consists of quotations.',
    slow: 'The language model took too long, so the answer consists of quotations.',
    busy: 'Too many answers were being written, so the answer consists of quotations.',
  },
  contradiction: 'These sentences state different numbers:',
  remove: 'Delete answer',
  removeTitle: 'Delete this answer?',
  removeText: 'The question, the answer and its citations are deleted.',
};

export type AnswerWords = typeof english;

const chinese: AnswerWords = {
  answers: '问答',
  question: '问题',
  hint: '回答的每一句都注明来源。',
  ask: '提问',
  askNext: '继续追问',
  history: '历史提问',
  noHistory: '还没有提问。',
  noHistoryText: '您向该智能体的提问和回答会显示在这里，仅您可见。',
  asked: '提问时间',
  sentences: (count: number) => `${count} 句`,
  answer: '回答',
  nothing: '现有来源没有回答这个问题。',
  nothingText: '请写明公司、产品或人物的名称，并只问一项事实。',
  noCorrections: '没有相关的更正或撤回。',
  noCorrectionsText: '该智能体列出最近七天的更正和撤回。请写明公司、产品或人物的名称；不写名称则列出全部。',
  openSource: '打开来源',
  quotedFrom: '引自',
  leftOut: '未列出',
  reasons: {
    unavailable: '有一句的来源已撤回或无法再读取。',
    changed: '有一句已被发布者修改。',
    unanswered: '来源未回答：',
    unsupported: '模型写的一句话没有得到所引来源的支持。',
    uncited: '模型写的一句话没有注明来源。',
  },
  unsupportedParts: '未获支持：',
  by: { extract: '直接引自来源，未使用语言模型。', model: '由语言模型撰写，每句都已与所引句子核对。' },
  outcomes: {
    wrote: '',
    silent: '语言模型没有找到答案，因此改为引用原文。',
    stopped: '语言模型写的句子都没有得到来源支持，因此改为引用原文。',
    missing: '该智能体的语言模型尚未配置，因此改为引用原文。',
    failed: '语言模型没有响应，因此改为引用原文。',
    slow: '语言模型响应太慢，因此改为引用原文。',
    busy: '正在撰写的回答过多，因此改为引用原文。',
  },
  contradiction: '以下句子的数字不一致：',
  remove: '删除回答',
  removeTitle: '要删除这条回答吗？',
  removeText: '问题、回答及其引用将被删除。',
};

export function answerWords(language: InterfaceLanguage): AnswerWords {
  return language === 'zh' ? chinese : english;
}
