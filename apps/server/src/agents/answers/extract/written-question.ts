import { hanCharacter, toSimplified } from '@daybook/grounding/text';

/** What people say before a question: greetings and requests to answer. */
const hanCourtesy =
  /(?:^|(?<=[\s，,。！!？?；;：:]))(?:[你您]好|大家好|早上好|请问(?:一下)?|(?:麻烦|唔该)[你您]?(?=[\s，,。！!]|帮|问|查|告)|(?:谢谢|多谢)[你您]?|(?:我们?)?[很还]?想(?:要)?(?:知道|问|了解|查)(?:一下|下)?|(?:(?:能|可)不[能可]以?|能否|可否|能|可以|可唔可以)?(?:帮我[查看找问](?:一下|下)?|请?告诉我)|(?:有没有人|你)?知不知道|你知道(?!的))[\s，,。！!：:]*/gu;
const hanThanks = /[\s，,。！!？?]*(?:谢谢|多谢|唔该)(?:[你您晒]|大家)?[。！!]*\s*$/u;
const latinCourtesy =
  /^\W*(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: (?:there|all|everyone))?[,.!]\s*/iu;
const latinThanks =
  /[\s,.!?]+(?:many thanks|thanks(?: a lot)?|thank you(?: very much)?|thx|cheers)[.!]*\s*$/iu;

/** "What's", and "whats" without its apostrophe. */
const contraction = /\b(what|who|where|when|how)['’]?s\b(?=\s+\S)/giu;

/** After one of these, 邊 is a side, not "which". */
const side = '(?<![一这那旁身周海河湖江路左右两半东西南北上下外里前后])';

/** Words of spoken Cantonese in simplified characters, and as news writes them; longer words first. */
const spoken: readonly (readonly [RegExp, string])[] = [
  [/乜[嘢野]|乜(?!斯)|咩/gu, '什么'],
  [new RegExp(`${side}边(?=日(?!本)|[种款只套份条辆度])`, 'gu'), '哪'],
  [/几耐/gu, '多久'],
  [/几钱/gu, '多少钱'],
  [/点样/gu, '怎样'],
  [/旧年/gu, '去年'],
  [/而家|依家/gu, '现在'],
  [/寻日(?!本)/gu, '昨天'],
  [/听日(?!本|语|文)/gu, '明天'],
  [/铺头/gu, '商店'],
  [/多定少/gu, '多还是少'],
  [/定系(?!统|列)/gu, '还是'],
  [/同埋/gu, '和'],
  [/(?<=[我你佢])哋/gu, '们'],
  [/(?<![院科学关联体派星干])系(?=什么|哪|边|几|多少|谁|咪|唔)/gu, '是'],
  [/嘅/gu, '的'],
  [/咗/gu, '了'],
  [/喺/gu, '在'],
  [/佢/gu, '他'],
  [/冇/gu, '没有'],
  [/唔/gu, '不'],
  [/嗰/gu, '那'],
  [/啲/gu, '些'],
  [/[俾畀]/gu, '给'],
  [/睇/gu, '看'],
  [/搵/gu, '找'],
  [/悭/gu, '省'],
];

/** A question as news would put it: without courtesies, contractions and spoken Cantonese. */
export function asWritten(text: string): string {
  const latin = text
    .replace(contraction, '$1 is')
    .replace(/\btill\b(?=\s+(?:when|what|which)\b)/giu, 'until')
    .replace(latinCourtesy, '')
    .replace(latinThanks, '');
  const question = (hanCharacter.test(latin) ? inWrittenHan(latin) : latin).trim();
  return /[\p{L}\p{N}]/u.test(question) ? question : text;
}

/** Keeps the script of a question that needs no change. */
function inWrittenHan(text: string): string {
  const simple = toSimplified(text);
  const courteous = simple.replace(hanThanks, '').replace(hanCourtesy, '');
  const plain = spoken.reduce((sum, [word, form]) => sum.replace(word, form), courteous);
  return plain === simple ? text : plain;
}
