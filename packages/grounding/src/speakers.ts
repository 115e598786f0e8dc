import type { Entity } from './entities.ts';
import { entitiesOf, sharesWord } from './entities.ts';
import { stemOf } from './language/text-tokens.ts';
import { isQuotedFrom, quotable } from './quotations.ts';
import type { GroundingSource } from './source.ts';
import type { StatedFacts } from './stated-facts.ts';

const reportingVerbs: ReadonlySet<string> = new Set(
  'say said tell told add write wrote state explain argue note warn tweet acknowledge insist claim ask reply continue call describe joke announce declare report remark comment conclude stress emphasise emphasize point recall suggest predict believe think thought admit deny confirm reveal decide agree promise pledge urge hail praise read quote testify respond'
    .split(' ')
    .map(stemOf),
);
const hanReporting =
  /说|表示|指出|(?<![发手戒拇食])指(?!数|标|定|引|挥|纹|令|示)|称(?!为)|认为|透露|强调|形容|批评|提到|补充|回应|写道|宣布|呼吁|重申|解释|直言|坦言|承认|否认|警告|相信|预计|提醒|介绍|引述|发文/u;
const hanPronoun = /^(?:他|她|它|他们|她们|其|并|又|亦|也|还|再|则|同时|此外|另外|至于|当中|其中|对此)*$/u;
const quoted = /“[^“”]*”?|"[^"]*"?|‘(?:[^‘’]|’(?=\p{L}))*’/gu;

/** Speakers of the claim's quotations to whom the sources do not attribute them. */
export function wrongSpeakers(claim: StatedFacts, sources: readonly GroundingSource[]): string[] {
  return claim.quotations.flatMap((quotation) => {
    const from = sources.filter((source) => isQuotedFrom(quotation, source.quotable()));
    if (from.length === 0 || quotation.length < 4) return [];
    const outside = claim.text.replace(quoted, ' ” ');
    const results = from.map((source) => speakerFault(outside, quotation, source));
    return results.includes(null) ? [] : results.filter((one) => one !== null).slice(0, 1);
  });
}

/** The claimed speaker if the text names another one for this quotation; null in doubt. */
function speakerFault(outside: string, quotation: string, source: GroundingSource): string | null {
  const paragraphs = source.facts.text.split(/\n+/u);
  const key = quotable(quotation).trim();
  const at = paragraphs.findIndex((paragraph) => quotable(paragraph).includes(key));
  if (at === -1) return null;
  return /\p{Script=Han}/u.test(outside)
    ? hanFault(outside, key, paragraphs.slice(0, at + 1))
    : latinFault(outside, paragraphs, at);
}

function latinFault(outside: string, paragraphs: readonly string[], at: number): string | null {
  const all = entitiesOf(outside);
  const speaking = all.filter((name) => namesSpeaker(outside, [name]));
  const claimed = speaking.length > 0 ? speaking : all;
  const [speaker] = claimed;
  if (speaker === undefined) return null;
  const isClaimed = (one: Entity): boolean => claimed.some((name) => sharesWord(name, one));
  const names = paragraphs.map((paragraph) => entitiesOf(paragraph.replace(quoted, ' ” ')));
  // A name of most paragraphs is what the article is about: its speakers may be called by it.
  if (names.filter((some) => some.some(isClaimed)).length > paragraphs.length / 2) return null;
  for (let back = at; back >= Math.max(0, at - 3); back -= 1) {
    const text = (paragraphs[back] ?? '').replace(quoted, ' ” ');
    const here = names[back] ?? [];
    const speakers = here.filter((name) => namesSpeaker(text, [name]));
    if (
      here.some(
        (name) =>
          isClaimed(name) && (speakers.length === 0 || speakers.some((one) => isNear(text, one, name))),
      )
    )
      return null;
    if (speakers.length > 0) return speaker.text;
  }
  return null;
}

/** "Apple CEO Tim Cook": the company may be named instead of the person. */
function isNear(text: string, one: Entity, other: Entity): boolean {
  if (one === other) return true;
  const between = text.slice(Math.min(one.end, other.end), Math.max(one.start, other.start));
  return between.length < 40 && !/[.”;:]/u.test(between);
}

/** Whether a reporting verb stands beside one of the names. */
function namesSpeaker(text: string, names: readonly Entity[]): boolean {
  return names.some(({ start, end }) => {
    const near = [
      ...wordsIn(text.slice(end, end + 40).split(mark)[0]).slice(0, 4),
      ...wordsIn(
        text
          .slice(Math.max(0, start - 24), start)
          .split(mark)
          .at(-1),
      ),
    ];
    const [, apposed = ''] = /^, [^,.”]{3,80}, (\p{L}+)/u.exec(text.slice(end)) ?? [];
    return (
      reportingVerbs.has(stemOf(apposed)) ||
      near.some((word) => reportingVerbs.has(stemOf(word))) ||
      /according to (?:the )?$/iu.test(text.slice(0, start))
    );
  });
}

/** Ends the words beside a name. */
const mark = /[,;”]/u;

function wordsIn(text = ''): readonly string[] {
  return text.match(/\p{L}+/gu) ?? [];
}

function hanFault(outside: string, key: string, paragraphs: readonly string[]): string | null {
  const speaker = subjectOf(outside);
  if (speaker === null || speaker.length < 2) return null;
  const clauses = paragraphs.join('。').split(/[,，。;；:：]/u);
  const compact = clauses.map((clause) => quotable(clause).trim());
  const head = key.slice(0, 6);
  const at = compact.findLastIndex(
    (clause, index) => clause.includes(head) || `${clause}${compact[index + 1] ?? ''}`.includes(head),
  );
  if (at === -1) return null;
  const after = speakerAfter(paragraphs.at(-1) ?? '', head);
  if (after !== null) return shares(after, speaker) ? null : speaker;
  for (let back = at; back >= 0; back -= 1) {
    const clause = back === at ? (clauses[back] ?? '').split(/[“"]/u)[0] : clauses[back];
    const subject = subjectOf(clause ?? '');
    if (subject === null || hanPronoun.test(subject)) continue;
    return shares(subject, speaker) || shares(clauses[back] ?? '', speaker) ? null : speaker;
  }
  return null;
}

/** “…”张三表示: the speaker directly after the closing mark. */
function speakerAfter(paragraph: string, head: string): string | null {
  const spoken = [...paragraph.matchAll(/“([^“”]*)”([^,，。;；“]*)/gu)].find(([, words = '']) =>
    quotable(words).includes(head),
  );
  const after = spoken?.[2] ?? '';
  return hanReporting.test(after) ? after : null;
}

/** The characters before the first reporting verb of a clause. */
function subjectOf(clause: string): string | null {
  const text = clause.split(/[,，。;；:：]/u).find((part) => hanReporting.test(part)) ?? '';
  const at = hanReporting.exec(text)?.index;
  return at === undefined ? null : text.slice(0, at).replace(/[^\p{Script=Han}\p{L}]/gu, '');
}

function shares(text: string, speaker: string): boolean {
  for (let at = 0; at < speaker.length - 1; at += 1)
    if (text.includes(speaker.slice(at, at + 2))) return true;
  return false;
}
