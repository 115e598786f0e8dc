import type { Suite, SuiteContext } from '@daybook/evidence';
import { splitSentences } from '@daybook/grounding';

import { extractSummary, summaryCharsMax } from '../../../apps/server/src/newsroom/copy/index.ts';
import type { CitedText } from '../checker/cited-text.ts';
import { newswireTexts, realTexts } from '../checker/cited-text.ts';

/** A seed and a half of the pages that were not read while the rules were written. */
const heldOutSeed = 9002;
const shortestText = 800;

export const suite: Suite = {
  name: 'summaries',
  measuresNoTime: true,
  summary: 'facts in extracted summaries beside the first three sentences',
  promise:
    'A summary by rule contains at least 1.15 times as many of the facts of a text (its distinct numbers and names) as its first three sentences do at the same length, is never longer than its limit, and consists of whole sentences of the text in their order. Patterns of the suite count the facts, not those of the summarizer. Real articles are those that the rules were not written with; the simulated ones have their own seed.',
  dataSets: ['html/article-bodies', 'stories'],
  run: async (context) => {
    const data = context.data('.');
    const real = realTexts(data, 'odd').filter(({ text }) => text.length >= shortestText);
    const simulated = newswireTexts(heldOutSeed, context.quick ? 6 : 30);
    const perLanguage = context.quick ? 60 : 400;
    const groups: readonly (readonly [name: string, texts: readonly CitedText[]])[] = [
      ['real articles', context.quick ? real.slice(0, 40) : real],
      ['newswire, en', simulated.filter(({ language }) => language === 'en').slice(0, perLanguage)],
      ['newswire, zh', simulated.filter(({ language }) => language === 'zh').slice(0, perLanguage)],
    ];
    const all = groups.flatMap(([name, texts]) => texts.map((text) => measure(name, text)));
    for (const [name] of groups)
      groupFigures(
        context,
        name,
        all.filter((one) => one.group === name),
      );
    const flaws = all.flatMap((one) => one.flaws);
    const count = (flaw: string): number => flaws.filter((one) => one === flaw).length;
    context.figure({
      name: 'longer than the limit',
      value: count('too long'),
      unit: 'summaries',
      goal: { exactly: 0 },
    });
    context.figure({
      name: 'with a sentence cut, changed or moved',
      value: count('cut'),
      unit: 'summaries',
      goal: { exactly: 0 },
    });
    context.figure({ name: 'empty though a sentence would fit', value: count('empty'), unit: 'summaries' });
  },
};

interface Measured {
  readonly group: string;
  readonly ours: number;
  readonly lead: number;
  /** The same at the bound that items have. */
  readonly oursAtBound: number;
  readonly leadAtBound: number;
  readonly flaws: readonly string[];
}

function measure(group: string, cited: CitedText): Measured {
  const [first = '', ...rest] = cited.text.split('\n');
  // Simulated bodies have their title as the first line; real bodies do not.
  const [title, body] = cited.origin === 'newswire' ? [first, rest.join('\n')] : ['', cited.text];
  const sentences = splitSentences(body);
  const glue = cited.language === 'zh' ? '' : ' ';
  const lead = sentences.slice(0, 3).join(glue);
  const { language } = cited;
  const ours = extractSummary({ title, text: body, language, charsMax: lead.length });
  const charsMax = summaryCharsMax(language);
  const atBound = extractSummary({ title, text: body, language, charsMax });
  const facts = distinctFacts(body, cited);
  const factShare = (summary: string): number =>
    facts.filter((fact) => summary.includes(fact)).length / Math.max(1, facts.length);
  return {
    group,
    ours: factShare(ours),
    lead: factShare(lead),
    oursAtBound: factShare(atBound),
    leadAtBound: factShare(leadWithin(sentences, glue, charsMax)),
    flaws: [
      ...flawsOf(ours, sentences, lead.length),
      ...flawsOf(atBound, sentences, charsMax),
      ...(ours === '' ? ['empty'] : []),
    ],
  };
}

/** Numbers and names by plain patterns; in Chinese the names that the simulated world knows, and words in Latin letters. */
function distinctFacts(text: string, cited: CitedText): string[] {
  const numbers =
    text.match(/\d+(?:[.,]\d+)*|[二两三四五六七八九十百千]+(?=[个家名年周天次款倍起位])[^一]/gu) ?? [];
  const names =
    cited.language === 'zh'
      ? [
          ...cited.worldNames.filter((name) => text.includes(name)),
          ...(text.match(/\p{Lu}\p{Script=Latin}+/gu) ?? []),
        ]
      : (text.match(/(?<=[\p{Ll},] )\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)*/gu) ?? []);
  return [...new Set([...numbers, ...names])];
}

function leadWithin(sentences: readonly string[], glue: string, charsMax: number): string {
  let lead = '';
  for (const sentence of sentences) {
    const longer = lead === '' ? sentence : `${lead}${glue}${sentence}`;
    if (longer.length > charsMax) break;
    lead = longer;
  }
  return lead;
}

function flawsOf(summary: string, sentences: readonly string[], charsMax: number): string[] {
  const isWhole = isMadeOf(summary, sentences, 0);
  return [...(summary.length > charsMax ? ['too long'] : []), ...(isWhole ? [] : ['cut'])];
}

/** Whether the text is a selection of the sentences, each whole and in order. */
function isMadeOf(text: string, sentences: readonly string[], from: number): boolean {
  if (text === '') return true;
  for (let at = from; at < sentences.length; at += 1) {
    const sentence = sentences[at] ?? '';
    if (text.startsWith(sentence) && isMadeOf(text.slice(sentence.length).trimStart(), sentences, at + 1))
      return true;
  }
  return false;
}

function groupFigures(context: SuiteContext, name: string, measured: readonly Measured[]): void {
  const mean = (value: (one: Measured) => number): number =>
    (100 * measured.reduce((sum, one) => sum + value(one), 0)) / Math.max(1, measured.length);
  const [ours, lead] = [mean((one) => one.ours), mean((one) => one.lead)];
  context.figure({ name: `${name}: texts`, value: measured.length, unit: 'texts' });
  context.figure({ name: `${name}: facts in the summary`, value: ours, unit: '%' });
  context.figure({ name: `${name}: facts in the first three sentences`, value: lead, unit: '%' });
  context.figure({
    name: `${name}: the ratio of both`,
    value: ours / lead,
    unit: '×',
    goal: { atLeast: 1.15 },
  });
  const atBound = mean((one) => one.oursAtBound) / mean((one) => one.leadAtBound);
  context.figure({
    name: `${name}: the ratio at the length of an item’s summary`,
    value: atBound,
    unit: '×',
  });
}
