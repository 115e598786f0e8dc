import type { Classification, ClassifierInput, NoteContext } from '../classify/classification.ts';
import { classify } from '../classify/classify.ts';
import { lexicons } from '../classify/note-features.ts';
import { tokens } from '../classify/note-tokens.ts';
import { baseOf } from '../sources/dated-name.ts';
import { readFrontMatter } from '../sources/front-matter.ts';
import type { Target } from '../targets/target.ts';
import { appendedTargets } from '../targets/target.ts';
import { basisTrust } from './basis-trust.ts';
import type { NoteBody } from './note-body.ts';
import { readBody } from './note-body.ts';
import type { Evidence } from './vault-evidence.ts';
import { vaultEvidence } from './vault-evidence.ts';

const alternativesMax = 5;
/** A note with this share of code or links is a reference. */
const technicalShare = 0.1;
const inlineShare = 0.3;
const linkListShare = 0.4;
/** Only a short note whose words are this clear leaves the home of whole notes for a list. */
const clearWordsFrom = 0.9;
const shortCharsMax = 700;
const addressed =
  /\byou are an? (?:expert|ai\b|assistant|senior|helpful)|\b(?:the |an? |your )?(?:ai|assistant|agent|llm|claude|copilot|chatgpt) (?:should|must|may not|will|shall|never|always)\b|(?:助手|智能体|大模型)(?:应该|必须|不要)/i;
const rulesFrom = 0.6;

/**
 * Where a note belongs. A section is classified by its words; of a whole note, the vault decides first: its
 * properties, its name, its folders and its form. The words decide last, and only if they are clear: a note without
 * a type stays a whole note.
 */
export function classifyNote(input: ClassifierInput): Classification {
  const { note, path } = input;
  if (note === undefined || path === null || path === undefined) return classify(input);
  // A note of properties alone is its front matter.
  const own = readFrontMatter(input.text);
  const text = own === null ? input.text : input.text.slice(own.length);
  const given: NoteContext = own === null ? note : { ...note, properties: own.properties, tags: own.tags };
  const context = withInlineFields(given, text);
  const body = readBody(text);
  const heading = input.headings[0] ?? '';
  const words = classify({ headings: input.headings, text, path });
  const evidence =
    vaultEvidence({ path, context, body, heading }) ?? textEvidence({ ...input, text, path }, body, words);
  return answer(evidence, words);
}

const inlineField =
  /^[ \t]*(?:[-*][ \t]+)?[[(]?(type|category|categories|kind|class|tags)::[ \t]*([^\n\])]{1,200})/gim;
const tagLine = /^[ \t]*(?:tags?:[ \t]*)?((?:#[\p{L}\p{N}_/-]+[ \t,]*)+)$/gimu;
const inlineCharsMax = 4000;

/** Fields of Dataview and lines of tags count as properties that the front matter does not have. */
function withInlineFields(context: NoteContext, text: string): NoteContext {
  const head = text.slice(0, inlineCharsMax);
  const properties: Record<string, unknown> = { ...context.properties };
  const tags = [...context.tags];
  for (const [, name = '', value = ''] of head.matchAll(inlineField)) {
    const values = value.split(/,\s*/);
    if (/^tags$/i.test(name)) tags.push(...values);
    else properties[name.toLowerCase()] ??= values;
  }
  for (const [, line = ''] of head.matchAll(tagLine)) tags.push(...(line.match(/#[^\s,]+/g) ?? []));
  return { ...context, properties, tags: tags.map((tag) => tag.trim().replace(/^#/, '')).slice(0, 50) };
}

function textEvidence(
  { text, path }: { readonly text: string; readonly path: string },
  body: NoteBody,
  words: Classification,
): Evidence {
  const [why = ''] = words.reasons;
  if (words.target === 'AI_RULES' && words.confidence >= rulesFrom && addressed.test(text))
    return { target: 'AI_RULES', basis: 'rules', reason: 'it gives instructions to an assistant' };
  const named = namedList(baseOf(path));
  if (named !== null && named === words.target)
    return { target: named, basis: 'title', reason: `its name is ${baseOf(path)}` };
  if (body.codeShare >= technicalShare || body.inlineShare >= inlineShare)
    return { target: 'Research', basis: 'technical', reason: 'it contains code or commands' };
  if (body.linkShare >= linkListShare)
    return { target: 'Research', basis: 'links', reason: 'it collects links' };
  const isList = appendedTargets.some((target) => target === words.target);
  if (isList && words.confidence >= clearWordsFrom && text.length < shortCharsMax)
    return { target: words.target, basis: 'words', reason: why };
  if (words.target === 'Research') return { target: 'Research', basis: 'text', reason: why };
  return { target: 'NOTE', basis: 'text', reason: 'its words do not clearly match one list' };
}

/**
 * The list whose name or synonym is the whole title; null if several targets have that name. The note of a person or
 * a company is not called People or Companies.
 */
export function namedList(title: string): Target | null {
  const key = tokens(title.replace(/[-_.]+/g, ' '))
    .map((token) => token.key || token.raw)
    .join(' ');
  const [named, ...others] = lexicons().titles.phrases.get(key) ?? [];
  if (others.length > 0) return null;
  return appendedTargets.find((target) => target === named) ?? null;
}

function answer({ target, basis, reason }: Evidence, words: Classification): Classification {
  const confidence = basisTrust[basis];
  const others = [
    { target: 'NOTE' as const, confidence: 1 - confidence },
    { target: words.target, confidence: words.confidence },
    ...words.alternatives,
  ].filter((one) => one.target !== target && one.target !== 'UNCLEAR');
  const alternatives = others
    .filter((one, at) => others.findIndex((other) => other.target === one.target) === at)
    .slice(0, alternativesMax)
    .map((one) => ({ ...one, confidence: Math.min(one.confidence, 1 - confidence) }));
  return { target, confidence, reasons: [reason], alternatives, basis };
}
