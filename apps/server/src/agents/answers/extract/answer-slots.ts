import { entitiesOf, findHanNames, surname } from '@daybook/grounding';
import { hanCharacter } from '@daybook/grounding/text';

import type { AnswerUnit } from './answer-kind.ts';
import { isPlaceConcept } from './glossary.ts';
import type { Question } from './question.ts';
import type { Clause, SentenceDetails } from './source-document.ts';
import { questionTerms } from './text-terms.ts';

/** A part of a sentence that may be what a question asks for; offsets refer to the normalised text. */
export interface AnswerSlot {
  readonly start: number;
  readonly end: number;
  /** Whether it has the unit that the question asks for: 1, 0, or 0.5 if the question asks for none. */
  readonly unit: number;
}

const relativeDate =
  /\b(?:yesterday|today|tomorrow|tonight|last (?:night|week|month|year|\w+day)|next \w+)\b|昨日|昨天|昨晚|今日|今天|今早|今晚|明日|明天|下[个]?[月周季]|上[个]?[月周季]|去年|今年|明年/giu;
const reason =
  /\b(?:because|due to|driven by|caused? by|owing to|as a result of|since|in order to|therefore|reason|has no|have no|lack of|thanks to|amid|prompted by|blam\w+|attribut\w+|led to|after)\b|因|由于|引致|导致|原因|造成|起因|令|致使|归因|鉴于|受.{1,8}影响/giu;

/** The parts of a sentence that have the kind that the question asks for and that the question does not state itself. */
export function slotsOf(question: Question, details: SentenceDetails): AnswerSlot[] {
  const { kind } = question;
  if (kind === 'number') return numberSlots(question, details);
  if (kind === 'date') return dateSlots(question, details);
  if (kind === 'name' || kind === 'place') return nameSlots(question, details);
  return kind === 'reason' ? matches(details.facts.text, reason) : [];
}

/** Numbers that the question does not state itself. */
function numberSlots({ facts, unit }: Question, details: SentenceDetails): AnswerSlot[] {
  const asked = new Set(facts.quantities.map(({ numeral }) => numeral.value));
  const life = unit === 'duration' ? matches(details.facts.text, lifeSentence) : [];
  const stated = details.facts.quantities
    .filter(({ numeral }) => !asked.has(numeral.value))
    .map(({ start, end, unit: measured }) => ({
      start,
      end,
      unit:
        unit === null
          ? 0.5
          : fitsUnit(unit, measured?.dimension ?? '', details.facts.text, start, end)
            ? 1
            : 0,
    }));
  return [...stated, ...life.map((slot) => ({ ...slot, unit: 1 }))];
}

const lifeSentence = /\blife (?:in|sentence|imprisonment|without)\b|终身监禁|无期徒刑|死刑/giu;

const currency =
  /dollar|euro|yuan|pound|yen|rupee|won|franc|kron[ae]|ruble|peso|real|lira|rand|baht|ringgit|rupiah|dirham|riyal|shekel|bitcoin/u;
const dimensions: Readonly<Record<Exclude<AnswerUnit, null | 'clock' | 'age'>, RegExp>> = {
  money: currency,
  percent: /^(?:percent|point)$/u,
  duration: /^(?:second|month)$/u,
  length: /^metre$/u,
  weight: /^(?:gram|ounce)$/u,
  area: /^area$/u,
};

function fitsUnit(
  unit: Exclude<AnswerUnit, null>,
  dimension: string,
  text: string,
  start: number,
  end: number,
): boolean {
  const after = text.slice(end, end + 12);
  if (unit === 'clock')
    return /^\s?(?:[:时点]|[ap]\.?m\b)/u.test(after) || /[时点]$/u.test(text.slice(start, end + 1));
  if (unit === 'age')
    return (
      /^[- ]years?[- ]old|^ ?岁/u.test(after) ||
      /岁$|[- ]year[- ]old$/u.test(text.slice(start, end)) ||
      (/^(?:,|\.|$|\))/u.test(after) && /, $|\($|aged $/u.test(text.slice(Math.max(0, start - 5), start)))
    );
  if (unit === 'weight' && dimension === 'pound') return /pounds?$/u.test(text.slice(start, end));
  return dimensions[unit].test(dimension);
}

function dateSlots({ facts, unit }: Question, details: SentenceDetails): AnswerSlot[] {
  const asked = new Set(facts.dates.map(({ text }) => text));
  const clock = unit === 'clock';
  return [
    ...details.facts.dates
      .filter(({ text }) => !asked.has(text))
      .map(({ start, end, time }) => ({ start, end, unit: clock && time === undefined ? 0 : 1 })),
    ...(clock
      ? matches(details.facts.text, /\d{1,2} ?[时点]半?|\d{1,2} ?[ap]\.?m\b|noon|midnight|中午|午夜/giu)
      : matches(details.facts.text, relativeDate)),
  ];
}

function nameSlots({ kind, names: asked, facts }: Question, details: SentenceDetails): AnswerSlot[] {
  const { text } = details.facts;
  const isAsked = (name: string): boolean =>
    asked.some((one) => one.includes(name) || name.includes(one)) || facts.text.toLowerCase().includes(name);
  const unit = kind === 'place' ? placeLikeness : personLikeness;
  const latin = entitiesOf(text)
    .filter((entity) => !isAsked(entity.text.toLowerCase()))
    .map(({ start, end }) => ({ start, end, unit: unit(text, start, end) }));
  if (!hanCharacter.test(text)) return kind === 'place' ? [...latin, ...matches(text, commonPlace)] : latin;
  const found = [...findHanNames(text), ...(kind === 'place' ? (text.match(hanPlace) ?? []) : [])];
  const han = found
    .filter((name) => !isAsked(name))
    .flatMap((name) => {
      const start = text.indexOf(name);
      return start === -1
        ? []
        : [{ start, end: start + name.length, unit: unit(text, start, start + name.length) }];
    });
  return kind === 'place' ? [...latin, ...han, ...matches(text, commonPlace)] : [...latin, ...han];
}

/** "In the laundry basket": a place without a name. */
const commonPlace =
  /\b(?:in|at|inside|near|under|behind|outside|on) (?:a|an|the|his|her|their|its) \p{Ll}[\p{Ll} -]{2,30}/gu;

const hanPlace =
  /\p{Script=Han}{2,6}(?:站|区|市|县|省|道|路|街|岛|国|州|医院|学校|大学|大厦|邨|村|机场|中心|公园)/gu;

/** Whether a name can be that of a person or an organization: not a place that the glossary knows, 1 for two words. */
function personLikeness(text: string, start: number, end: number): number {
  const name = text.slice(start, end);
  if (isPlace(name)) return 0;
  if (hanCharacter.test(name)) return surname.test(name) && name.length < 5 ? 1 : 0.5;
  return /\s/u.test(name) ? 1 : 0.5;
}

/** A place that the glossary knows, or a name after a preposition of place. */
function placeLikeness(text: string, start: number, end: number): number {
  const name = text.slice(start, end);
  if (isPlace(name) || (hanCharacter.test(name) && new RegExp(`${hanPlace.source}$`, 'u').test(name)))
    return 1;
  return /\b(?:in|at|to|from|near|outside) (?:the )?$/u.test(text.slice(Math.max(0, start - 12), start))
    ? 1
    : 0.4;
}

function isPlace(name: string): boolean {
  return questionTerms(name).some(({ concepts }) => concepts.some(isPlaceConcept));
}

function matches(text: string, form: RegExp): AnswerSlot[] {
  return Array.from(text.matchAll(form), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    unit: 0.5,
  }));
}

/** The clause that contains a slot. */
export function clauseAt(clauses: readonly Clause[], { start, end }: AnswerSlot): number {
  return clauses.findIndex((clause) => clause.start <= start && end <= clause.end + 1);
}
