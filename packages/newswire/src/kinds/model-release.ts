import type { EventKind } from '../grammar/event-kind.ts';
import { quantity } from '../grammar/quantity.ts';
import { tasks } from '../grammar/subject-matter.ts';

export const modelRelease: EventKind = {
  name: 'model-release',
  category: 'ai-models',
  tone: 'announcement',
  figureName: ['the size of the model', '模型规模'],
  figure: ['parameters', 2e10, 2e12],
  twinBy: 'product',
  announced: true,
  leadsTo: ['benchmark', 'price-cut', 'open-weights', 'outage', 'partnership'],
  slots: (random) => ({
    window: quantity(random, 'tokens', 64_000, 2_000_000).text,
    task2: random.pick(tasks),
  }),
  en: {
    titles: [
      '{org} [releases|launches|unveils] {product}, [a model built for|aimed at] {task}',
      '{product} arrives: {org} [bets on|goes after] {task} with {figure}',
      '{org} opens {product} to developers with a context window of {window}',
      '{org} introduces {product}, promising <steadier|faster|cheaper> {task}',
      'With {product}, {org} takes aim at {rival} in {task}',
      '{org} ships {product} after <months|a year> of testing with {sector}',
      '{org} says {product}, at {figure}, is its <largest|most capable> model yet',
    ],
    leads: [
      '{org} on {day} [released|introduced] {product}, a model with {figure} that the company [says|claims] is tuned for {task}.',
      'The new model, {product}, carries {figure} and is [available|open] to developers from today, {org} said.',
      '{org} has begun offering {product}, its newest model, to paying users and through its developer platform; the company puts its size at {figure}.',
      'After a closed trial with {sector}, {org} is making {product} generally available. The model has {figure}.',
    ],
    details: [
      'It reads up to {window} at once and [accepts|takes] text, images and audio.',
      'In its [own|internal] tests the company reports clear gains in {task} and {task2} over the previous version.',
      'Early users among {sector} describe <quicker answers|fewer invented facts|better behaviour on long prompts>, though they also note higher latency at peak hours.',
      'The release puts pressure on {rival}, whose own model has led the field in {task2} since spring.',
      '{org} published a system card with the launch but did not [disclose|share] what data the model was trained on.',
    ],
    early: ['Access starts in {place} and widens over the coming weeks.'],
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
    ],
  },
  zh: {
    titles: [
      '{org}[发布|推出] {product}，[主攻|瞄准]{task}',
      '{product} [正式上线|亮相]：{org}以 {figure}押注{task}',
      '{org}向开发者开放 {product}，上下文窗口达 {window}',
      '{org}新模型 {product} 登场，{task}能力[明显提升|再进一步]',
      '对标{rival}，{org}推出面向{task}的 {product}',
      '历经<数月|一年>内测，{org} {product} 面向{sector}开放',
      '{org}称 {product} 为其<迄今最大|最强>模型，规模 {figure}',
    ],
    leads: [
      '{org}{day}发布新模型 {product}，规模为 {figure}，公司表示该模型针对{task}做了专门优化。',
      '{org}最新模型 {product} 即日起向开发者开放，模型规模 {figure}。',
      '在与{sector}完成封闭测试后，{org}宣布 {product} 全面可用，该模型拥有 {figure}。',
      '{org}开始向付费用户和开发平台提供 {product}，据公司介绍，这款模型规模为 {figure}。',
    ],
    details: [
      '该模型一次可读取 {window}，支持文本、图像和语音输入。',
      '公司内部测试显示，新模型在{task}和{task2}上较上一代有明显进步。',
      '参与早期测试的{sector}用户反馈，<回答速度更快|事实错误更少|长提示词表现更稳>，但高峰时段延迟偏高。',
      '业内认为，此举给{rival}带来压力，后者自春季以来一直在{task2}方面领先。',
      '{org}同时公布了系统说明文档，但没有[披露|透露]训练数据来源。',
    ],
    early: ['首批开放地区为{place}，未来数周将逐步扩大。'],
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
        lead: '{rival}表示下一代模型将提前发布，业内普遍认为这与 {product} 的上线直接相关。',
      },
    ],
  },
};
