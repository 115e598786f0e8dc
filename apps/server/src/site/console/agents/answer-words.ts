import type { InterfaceLanguage } from '../../shell/words/words.ts';

const english = {
  answers: 'Questions and answers',
  question: 'Question',
  hint: 'The answer consists of sentences quoted from the news and from files that you can read, each with its source.',
  ask: 'Ask',
  askNext: 'Ask a follow-up question',
  history: 'Earlier questions',
  noHistory: 'No questions yet.',
  noHistoryText: 'Your questions to this agent and their answers appear here. Only you see them.',
  asked: 'Asked',
  sentences: (count: number) => (count === 1 ? '1 sentence' : `${count} sentences`),
  answer: 'Answer',
  nothing: 'The sources do not answer this.',
  nothingText: 'Name the company, product or person, and ask about one fact.',
  openSource: 'Open the source',
  quotedFrom: 'Quoted from',
  leftOut: 'Left out',
  reasons: {
    unavailable: 'A sentence whose source was withdrawn or is no longer readable.',
    changed: 'A sentence that its publisher has changed.',
    unanswered: 'Not answered by the sources:',
  },
  contradiction: 'These sentences state different numbers:',
  remove: 'Delete answer',
  removeTitle: 'Delete this answer?',
  removeText: 'The question and its citations are deleted.',
};

export type AnswerWords = typeof english;

const chinese: AnswerWords = {
  answers: '问答',
  question: '问题',
  hint: '回答由新闻和您可读取的文件中的原句组成，每句都注明来源。',
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
  openSource: '打开来源',
  quotedFrom: '引自',
  leftOut: '未列出',
  reasons: {
    unavailable: '有一句的来源已撤回或无法再读取。',
    changed: '有一句已被发布者修改。',
    unanswered: '来源未回答：',
  },
  contradiction: '以下句子的数字不一致：',
  remove: '删除回答',
  removeTitle: '要删除这条回答吗？',
  removeText: '问题及其引用将被删除。',
};

export function answerWords(language: InterfaceLanguage): AnswerWords {
  return language === 'zh' ? chinese : english;
}
