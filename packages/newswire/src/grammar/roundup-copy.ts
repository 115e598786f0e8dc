import type { Language } from '../dispatch.ts';

/** One item that names several events; `{one}`, `{two}` and `{three}` are their briefs. */
export const roundupCopy: Readonly<
  Record<Language, { readonly titles: readonly string[]; readonly summaries: readonly string[] }>
> = {
  en: {
    titles: [
      'Morning briefing: {one}, and {two}',
      'In brief: {one}; {two}; {three}',
      'Three things to know: {one}, {two} and {three}',
      'The day in models and money: {one} and more',
      'Catch-up: {one}, {two} and what else happened',
    ],
    summaries: [
      'Our overview starts with {one}. It goes on to {two} and closes with {three}.',
      'Among the news of the past days: {one}. Also covered are {two} and {three}.',
      'This edition brings together {one}, {two} and {three}, with links to the full reports.',
    ],
  },
  zh: {
    titles: [
      '早报：{one}；{two}',
      '一文速览：{one}；{two}；{three}',
      '今日三件事：{one}、{two}、{three}',
      '模型与资本日志：{one}等',
      '回顾：{one}，{two}，以及其他消息',
    ],
    summaries: [
      '本期首先关注{one}，随后梳理{two}，最后是{three}。',
      '近日要闻包括：{one}；此外还有{two}，以及{three}。',
      '本期汇总了{one}、{two}和{three}，并附完整报道链接。',
    ],
  },
};
