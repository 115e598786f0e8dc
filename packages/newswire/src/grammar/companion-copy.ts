import type { Language, OutletShape } from '../dispatch.ts';
import type { EventKind } from './event-kind.ts';

/** The wording of an event in a special form: headline, first sentence, optional sentences, last sentence. */
export interface FormCopy {
  readonly titles: readonly string[];
  readonly leads: readonly string[];
  /** Without these, the sentences of the event itself. */
  readonly details?: readonly string[];
  readonly closings: readonly string[];
}

type Forms = Readonly<Partial<Record<OutletShape, (kind: EventKind) => FormCopy>>>;

/** Abstracts and release notes are written in English everywhere. */
const preprint: FormCopy = {
  titles: [
    '{Method} for {task}',
    'Reducing the cost of {task} with {method}',
    'On the use of {method} in {task}',
    '{Method} at scale: a study of {task}',
    'Is {method} enough for {task}?',
    'Revisiting {method} for {task} with models of up to {size}',
  ],
  leads: [
    'We study {method} as a way to reduce the computation needed for {task}, and report a saving of {figure} at equal quality.',
    'This paper applies {method} to {task}. With models of up to {size} we measure {figure} less computation at equal quality.',
  ],
  details: [
    'Ablations show that most of the effect comes from the first few layers.',
    'The gain shrinks when inputs are very long.',
    'We compare with two public baselines and with {product}.',
    'The method needs no additional training data.',
    'Results hold over three random seeds.',
  ],
  closings: [
    'Code and logs accompany the paper.',
    'We discuss where the approach fails and what larger models may change.',
  ],
};

const release: FormCopy = {
  titles: ['{product}', '{product}: weights and tools', 'Support for {product}', '{product}, second build'],
  leads: [
    'This release adds support for {product} to the command-line tools and the Python package.',
    'First release with {product}; see the model card for evaluation results and known limits.',
  ],
  details: [
    'Adds an example for {task} to the documentation.',
    'Fixes a memory leak in streaming mode.',
    'Raises the oldest supported Python version.',
    'Adds a command that converts older checkpoints.',
    'Loading a model takes about half as long as before.',
    'Checksums of all files are attached.',
  ],
  closings: [
    'Existing configuration files keep working.',
    'Please report problems in the tracker with the version and the full command.',
  ],
};

const english: Forms = {
  preprints: () => preprint,
  releases: () => release,
  video: ({ name }) => (name === 'tip' ? englishLesson : englishVideo),
  podcast: ({ name }) => (name === 'opinion' ? englishTalk : englishEpisode),
};

const englishLesson: FormCopy = {
  titles: [
    '{product} for {task}, from start to finish',
    'My setup for {task} with {product}',
    'Stop making these mistakes with {product}',
    '{task} with {product}: what I would do differently',
  ],
  leads: [
    'I walk through {task} with {product}, from an empty project to a result you can use.',
    'In this video: how I use {product} for {task}, and why {habit} makes the difference.',
  ],
  details: [
    'The first part is about {habit}.',
    'I also show what happens when the model refuses or loops.',
    'You do not need a paid plan for any of this.',
    'At the end I try the same with the service of {rival}.',
  ],
  closings: ['Chapters and the files I use are below.', 'All prompts from the video are linked below.'],
};

const englishVideo: FormCopy = {
  titles: [
    '{product}: what you need to know',
    'What is going on at {org}?',
    '{org} and {product}, explained',
    'Let us talk about {org}',
  ],
  leads: [
    'A look at the news from {org}: what happened, what the company says, and what is still open.',
    'In this video I go through what is known about {product} and {org} so far.',
  ],
  closings: ['Sources are linked below.', 'Chapters and sources are listed in the description.'],
};

const englishTalk: FormCopy = {
  titles: [
    'Why {thesis}, with a guest from {place}',
    '{Thesis}: a conversation about {task}',
    'A year with {product}: does it mean that {thesis}?',
  ],
  leads: [
    'Our guest has spent a year with {product} and says that {thesis}.',
    'A conversation about {task}, {product} and the claim that {thesis}.',
  ],
  details: [
    'We also talk about what {sector} get out of it.',
    'The guest worked for {rival} before and compares the two companies.',
    'In the second half we answer letters from listeners.',
  ],
  closings: [
    'Links to everything we mention are in the show notes.',
    'Write to us with your own experience.',
  ],
};

const englishEpisode: FormCopy = {
  titles: ['{org} in the news', 'The {org} episode', '{product}, {org} and what comes next'],
  leads: [
    'This week we talk about the news from {org}, and what it means for everyone who works on {task}.',
    'We go through the reports about {org} and {product} one by one.',
  ],
  closings: ['Links to everything we mention are in the show notes.', 'Write to us with questions.'],
};

const chinese: Forms = {
  preprints: () => preprint,
  releases: () => release,
  video: ({ name }) => (name === 'tip' ? chineseLesson : chineseVideo),
  podcast: ({ name }) => (name === 'opinion' ? chineseTalk : chineseEpisode),
};

const chineseLesson: FormCopy = {
  titles: [
    '用 {product} 做{task}，从头到尾演示',
    '我的{task}工作流：{product}',
    '用 {product} 别再犯这些错',
    '用 {product} 做{task}：如果重来一次',
  ],
  leads: [
    '本期从空白项目开始，演示如何用 {product} 完成{task}。',
    '这期视频介绍我怎样用 {product} 做{task}，以及为什么{habit}很关键。',
  ],
  details: [
    '第一部分讲{habit}。',
    '模型拒答或陷入循环时怎么办，视频里也有演示。',
    '全程不需要付费版。',
    '最后我用{rival}的服务做了同样的事。',
  ],
  closings: ['章节和文件见下方。', '视频中用到的提示词都在下方链接里。'],
};

const chineseVideo: FormCopy = {
  titles: ['{product}：你需要知道的事', '{org}到底发生了什么', '一次讲清{org}和 {product}', '聊聊{org}'],
  leads: [
    '本期梳理{org}的消息：发生了什么，公司怎么说，还有哪些疑问。',
    '本期把目前关于 {product} 和{org}的已知信息过一遍。',
  ],
  closings: ['信息来源见下方链接。', '章节和来源见简介。'],
};

const chineseTalk: FormCopy = {
  titles: [
    '为什么说{thesis}：对话一位{place}嘉宾',
    '{thesis}：关于{task}的一次对谈',
    '{product} 用了一年：{thesis}？',
  ],
  leads: [
    '本期嘉宾使用 {product} 一年，他的看法是：{thesis}。',
    '围绕{task}和 {product}，本期讨论一个观点：{thesis}。',
  ],
  details: [
    '我们也聊到{sector}从中得到了什么。',
    '嘉宾曾在{rival}工作，节目里比较了两家公司。',
    '后半段回答听众来信。',
  ],
  closings: ['节目中提到的链接见节目单。', '欢迎来信分享你的经验。'],
};

const chineseEpisode: FormCopy = {
  titles: ['聊聊{org}的新闻', '{org}专题', '{product}、{org}与接下来的事'],
  leads: [
    '本期聊聊{org}的消息，以及它对{task}从业者意味着什么。',
    '我们逐条梳理关于{org}和 {product} 的报道。',
  ],
  closings: ['节目中提到的链接见节目单。', '欢迎来信提问。'],
};

export const companionCopy: Readonly<Record<Language, Forms>> = { en: english, zh: chinese };
