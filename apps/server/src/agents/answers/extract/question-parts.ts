import { hanCharacter, toSimplified } from '@daybook/grounding/text';

const hanAsking =
  /请问|为什么|为何|为甚么|点解|什么情况下|什么时候|甚么时候|何时|几时|几点|哪一[天日]|哪一?[个间位]?两?个?|哪里|什么|甚么|多少|几多|多久|几|是谁|由谁|谁|边个|各则|吗|呢|说法一致|一致|报道|有没有不同说法|还是|较高|较低|较大|较小|较多|较少|边间|边个|大约|大概|约|如何|怎样|相比|比较|共有|一共|我们|我方|公司|才|的|是|在|了|和|与|及|被|将|会|获/gu;
const asking =
  /\b(?:what|which|who|whom|whose|when|where|why|how|many|much|do|does|did|is|are|am|was|were|name|names|give|list|exactly|according|tell|told|say|says|said|date|number|amount|long|large|high|kind|type|agree|articles?|figure|too|if need be|please|any|anything|above|below|compared?|cheaper|higher|lower|larger|smaller|bigger)\b/giu;

const hanQuestionWord =
  /多少|几多|几|哪|谁|何时|几时|什么|甚么|怎|如何|吗|还是|边个|边度|为何|多久|多大|多长|多高|多远|点解|升跌/u;
const latinQuestionWord = /\b(?:what|which|who|whom|whose|when|where|why|how)\b/iu;

/** Whether a part has a word that asks; "and in 2019?" has none. */
export function hasQuestionWord(part: string): boolean {
  return (
    latinQuestionWord.test(part) ||
    hanQuestionWord.test(toSimplified(part)) ||
    /^\W*(?:is|are|was|were|do|does|did|will|would|can|could|has|have|had|should|name|list|give)\b/iu.test(
      part,
    )
  );
}

/** Times relative to the day of the question: no text contains them with the same meaning. */
const relativeTime =
  /\b(?:yesterday|today|tomorrow|tonight|(?:last|next|this|past|coming) (?:night|week|\w+day))\b|昨日|昨天|昨晚|前日|前天|前晚|今日|今天|今早|今晚|明日|明天|[上下本今这]个?(?:周|星期|礼拜)[一二三四五六日天]?/giu;

/** Without the words that only ask, and without relative times. */
export function withoutAsking(text: string): string {
  const latin = (part: string): string => part.replace(relativeTime, ' ').replace(asking, ' ');
  return hanCharacter.test(text)
    ? latin(toSimplified(text).replace(relativeTime, ' ').replace(hanAsking, ' '))
    : latin(text);
}

/** "And" before another question: "…, and on which date does it end?" */
const nextQuestion =
  /,?\s+and\s+(?=(?:(?:by|on|in|at|to|from|for|of|with|until|since|under|about)\s+)?(?:what|which|who|whom|whose|when|where|why|how)\b|(?:do|does|did|is|are|was|were|will|would|can|could|has|have)\s)/iu;

/** Asks whether sources agree, and nothing else. */
const agreement =
  /^\W*(?:(?:and\s+)?(?:do|does|did|are|is)\s+(?:they|it|these|those|both|the)?\b[^?]{0,60}\b(?:agree|differ|consistent|the same|match)\b[^?]{0,20}|(?:各则|各|几则|两则|这些|各家|不同)?(?:报道|报导|消息|来源|文章|文件)?(?:之间)?(?:的)?(?:说法|数字|内容)?(?:是否|有否|有没有|可有)?(?:完全)?(?:一致|不同说法|出入|矛盾|分歧)(?:吗|呢)?)\W*$/iu;

/** Whether a question asks about sources that may differ. */
export function asksAgreement(text: string): boolean {
  return /\b(?:agree|disagree|differ|consistent|contradict\w*|discrepanc\w+)\b|\baccording to (?:the )?(?:two|both|different|various)\b|一致|不同说法|出入|矛盾|分歧|各有说法|说法不一/iu.test(
    toSimplified(text),
  );
}

/** Splits what is asked at once: "how many …, and when …?"; without the parts that only ask whether sources agree. */
export function partsOf(text: string): string[] {
  const parts = text
    .split(/[?？;；](?!\s*$)/u)
    .flatMap((part) => part.split(nextQuestion))
    .flatMap(splitHan)
    .map((part) => part.trim())
    .filter((part) => part.length > 1);
  const asked = parts.filter(
    (part) => !agreement.test(toSimplified(part)) && (hasQuestionWord(part) || !asksAgreement(part)),
  );
  if (asked.length > 0) return joinBare(asked);
  return parts.length > 0 ? parts : [text];
}

/** A comma separates two questions if each side asks. */
function splitHan(part: string): string[] {
  if (!hanCharacter.test(part)) return [part];
  const pieces: string[] = [];
  for (const piece of part.split(/[，,]/u)) {
    const last = pieces.at(-1);
    if (last === undefined || (hasQuestionWord(last) && hasQuestionWord(piece))) pieces.push(piece);
    else pieces[pieces.length - 1] = `${last}，${piece}`;
  }
  return pieces;
}

/** How to answer, not what. */
const request = /^\W*(?:please\s+)?(?:give|answer|state|say|cite|quote|use|reply|respond|be)\b/iu;

/** Of a request, only what it asks for. */
function requested(part: string): string {
  const noun = /\b(?:name|date|figure|number|amount)\b/iu.exec(part)?.[0];
  return noun === undefined ? '' : `Give the ${noun}.`;
}

/** "… and where?" asks for another detail of the same: it stays with the part before it. */
function joinBare(parts: readonly string[]): string[] {
  const joined: string[] = [];
  const isBare = (part: string): boolean => withoutAsking(part).replaceAll(/[^\p{L}\p{N}]/gu, '') === '';
  for (const part of parts) {
    const last = joined.at(-1);
    if (joined.length === 1 && isBare(last ?? '') && hasQuestionWord(part)) joined[0] = `${last} and ${part}`;
    else if (last !== undefined && (request.test(part) || isBare(part)))
      joined[joined.length - 1] = `${last}? ${request.test(part) ? requested(part) : part}`;
    else joined.push(part);
  }
  return joined;
}

/** Whether the members of the organization mean their own: our, we, 我们. */
export function isOwn(text: string): boolean {
  return /\b(?:[Oo]urs?|[Ww]e|us)\b(?!\.)|我们|我方|本公司|我司|我哋|咱们/u.test(toSimplified(text));
}

const comparing =
  /\b(?:compare[ds]?|compared|comparison|than|versus|vs|differ|difference|cheaper|larger|higher|lower|more|less|or|above|below|both|each|respectively|between)\b|相比|比较|较|还是|邊個|边个|哪个|各|分别|对比|差别/iu;

/** Whether a question compares. */
export function isComparing(text: string): boolean {
  return comparing.test(toSimplified(text));
}

/** Whether a question sets something of the organization against what others say. */
export function comparesWithOwn(text: string): boolean {
  return (
    isOwn(text) &&
    /\b(?:compare[ds]?|differ|above|below|agree|same|than|versus|vs|match)\b|\b(?:reported|published|announced|quoted)\b[^.]{0,12}$|\bthat \p{Lu}[\p{L} ]+ reported\b|相比|比较|一致|相同|对比|差别|高于|低于|不同/u.test(
      toSimplified(text),
    )
  );
}
