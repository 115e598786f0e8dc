import type { Language } from '../report.ts';
import type { Tone } from './event-kind.ts';

/** Sentences that fit many events: voices by tone, background, and where an unusual theme comes in. */
interface Colour {
  readonly voices: Readonly<Record<Tone, readonly string[]>>;
  readonly background: Readonly<Record<Tone, readonly string[]>>;
  readonly themes: readonly string[];
  /** The same for guides and columns. */
  readonly essayThemes: readonly string[];
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
    deal: [
      '“This took longer than we liked,” {person}, {job} at {org}, told reporters.',
      '{person}, {job} at {org}, [spoke of|called it] a step the company had prepared for months.',
      '“The <real|hard> work starts now,” {person} wrote in a message to the product team at {org}.',
      '{analyst} [expects|predicts] that other companies in the industry will [follow|respond] within weeks.',
      'People who know the plans say that {person}, {job} at {org}, pushed for the decision.',
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
  background: {
    announcement: [
      '{org}, best known for {product}, [competes|is in close competition] with {rival} for users and customers among {sector}.',
      'The news comes as the industry [argues|debates] how much artificial intelligence may cost, and which companies and users pay for it.',
      'According to {analyst}, demand from {sector} for such products has doubled within a year.',
      'The company has said little about its work in {place}, where its research and product teams are based.',
      'Research into {task} has moved quickly this year, and companies in the industry are [keen|eager] to turn it into products for their customers.',
      '{rival} and several smaller companies in the industry are working on the same problem, and users can expect their products this year.',
      'How much of this reaches ordinary users and customers will depend on price, data protection and trust.',
    ],
    deal: [
      '{org}, best known for {product}, [counts|has] users and customers among {sector}.',
      'The news comes as the industry [argues|debates] how much artificial intelligence may cost, and which companies and users pay for it.',
      'According to {analyst}, demand from {sector} for such products has doubled within a year.',
      'The company has said little about its work in {place}, where its research and product teams are based.',
      'Research into {task} has moved quickly this year, and companies in the industry are [keen|eager] to turn it into products for their customers.',
      'Several smaller companies in the industry are working on similar models, and users can expect their products this year.',
    ],
    research: [
      'Research into {task} has moved quickly this year, and companies in the industry are [keen|eager] to turn it into products for their customers.',
      'Developers [have long asked|had been waiting] for more detail about the data behind {product} and about how it was tested.',
      '{rival} and several smaller companies in the industry are working on the same problem with data of their own.',
      'How much of this work reaches users and customers will depend on the price of the model that comes out of it.',
    ],
    trouble: [
      'Reporters were given access to documents that support the account, and customers who work with {org} confirmed it.',
      'The company counts {sector} among its customers, and many of their users work with {product} every day.',
      'Users and customers will judge the company by how it handles their data from now on.',
      'The industry has seen several cases of this kind this year, and companies that work with such models are watching closely.',
      '{analyst} [warns|says] that trust in such products, once lost, takes a year or more to return.',
    ],
    people: [
      'The industry has seen many such moves this year, and companies plan their research and product teams with that in mind.',
      '{org}, best known for {product}, [competes|is in close competition] with {rival} for users, customers and staff.',
      'Customers were told that work on the product goes on as planned.',
      'Reporters were given access to messages that support the account, and former members of the team confirmed it.',
    ],
    essay: [
      'The data it cites is listed at the end, so that readers can check the work for themselves.',
      'Companies that work with {rival} will [find|see] much that carries over to its products.',
      'The text is part of a series on {task} that has found many readers among developers this year.',
      'Users new to the product may want to read the first part of the series before this one.',
      'What it says about cost will interest customers who pay for such models from a small budget.',
    ],
  },
  themes: [
    'A side project in {theme} gave the team its first users.',
    'Some of the methods were first tried in {theme}, a field with little data.',
    'A group working in {theme} is among the early customers.',
    'The company also supports a small research programme in {theme}.',
  ],
  essayThemes: [
    'The main example comes from {theme}, a field the author knows well.',
    'A short detour through {theme} shows that the point holds elsewhere too.',
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
    deal: [
      '“这件事花的时间比预想的长，”{org}{job}{person}对记者表示。',
      '{org}{job}{person}[称|表示]，公司的技术团队为此已准备数月。',
      '“<真正的|艰难的>工作现在才开始，”{person}在致产品团队的信中写道。',
      '{analyst}[预计|认为]，行业内其他企业将在数周内[跟进|作出回应]。',
      '知情人士表示，这一决定由{org}{job}{person}推动。',
    ],
    research: [
      '“一个简单的想法能走这么远，我们也没想到，”{org}{job}{person}表示。',
      '{org}{job}{person}[提醒|表示]，不宜对单次测试的数据作过多解读。',
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
  background: {
    announcement: [
      '{org}以 {product} 闻名，与{rival}在{sector}市场上[竞争激烈|正面竞争]，双方都在争取企业客户和开发者。',
      '目前，整个行业都在[讨论|争论]人工智能技术的成本究竟由谁承担，企业客户对此尤其关心。',
      '据{analyst}数据，{sector}对此类产品的需求一年内翻了一番，行业规模仍在扩大。',
      '目前，公司对{place}的计划透露不多，其研究团队和产品开发团队就设在当地。',
      '今年以来，{task}技术进展很快，行业内企业都希望尽早完成测试、做成产品，发布节奏明显加快。',
      '{rival}和行业内几家规模较小的企业也在开发参数规模相近的模型和产品，目前尚处于测试阶段。',
      '普通用户和企业客户目前能从中受益多少，取决于产品价格、技术成熟度和数据保护。',
    ],
    deal: [
      '{org}以 {product} 闻名，企业客户和开发者[主要|多]来自{sector}。',
      '目前，整个行业都在[讨论|争论]人工智能技术的成本究竟由谁承担，企业客户对此尤其关心。',
      '据{analyst}数据，{sector}对此类产品的需求一年内翻了一番，行业规模仍在扩大。',
      '目前，公司对{place}的计划透露不多，其研究团队和产品开发团队就设在当地。',
      '今年以来，{task}技术进展很快，行业内企业都希望尽早完成测试、做成产品，发布节奏明显加快。',
      '行业内几家规模较小的企业也在开发参数规模相近的模型和产品，目前尚处于测试阶段。',
    ],
    research: [
      '今年以来，{task}技术进展很快，行业内企业都希望尽早完成测试、做成产品，发布节奏明显加快。',
      '行业内的开发者[长期以来|此前一直]希望了解 {product} 背后的技术、参数、数据和测试情况。',
      '{rival}和行业内几家规模较小的企业也在用自己的数据开发类似技术，目前尚处于测试阶段。',
      '这项技术目前能为用户和客户带来多少好处，取决于最终产品的价格和参数规模。',
    ],
    trouble: [
      '记者看到的文件支持上述说法，与{org}合作的客户和技术团队也予以证实。',
      '公司客户包括不少{sector}，其中许多用户目前每天都在使用 {product}。',
      '用户和企业客户接下来会关注公司如何处理他们的数据。',
      '今年行业内已发生数起类似事件，使用同类技术和产品的企业都在密切关注。',
      '{analyst}[提醒|认为]，用户对这类产品的信任一旦失去，行业需要一年以上才能恢复。',
    ],
    people: [
      '今年行业内类似的人事变动不少，企业在规划研究和产品团队时都已考虑到这一点。',
      '{org}以 {product} 闻名，与{rival}在用户、客户和技术人才上都[竞争激烈|正面竞争]。',
      '公司已告知客户，目前产品开发仍按计划进行。',
      '记者看到的内部消息支持上述说法，原技术团队成员也予以证实。',
    ],
    essay: [
      '文中引用的数据均注明出处，读者可以自行核对。',
      '使用{rival}产品的企业和开发团队，[也能|同样可以]从中得到启发。',
      '本文属于{task}技术系列，今年在开发者中颇受欢迎。',
      '刚接触该产品的用户，目前可以先读系列的第一篇，了解基本参数。',
      '文中关于成本的部分，值得预算有限、规模不大的企业客户参考。',
    ],
  },
  themes: [
    '团队最早的一批用户来自{theme}领域。',
    '部分方法最初在数据稀少的{theme}领域试验。',
    '一个{theme}团队是其早期客户之一。',
    '公司还资助了一个小型的{theme}研究项目。',
  ],
  essayThemes: ['主要例子来自作者熟悉的{theme}领域。', '文中还以{theme}为例，说明同样的道理在别处也成立。'],
  credit: '该消息[最早|率先]由{source}报道。',
};

export const colour: Readonly<Record<Language, Colour>> = { en: english, zh: chinese };
