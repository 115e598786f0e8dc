import type { Language } from '../report.ts';
import type { Tone } from './event-kind.ts';

/** Sentences that fit many events: voices by tone, background, and where an unusual theme comes in. */
interface Colour {
  readonly voices: Readonly<Record<Tone, readonly string[]>>;
  readonly background: readonly string[];
  /** Background for guides and columns. */
  readonly reading: readonly string[];
  readonly themes: readonly string[];
  /** What a reprint says of its source. */
  readonly credit: string;
}

const english: Colour = {
  voices: {
    announcement: [
      '“<We would rather be late than wrong|This took longer than we liked>,” {person}, {job} at {org}, told reporters.',
      '“<Our users asked for it|It is what customers wanted>, and they <were right|usually know best>,” said {person}, {job} at {org}.',
      '{person}, {job} at {org}, [spoke of|called it] a step the company had prepared for months.',
      '“The <real|hard> work starts now,” {person} wrote in a message to the product team at {org}.',
      'A spokesperson for {rival} said the company does not comment on the products of others in the industry.',
      '{analyst} [expects|predicts] that other companies in the industry will [follow|respond] within weeks.',
    ],
    research: [
      '“We were surprised how far a simple idea carries,” said {person}, {job} at {org}.',
      '{person}, {job} at {org}, [warned|cautioned] against reading too much into one table of data.',
      '“I would like to see this repeated with other models,” a researcher at another company said.',
      '{analyst} [expects|predicts] the work to reach products within a year.',
    ],
    trouble: [
      '“We take this seriously and will say more once we know more,” {person}, {job} at {org}, told reporters.',
      '{person} of {org} declined to give further details.',
      'A spokesperson for {rival} said the company does not comment on the affairs of others in the industry.',
      '“I would judge {org} by what it does in the next weeks,” an analyst at {analyst} said.',
    ],
    people: [
      '{analyst} [expects|predicts] that other companies in the industry will lose people to rivals this year.',
      'Neither company wanted to comment on the terms.',
      '“A name on the door is one thing, a team is another,” an analyst at {analyst} said.',
    ],
    essay: [
      'Readers who work with the same product share their own experience below the text.',
      'The author has worked with such models for several years and says so openly.',
      '{analyst} [quotes|mentions] the piece in its latest report on the industry.',
    ],
  },
  background: [
    '{org}, best known for {product}, [competes|is in close competition] with {rival} for users and customers among {sector}.',
    'The news comes as the industry [argues|debates] how much artificial intelligence may cost, and which companies and users pay for it.',
    'According to {analyst}, demand from {sector} for such products has doubled within a year.',
    'The company has said little about its work in {place}, where its research and product teams are based.',
    'Research into {task} has moved quickly this year, and companies in the industry are [keen|eager] to turn it into products for their customers.',
    'Developers [have long asked|had been waiting] for more detail about the data behind {product} and about how it was tested.',
    '{rival} and several smaller companies in the industry are working on the same problem, and users can expect their products this year.',
    'Reporters were given access to documents that support the account, and customers who work with {org} confirmed it.',
    'How much of this reaches ordinary users and customers will depend on price, data protection and trust.',
  ],
  reading: [
    'The example data and the settings come with the text, so that users can test them with a model of their own.',
    'Companies that work with {rival} will [find|see] much that carries over to its products.',
    'The text is part of a series on {task} that has found many readers among developers this year.',
    'Users new to the product may want to read the first part of the series before this one.',
    'What it says about cost will interest customers who pay for such models from a small budget.',
  ],
  themes: [
    'A side project in {theme} gave the team its first users.',
    'Some of the methods were first tried in {theme}, a field with little data.',
    'A group working in {theme} is among the early customers.',
    'The company also supports a small research programme in {theme}.',
  ],
  credit: '{source} [first reported this|was first with the news].',
};

const chinese: Colour = {
  voices: {
    announcement: [
      '“<宁可晚一点，也不能出错|这件事花的时间比预想的长>，”{org}{job}{person}对记者表示。',
      '{org}{job}{person}表示：“<用户一直有这样的要求|客户需要它>，<他们是对的|他们通常最清楚>。”',
      '{org}{job}{person}[称|表示]，公司的技术团队为此已准备数月。',
      '“<真正的|艰难的>工作现在才开始，”{person}在致产品团队的信中写道。',
      '{rival}发言人表示，公司不评论行业内其他企业的产品。',
      '{analyst}[预计|认为]，行业内其他企业将在数周内[跟进|作出回应]。',
    ],
    research: [
      '“一个简单的想法能走这么远，我们也没想到，”{org}{job}{person}表示。',
      '{org}{job}{person}[提醒|表示]，不宜对单一数据表作过多解读。',
      '“希望能在其他模型上看到同样的结果，”另一家企业的研究人员表示。',
      '{analyst}[预计|认为]，这项技术一年内会进入产品。',
    ],
    trouble: [
      '“我们高度重视此事，了解更多情况后会及时说明，”{org}{job}{person}对记者表示。',
      '{org}的{person}没有透露更多技术细节。',
      '{rival}发言人表示，公司不评论行业内其他企业的事务。',
      '“要看{org}接下来几周怎么做，”{analyst}的一位分析师表示。',
    ],
    people: [
      '{analyst}[预计|认为]，今年行业内还会有更多企业的人才被对手挖走。',
      '两家企业均未就具体条件作出回应。',
      '“门上的名字是一回事，团队是另一回事，”{analyst}的一位分析师表示。',
    ],
    essay: [
      '不少使用同一产品的读者在文后分享了自己的经验。',
      '作者使用这类模型已有数年，文中对此并不讳言。',
      '{analyst}在最新的行业报告中[引用|提到]了这篇文章。',
    ],
  },
  background: [
    '{org}以 {product} 闻名，与{rival}在{sector}市场上[竞争激烈|正面竞争]，双方都在争取企业客户和开发者。',
    '目前，整个行业都在[讨论|争论]人工智能技术的成本究竟由谁承担，企业客户对此尤其关心。',
    '据{analyst}数据，{sector}对此类产品的需求一年内翻了一番，行业规模仍在扩大。',
    '目前，公司对{place}的计划透露不多，其研究团队和产品开发团队就设在当地。',
    '今年以来，{task}技术进展很快，行业内企业都希望尽早做成产品，发布节奏明显加快。',
    '行业内的开发者[长期以来|此前一直]希望了解 {product} 背后的技术、数据和测试情况。',
    '{rival}和行业内几家规模较小的企业也在开发类似产品，目前尚处于测试阶段。',
    '记者看到的文件支持上述说法，与{org}合作的客户和技术团队也予以证实。',
    '普通用户和企业客户目前能从中受益多少，取决于产品价格、技术成熟度和数据保护。',
  ],
  reading: [
    '文中附有示例数据和参数，用户可以用自己的模型测试。',
    '使用{rival}产品的企业和开发团队，[也能|同样可以]从中得到启发。',
    '本文属于{task}技术系列，今年在开发者中颇受欢迎。',
    '刚接触该产品的用户，目前可以先读系列的第一篇。',
    '文中关于成本的部分，值得预算有限、规模不大的企业客户参考。',
  ],
  themes: [
    '团队最早的一批用户来自{theme}领域。',
    '部分方法最初在数据稀少的{theme}领域试验。',
    '一个{theme}团队是其早期客户之一。',
    '公司还资助了一个小型的{theme}研究项目。',
  ],
  credit: '该消息[最早|率先]由{source}报道。',
};

export const colour: Readonly<Record<Language, Colour>> = { en: english, zh: chinese };

/** What may be said around an event of this tone. */
export function aroundTone(
  language: Language,
  tone: Tone,
): {
  readonly voices: readonly string[];
  readonly background: readonly string[];
} {
  const { voices, background, reading } = colour[language];
  return { voices: voices[tone], background: tone === 'essay' ? reading : background };
}
