import { contentWords, readSource, splitSentences } from '@daybook/grounding';
import { Type } from 'typebox';

import type { WorkflowContext } from '../../../foundation/engine/engine-declarations.ts';
import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { withoutInstructions } from '../instructions-in-text.ts';
import { writeByRule } from '../write-by-rule.ts';
import type { EntryText, ItemCopy } from '../writer.ts';
import { haveSameLanguage } from '../writer.ts';
import type { CopyCheck } from './accept-copy.ts';
import { faultsOf } from './accept-copy.ts';
import type { ModelWriterDeps } from './ask-model.ts';
import { askModel } from './ask-model.ts';

export interface ItemWriterDeps extends ModelWriterDeps {
  /** Of the installation. */
  readonly language: ReaderLanguage;
  readonly aliases: readonly (readonly string[])[];
}

/** The response schema; small, so that no other content can be returned. */
const DraftSchema = Type.Object(
  {
    title: Type.String({ maxLength: 400 }),
    sentences: Type.Array(Type.String({ maxLength: 600 }), { maxItems: 6 }),
  },
  { additionalProperties: false },
);

interface Draft {
  readonly title: string;
  readonly sentences: readonly string[];
}

const outputTokensMax = 900;
/** Long items are truncated for the model, not for the checks. */
const promptTextCharsMax = 8_000;
const sentenceCharsMax = { en: 280, zh: 120 } as const;
const titleCharsMax = { en: 160, zh: 70 } as const;

/**
 * One durable workflow: at most two paid calls, each with its receipt. Text that the item does not support is
 * requested once more, then written by rule; without a model, a budget or a usable response all text is by rule.
 */
export async function writeItem(
  context: Pick<WorkflowContext, 'paid'>,
  deps: ItemWriterDeps,
  entry: EntryText,
): Promise<ItemCopy> {
  const clean: EntryText = { ...entry, text: withoutInstructions(entry.text) };
  const byRule = writeByRule(entry);
  const task = itemTask(clean, deps);
  const ask = (step: string, findings: readonly string[]): Promise<Draft | null> =>
    askModel(context, deps, { step, schema: DraftSchema, message: task.prompt(findings), outputTokensMax });
  const first = await ask('write-item', []);
  if (first === null) return byRule;
  const faults = task.faults(first);
  if (faults.length === 0) return task.copy(first, byRule);
  const second = await ask('write-item-again', faults);
  return task.copy(second ?? first, byRule);
}

interface ItemTask {
  readonly prompt: (findings: readonly string[]) => string;
  readonly faults: (draft: Draft) => string[];
  readonly copy: (draft: Draft, byRule: ItemCopy) => ItemCopy;
}

function itemTask(entry: EntryText, { language, aliases }: ItemWriterDeps): ItemTask {
  const translates = !haveSameLanguage(entry.language, language);
  const whole = `${entry.title}\n${entry.text}`;
  const check: CopyCheck = {
    sources: [readSource(whole, { aliases })],
    words: translates
      ? null
      : new Set(splitSentences(whole).flatMap((sentence) => [...contentWords(sentence)])),
    language,
    charsMax: sentenceCharsMax[language],
  };
  const titleFaults = (title: string): string[] =>
    translates ? faultsOf(title, { ...check, charsMax: titleCharsMax[language] }) : [];
  return {
    prompt: (findings) =>
      JSON.stringify({
        language,
        titleWanted: translates,
        report: {
          source: entry.sourceName,
          title: entry.title,
          text: entry.text.slice(0, promptTextCharsMax),
        },
        ...(findings.length > 0 && { findings }),
      }),
    faults: ({ title, sentences }) => [
      ...titleFaults(title),
      ...sentences.flatMap((sentence) => faultsOf(sentence, check)),
      ...(sentences.length === 0 ? ['no sentence'] : []),
    ],
    copy: (draft, byRule) => {
      const sentences = draft.sentences.filter((sentence) => faultsOf(sentence, check).length === 0);
      const summary = joined(sentences, language);
      if (summary === '') return byRule;
      if (!translates) return { ...byRule, summary };
      // A translated summary under an untranslated title would mix two languages in one item.
      if (titleFaults(draft.title).length > 0) return byRule;
      return { title: draft.title.trim(), originalTitle: byRule.title, summary, language };
    },
  };
}

/** Shorter than a summary by rule: a model condenses, a rule quotes whole sentences. */
const summaryCharsMax = { en: 420, zh: 180 } as const;

/** As many whole sentences as fit into a summary. */
function joined(sentences: readonly string[], language: ReaderLanguage): string {
  const glue = language === 'zh' ? '' : ' ';
  let text = '';
  for (const sentence of new Set(sentences.map((one) => one.trim()))) {
    const longer = text === '' ? sentence : `${text}${glue}${sentence}`;
    if (longer.length > summaryCharsMax[language]) break;
    text = longer;
  }
  return text;
}
