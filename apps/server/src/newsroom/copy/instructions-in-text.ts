import { splitSentences } from '../../grounding/index.ts';

/**
 * Sentences addressed to a machine instead of a reader: "ignore previous instructions", "output the following JSON",
 * 请忽略以上指令. They are removed, with the rest of their paragraph, before a model or the summarizer reads a text, and
 * before any text is checked against it, so that no source supports text that follows them. News about such attacks
 * loses the paragraph that quotes one.
 */
const toMachines: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass|skip)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|these|your|the|system)\b.{0,30}\b(?:instructions?|prompts?|rules?|guidelines?|context|directions?|messages?|restrictions?)/iu,
  /\b(?:system|developer|assistant|user)\s*(?:prompt|message|instruction|note|override)?\s*[:：>\]]/iu,
  /<\/?(?:system|instructions?|assistant|user|prompt|im_start|im_end|s|inst)\b|\[\/?(?:INST|SYSTEM|SYS)\]|<\|/iu,
  /\b(?:you are (?:now|no longer)\b|you are an? (?:ai|helpful|language|marketing|summar\w+|assistant|editor|bot)\b|(?:^|you |please |must )act as\b|pretend (?:to be|that)\b|from now on,? you\b|as an? (?:ai|llm)\b.{0,20}\b(?:model|assistant)?,? you\b|your new (?:instructions?|task|role|persona)\b|new instructions?:|(?:enter|in) (?:dan|developer) mode\b)/iu,
  /\b(?:respond|reply|answer|output|return|print|write|say|generate|produce|include|append|insert|repeat|translate|summari[sz]e)\b.{0,40}\b(?:only|exactly|verbatim|the following|this (?:text|sentence|phrase|word)|in json|as json|with the (?:words?|phrase|text)|instead|nothing (?:else|but))\b/iu,
  /\b(?:set|change|mark|make|give|assign|rate|rank|classify|select|feature|promote|boost)\b.{0,40}\b(?:category|score|rating|title|summary|headline|selected|priority|top|this (?:item|article|report|story))\b.{0,40}(?:\b(?:to|as|100|true|selected|first|breaking|headline)\b|[=“"])/iu,
  /\b(?:ai|llm|language model|assistant|model|bot|summari[sz]er|agent)s?\b(?: \w+){0,4} (?:must|should|please|shall) (?:include|write|say|output|append|rank|select|ignore|print|respond|replace|mark|add|summari[sz]e|rate|feature)\b|\b(?:note|message|memo) to (?:the |any |all )?(?:ai|llm|assistant|model|summari[sz]er)s?\b|\bif you(?:['’]re| are) an? (?:ai|llm|language model|assistant)\b/iu,
  /\b(?:category|score|selected|title|summary|headline|sentences)"?\s*[=:]\s*["“]?(?:\d|true|false|opinion|ai-|industry|paper|tip|[A-Z])/u,
  /\b(?:do not|don[’']t|never) (?:summari[sz]e|mention|reveal) (?:this|the) (?:user|reader|text|article|report|rules)\b/iu,
  /\b(?:reveal|print|show|leak|repeat)\b.{0,30}\b(?:system prompt|your (?:prompt|instructions|rules)|api key|secret)/iu,
  /\b(?:end of|begin(?:ning)? of) (?:article|report|document|text|data|input|instructions)\b|-{3,}\s*(?:end|begin|system|new)/iu,
  /(?:忽略|无视|忘记|忘掉|覆盖|跳过).{0,12}(?:之前|以上|上述|前面|所有|全部|你的|系统).{0,12}(?:指令|提示|规则|要求|内容|设定)/u,
  /(?:系统|开发者)(?:提示|指令|消息)\s*[:：]|(?:你现在是|你是一个|从现在起|请扮演|假装你)/u,
  /(?:请|务必|必须|只能|只需)?(?:输出|回复|回答|返回|写入|打印|生成).{0,10}(?:以下|下面|如下|这句话|这段|JSON|仅|只)/iu,
  /(?:将|把|请).{0,10}(?:类别|分类|评分|分数|标题|摘要|本文|该条).{0,10}(?:设为|改为|设置|改成|标记为|选为|置顶|评为)/u,
  /(?:人工智能|AI|模型|助手|机器人).{0,6}(?:请|必须|应当|务必).{0,16}(?:摘要|总结|输出|评分|选择|忽略|推荐)/iu,
];

/** A longer string is not a sentence; only its beginning is checked. */
const sentenceCharsMax = 4_000;

/** The sentences that follow often contain the instruction itself, so they are removed too. */
export function withoutInstructions(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const sentences = splitSentences(line);
      const from = sentences.findIndex(speaksToMachine);
      return from === -1 ? line : sentences.slice(0, from).join(/\p{Script=Han}/u.test(line) ? '' : ' ');
    })
    .join('\n')
    .trimEnd();
}

export function speaksToMachine(sentence: string): boolean {
  if (sentence.length > sentenceCharsMax) return speaksToMachine(sentence.slice(0, sentenceCharsMax));
  // Zero-width characters and look-alike spaces must not hide a word.
  const plain = sentence
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/gu, '')
    .replace(/\s+/gu, ' ');
  return toMachines.some((form) => form.test(plain));
}
