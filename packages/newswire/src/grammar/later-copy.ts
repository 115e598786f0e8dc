import type { Language } from '../dispatch.ts';
import type { Telling, Tone } from './event-kind.ts';

/** Wording of dispatches that come after the first one, for any kind of event. `{figure}` came first, then `{other}`. */
interface LaterCopy {
  readonly disputes: readonly Telling[];
  readonly corrections: readonly Telling[];
  /** Sentences for the time before the organization is named. */
  readonly rumourDetails: readonly string[];
  /** How an outlet begins what it has added to an article. */
  readonly updated: string;
  /** The note under an article whose figure was corrected; `{figure}` is right now, `{other}` was wrong. */
  readonly figureNote: string;
  /** In addition to the sentences of each kind; kinds about trouble or departures use only their own. */
  readonly followUps: Readonly<Record<Tone, readonly Telling[]>>;
  /** The digest's sentence on a contradiction: the earlier and the later figure. */
  readonly statement: string;
}

const englishReactions: readonly Telling[] = [
  {
    title: 'Analysts weigh {brief}',
    lead: '{analyst} has looked at {brief} and sees <more risk than the headlines suggest|a sound decision|a sign of things to come>.',
  },
  {
    title: '{Sector} react to {brief}',
    lead: 'Among {sector}, {brief} has met with <cautious approval|scepticism|curiosity>.',
  },
  {
    title: '{person} takes questions on {brief}',
    lead: 'For the first time since news broke of {brief}, {person} has spoken in public.',
  },
];

const englishBehind: Telling = {
  title: 'Behind {brief}: how the decision was made',
  lead: 'Interviews with people involved show how {brief} came about, and who was against it.',
};

const englishAwkward: Telling = {
  title: 'What {brief} means for {rival}',
  lead: 'For {rival}, {brief} comes at an awkward moment: its own work on {task} is behind schedule.',
};

const englishFollowUps: LaterCopy['followUps'] = {
  announcement: [...englishReactions, englishBehind, englishAwkward],
  deal: [...englishReactions, englishBehind],
  research: englishReactions,
  trouble: [],
  people: [],
  essay: [],
};

const chineseReactions: readonly Telling[] = [
  {
    title: '分析师怎么看{brief}',
    lead: '{analyst}在分析{brief}后认为，<风险大于外界印象|这是稳妥的决定|这预示着行业走向>。',
  },
  {
    title: '{brief}之后，{sector}作何反应',
    lead: '对于{brief}，{sector}的态度是<谨慎欢迎|将信将疑|颇感好奇>。',
  },
  {
    title: '{person}回应{brief}',
    lead: '{brief}的消息传出后，{person}首次公开回应。',
  },
];

const chineseBehind: Telling = {
  title: '{brief}背后：决定是怎样作出的',
  lead: '多名内部人士的讲述，还原了{brief}的经过，以及当时有谁反对。',
};

const chineseAwkward: Telling = {
  title: '{brief}，对{rival}意味着什么',
  lead: '对{rival}来说，{brief}来得不是时候：其{task}业务进度已经落后。',
};

const chineseFollowUps: LaterCopy['followUps'] = {
  announcement: [...chineseReactions, chineseBehind, chineseAwkward],
  deal: [...chineseReactions, chineseBehind],
  research: chineseReactions,
  trouble: [],
  people: [],
  essay: [],
};

export const laterCopy: Readonly<Record<Language, LaterCopy>> = {
  en: {
    disputes: [
      {
        title: 'Documents put {figureName} at {other}, not {figure}, in {brief}',
        lead: 'Papers seen by reporters put {figureName} in {brief} at {other}; earlier reports had said {figure}.',
      },
      {
        title: '{org}: {figureName} was {other}, two people say, contradicting first reports',
        lead: 'Two people with direct knowledge of {brief} give {figureName} as {other} and call the figure of {figure} wrong.',
      },
      {
        title: 'Doubts over {brief}: {figureName} may be {other}',
        lead: 'Contrary to what was first reported about {brief}, {figureName} is {other} and not {figure}, according to {analyst}.',
      },
      {
        title: '{Brief}: new count gives {other} instead of {figure}',
        lead: 'A closer look at {brief} arrives at a different number. It puts {figureName} at {other}, where earlier coverage had {figure}.',
      },
    ],
    corrections: [
      {
        title: 'Correction: {figureName} in {brief} was {other}',
        lead: 'An earlier version of our report on {brief} gave {figureName} as {figure}. The right figure is {other}; we regret the error.',
      },
      {
        title: 'Corrected: {brief}',
        lead: 'We have corrected our report on {brief}: {figureName} is {other}, not {figure} as we wrote.',
      },
      {
        title: 'We got {figureName} wrong in {brief}',
        lead: 'Our first article on {brief} named {figure}. After hearing from {org} we now give {figureName} as {other}.',
      },
    ],
    rumourDetails: [
      'The people who described the plans asked not to be named because the matter is private.',
      'An announcement could come within days, though the plans may still change.',
      'It could not be established which company is behind it.',
      'Several companies that were asked did not want to comment.',
    ],
    updated: 'Update: ',
    figureNote:
      'Correction: an earlier version of this article gave {figureName} as {other}; the right figure is {figure}.',
    followUps: englishFollowUps,
    statement: 'Earlier reports gave {figureName} as {figure}; a later one puts it at {other}.',
  },
  zh: {
    disputes: [
      {
        title: '{brief}：文件显示{figureName}为 {other}，而非 {figure}',
        lead: '记者看到的文件显示，就{brief}而言，{figureName}为 {other}，此前报道为 {figure}。',
      },
      {
        title: '{brief}说法不一，知情人士称{figureName}为 {other}',
        lead: '两名直接了解{brief}的人士表示，{figureName}应为 {other}，此前流传的 {figure}并不准确。',
      },
      {
        title: '{brief}再起疑问：{figureName}或为 {other}',
        lead: '与此前关于{brief}的报道不同，{analyst}认为{figureName}是 {other}，而不是 {figure}。',
      },
      {
        title: '重新核算{brief}：{other}，不是 {figure}',
        lead: '对{brief}的进一步核查得出了不同数字：{figureName}为 {other}，而早前报道为 {figure}。',
      },
    ],
    corrections: [
      {
        title: '更正：{brief}的{figureName}应为 {other}',
        lead: '本站此前关于{brief}的报道将{figureName}写为 {figure}，正确数字是 {other}，特此更正并致歉。',
      },
      {
        title: '更正启事：{brief}',
        lead: '我们更正了关于{brief}的报道：{figureName}为 {other}，并非此前所写的 {figure}。',
      },
      {
        title: '关于{brief}，我们写错了{figureName}',
        lead: '我们最初关于{brief}的文章写的是 {figure}，经{org}说明，{figureName}应为 {other}。',
      },
    ],
    rumourDetails: [
      '因事涉非公开信息，透露计划的人士要求匿名。',
      '消息最快可能在数日内公布，但计划仍有变数。',
      '目前尚无法确认当事公司的身份。',
      '多家被问及的公司均未置评。',
    ],
    updated: '更新：',
    figureNote: '更正：本文此前将{figureName}写为 {other}，正确数字为 {figure}。',
    followUps: chineseFollowUps,
    statement: '早前报道称{figureName}为 {figure}，后续报道则称为 {other}。',
  },
};
