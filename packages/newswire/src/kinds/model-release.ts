import type { Pair } from '../dispatch.ts';
import type { EventKind } from '../grammar/event-kind.ts';
import { quantityOf } from '../grammar/quantity.ts';
import { modelSize } from './model-size.ts';

const inputs: readonly Pair[] = [
  ['text and images', '文本和图像'],
  ['text, images and audio', '文本、图像和音频'],
  ['text and code', '文本和代码'],
];

const smallWindows = [32_000, 64_000, 128_000, 256_000];
const windows = [128_000, 200_000, 256_000, 400_000, 1e6, 2e6];

export const modelRelease: EventKind = {
  name: 'model-release',
  category: 'ai-models',
  tone: 'announcement',
  figureName: ['the size of the model', '模型规模'],
  figure: (random, cast) =>
    modelSize(random, cast, { small: [2e9, 3e10], usual: [4e10, 5e11], large: [2e11, 1.8e12] }),
  twinBy: 'product',
  announced: true,
  leadsTo: ['benchmark', 'price-cut', 'open-weights', 'outage', 'partnership'],
  slots: (random, _, figure) => ({
    window: quantityOf('tokens', random.pick(figure.value < 3.1e10 ? smallWindows : windows)),
    inputs: random.pick(inputs),
  }),
  en: {
    titles: [
      '{org} [releases|launches|unveils] {product}, [a model built for|aimed at] {task}',
      '{product} arrives: {org} [bets on|goes after] {task} with {figure}',
      '{org} opens {product} to developers with a context window of {window}',
      '{org} introduces {product}, promising <steadier|faster|cheaper> {task}',
      'With {product}, {org} takes aim at {rival} in {task}',
      '{org} ships {product} after <four months|half a year> of testing with {sector}',
      "{org}'s {product} is out: what the new model of {figure} can do",
    ],
    leads: [
      '{org} on {day} [released|introduced] {product}, a model with {figure} that the company [says|claims] is tuned for {task}.',
      'The new model, {product}, has {figure} and is [available|open] to developers from today, {org} said.',
      '{org} has begun offering {product}, its newest model, to paying users and through its developer platform; the company puts its size at {figure}.',
      'After a closed trial with {sector}, {org} is making {product} generally available. The model has {figure}.',
    ],
    details: [
      'It reads up to {window} at once and [accepts|takes] {inputs}.',
      'In its [own|internal] tests the company reports clear gains in {task} and {task2} over the previous version.',
      'Early users among {sector} describe <quicker answers|fewer invented facts|better behaviour on long prompts>, though they also note slow responses at peak hours.',
      'The release puts pressure on {rival}, whose own model has led the field in {task2} since spring.',
      '{org} published a model card with the launch but did not [disclose|share] what data the model was trained on.',
      'The previous version stays available for <six months|a year>, so that customers can compare the two.',
      'Outside testers had the model for <two|three> weeks before the launch and looked for ways to misuse it.',
    ],
    early: [
      'Access starts in {place} and widens over the coming weeks.',
      'Prices have not been announced for customers with large volumes.',
    ],
    voices: [
      '“We held it back until {task} worked without a person checking every line,” {person}, {job} at {org}, told reporters.',
      '“It is the first model we would hand to {sector} without a long list of warnings,” said {person}, {job} at {org}.',
      '“The numbers look good, but I want to see it in production,” an engineer who tried the model early said.',
      '{analyst} [expects|predicts] that {rival} will answer with a release of its own before the end of the quarter.',
    ],
    background: [
      '{org} sells its models mostly to {sector} and has brought out <two|three> this year.',
      'Models for {task} have become a crowded field: {rival} and several smaller companies offer them too.',
      'The company trains its models in {place}, where it has rented computing capacity since last year.',
    ],
    brief: "{org}'s release of {product}",
    followUps: [
      {
        title: 'Developers put {product} through its paces on {task}',
        lead: 'Shortly after {org} released {product}, developers who tried it on {task} report <solid|uneven|better than expected> results.',
      },
      {
        title: '{org} widens access to {product} beyond {place}',
        lead: '{org} has opened {product} to customers in further regions, sooner than its launch schedule had foreseen.',
      },
      {
        title: '{rival} answers {product} with a promise of its own',
        lead: '{rival} said it would bring forward its next model, a move that [observers|analysts] tie directly to the arrival of {product}.',
      },
      {
        title: 'Testers find {product} weaker in {task2} than promised',
        lead: 'A group of independent testers says {product} falls behind its predecessor in {task2}, which {org} [does not dispute|has acknowledged].',
      },
    ],
    rumour: {
      confirmation: {
        title: 'The unnamed model for {task} is {product}, {org} confirms',
        lead: '{org} has confirmed that the unannounced model which {sector} have been testing for {task} is {product}.',
      },
      tellings: [
        {
          title: 'Unreleased model of {figure} said to be close to launch',
          lead: 'A new model with {figure}, built for {task}, is in the last stage of testing with {sector}, according to two people who have used it.',
        },
        {
          title: 'Testers describe an unnamed model made for {task}',
          lead: 'Several {sector} are testing a model that nobody has announced. It is made for {task} and has {figure}, one of the testers said.',
        },
      ],
    },
  },
  zh: {
    titles: [
      '{org}[发布|推出] {product}，[主攻|瞄准]{task}',
      '{product} [正式上线|亮相]：{org}以 {figure}押注{task}',
      '{org}向开发者开放 {product}，上下文窗口达 {window}',
      '{org}新模型 {product} 登场，{task}<更稳|更快|更便宜>',
      '对标{rival}，{org}推出面向{task}的 {product}',
      '与{sector}内测<四个月|半年>后，{org}上线 {product}',
      '{org} {product} 上线：{figure}的新模型能做什么',
    ],
    leads: [
      '{org}{day}[发布|推出]新模型 {product}，规模为 {figure}，公司[表示|称]该模型针对{task}做了专门优化。',
      '{org}最新模型 {product} 即日起向开发者[开放|提供]，模型规模为 {figure}。',
      '{org}开始向付费用户和开发平台提供 {product}，据公司介绍，这款模型规模为 {figure}。',
      '在与{sector}完成封闭测试后，{org}宣布 {product} 全面可用，该模型拥有 {figure}。',
    ],
    details: [
      '该模型一次可读取 {window}，[支持|接受]{inputs}输入。',
      '公司[自测|内部测试]显示，新模型在{task}和{task2}上较上一代有明显进步。',
      '参与早期测试的{sector}用户反馈，<回答速度更快|事实错误更少|长提示词表现更稳>，但高峰时段响应偏慢。',
      '此举给{rival}带来压力，后者的模型自春季以来一直在{task2}方面领先。',
      '{org}同时公布了模型说明文档，但没有[披露|透露]训练数据来源。',
      '上一代模型还将保留<六个月|一年>，方便客户对比。',
      '发布前，外部测试人员用<两|三>周时间检验模型可能被滥用的方式。',
    ],
    early: ['首批开放地区为{place}，未来数周将逐步扩大。', '面向大客户的价格尚未公布。'],
    voices: [
      '“直到{task}不再需要人逐行核对，我们才把它放出来，”{org}{job}{person}对记者表示。',
      '{org}{job}{person}表示：“这是第一款我们敢直接交给{sector}、不必附一长串提醒的模型。”',
      '“数据不错，但我想看它在实际业务中的表现，”一位提前试用的工程师表示。',
      '{analyst}[预计|认为]，{rival}会在本季度结束前推出自己的新模型。',
    ],
    background: [
      '{org}的模型主要卖给{sector}，今年已推出<两|三>款。',
      '面向{task}的模型竞争激烈，{rival}和几家规模较小的公司也有同类产品。',
      '公司在{place}训练模型，自去年起在当地租用算力。',
    ],
    brief: '{org}发布 {product}',
    followUps: [
      {
        title: '开发者实测 {product}：{task}表现如何',
        lead: '{org}发布 {product} 后不久，不少开发者给出了{task}方面的实测结果，评价<总体积极|褒贬不一|好于预期>。',
      },
      {
        title: '{org}扩大 {product} 开放范围，不再限于{place}',
        lead: '{org}宣布 {product} 向更多地区的客户开放，进度早于发布时的计划。',
      },
      {
        title: '{rival}回应 {product}：新模型将提前推出',
        lead: '{rival}表示下一代模型将提前发布，[业内|分析人士]认为这与 {product} 的上线直接相关。',
      },
      {
        title: '测试者称 {product} 在{task2}上不如宣传',
        lead: '一批独立测试者表示，{product} 在{task2}上不及上一代，{org}[没有否认|承认了这一点]。',
      },
    ],
    rumour: {
      confirmation: {
        title: '{org}证实：内测中的{task}模型就是 {product}',
        lead: '{org}证实，{sector}此前为{task}试用的未公布模型，正是 {product}。',
      },
      tellings: [
        {
          title: '消息称一款规模 {figure}的新模型即将发布',
          lead: '两名试用者透露，一款面向{task}、规模为 {figure}的新模型正在与{sector}进行最后阶段的测试。',
        },
        {
          title: '一款面向{task}的神秘模型正在内测',
          lead: '多家{sector}正在测试一款尚未公布的模型，一名测试者称，该模型面向{task}，规模为 {figure}。',
        },
      ],
    },
  },
};
