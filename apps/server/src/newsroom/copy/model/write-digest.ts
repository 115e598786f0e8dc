import { Type } from 'typebox';

import type { WorkflowContext } from '../../../foundation/engine/engine-declarations.ts';
import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import type { Digest, DigestRequest, DigestSentence } from '../digest/compose-digest.ts';
import { composeDigest, stateContradictions } from '../digest/compose-digest.ts';
import type { Contradiction } from '../digest/contradictions.ts';
import { findContradictions, statesValue } from '../digest/contradictions.ts';
import type { ReadItem } from '../digest/story-item.ts';
import { byReceipt, readItem } from '../digest/story-item.ts';
import { withoutInstructions } from '../instructions-in-text.ts';
import { haveSameLanguage } from '../writer.ts';
import { faultsOf } from './accept-copy.ts';
import type { ModelWriterDeps } from './ask-model.ts';
import { askModel } from './ask-model.ts';
import { attributeSentence, withoutAttribution } from './attribute-sentence.ts';

const DraftSchema = Type.Object(
  {
    sentences: Type.Array(
      Type.Object(
        {
          text: Type.String({ maxLength: 600 }),
          cites: Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), { maxItems: 60 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 12 },
    ),
  },
  { additionalProperties: false },
);

interface Draft {
  readonly sentences: readonly { readonly text: string; readonly cites: readonly number[] }[];
}

const outputTokensMax = 2_400;
/** The newest items; sentences of the last digest cover the others. */
const itemsMax = 24;
const itemCharsMax = 1_800;
const sentencesMax = 8;
const sentenceCharsMax = { en: 320, zh: 140 } as const;

/**
 * The digest in a model's words: at most two paid calls, as steps of this name. Contradictions are found and stated by rule. A sentence that its
 * citations do not support is requested once more and then omitted; if none remains, the digest is written by rule. A
 * sentence that rests only on reports in another language names them.
 */
export async function writeDigest(
  context: Pick<WorkflowContext, 'paid'>,
  deps: ModelWriterDeps,
  request: DigestRequest,
  stepName = 'write-digest',
): Promise<Digest | null> {
  const items = request.items.map((item) => ({ ...item, text: withoutInstructions(item.text) }));
  const byRule = composeDigest({ ...request, items });
  if (byRule === null) return null;
  const { language } = request;
  const read = items.map((item) => readItem(item, request.aliases)).sort(byReceipt);
  const task = digestTask(read, request.previous, language);
  const ask = (step: string, findings: readonly string[]): Promise<Draft | null> =>
    askModel(context, deps, { step, schema: DraftSchema, message: task.prompt(findings), outputTokensMax });
  const first = await ask(stepName, []);
  if (first === null) return byRule;
  const faults = task.faults(first);
  const second = faults.length === 0 ? first : await ask(`${stepName}-again`, faults);
  return task.digest(second ?? first) ?? byRule;
}

interface DigestTask {
  readonly prompt: (findings: readonly string[]) => string;
  readonly faults: (draft: Draft) => string[];
  /** Null if no part of the draft may be published. */
  readonly digest: (draft: Draft) => Digest | null;
}

function digestTask(
  read: readonly ReadItem[],
  previous: Digest | null,
  language: ReaderLanguage,
): DigestTask {
  const shown = read.slice(-itemsMax);
  const contradictions = findContradictions(read);
  const statements = stateContradictions(contradictions, read, language);
  const citedBy = (cites: readonly number[]): readonly ReadItem[] =>
    [...new Set(cites)].flatMap((number) => shown[number - 1] ?? []);
  const check = (sentence: Draft['sentences'][number]): string[] => {
    const text = withoutAttribution(sentence.text, language);
    const { cites } = sentence;
    const cited = citedBy(cites);
    if (cited.length === 0 || cited.length < new Set(cites).size) return ['a citation that is no report'];
    return [...sentenceFaults(text, cited, language), ...disputeFaults(text, contradictions)];
  };
  return {
    prompt: (findings) => promptOf(shown, previous, statements, language, findings),
    faults: ({ sentences }) => sentences.flatMap(check),
    digest: ({ sentences }) => {
      const good = sentences.filter((sentence) => check(sentence).length === 0).slice(0, sentencesMax);
      if (good.length === 0) return null;
      const statedSentences = good.map(({ text, cites }): DigestSentence => ({
        text: attributeSentence(withoutAttribution(text.trim(), language), citedBy(cites), language),
        cites: [...new Set(cites)]
          .sort((a, b) => a - b)
          .flatMap((number) => shown[number - 1]?.item.id ?? []),
      }));
      const disputes = statements.map(({ statement, earlier, later }) => ({
        text: statement,
        cites: [...earlier, ...later],
      }));
      return { sentences: [...statedSentences, ...disputes], contradictions: statements };
    },
  };
}

function sentenceFaults(text: string, cited: readonly ReadItem[], language: ReaderLanguage): string[] {
  const sameLanguage = cited.filter(({ item }) => haveSameLanguage(item.language, language));
  const words = new Set(sameLanguage.flatMap(({ sentences }) => sentences.flatMap((one) => [...one.words])));
  return faultsOf(text, {
    sources: cited.map(({ source }) => source),
    words: sameLanguage.length === 0 ? null : words,
    language,
    charsMax: sentenceCharsMax[language],
  });
}

function disputeFaults(text: string, contradictions: readonly Contradiction[]): string[] {
  return contradictions.some(({ said }) => statesValue(text, said)) ? ['a disputed figure'] : [];
}

function promptOf(
  shown: readonly ReadItem[],
  previous: Digest | null,
  statements: Digest['contradictions'],
  language: ReaderLanguage,
  findings: readonly string[],
): string {
  return JSON.stringify({
    language,
    reports: shown.map(({ item }, at) => ({
      number: at + 1,
      source: item.sourceName,
      title: item.title,
      text: item.text.slice(0, itemCharsMax),
    })),
    account: previous?.sentences.map(({ text }) => withoutAttribution(text, language)) ?? [],
    contradictions: statements.map(({ statement }) => statement),
    ...(findings.length > 0 && { findings }),
  });
}
