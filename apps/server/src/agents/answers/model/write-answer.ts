import type { EpochMicroseconds } from '../../../foundation/instant.ts';
import { ProblemError } from '../../../foundation/problem.ts';
import type { Agent } from '../../agents/agent.ts';
import type { Payer } from '../../budgets/budget.ts';
import { budgetExhausted } from '../../budgets/budget.ts';
import type { AnsweredPart, AskedQuestion, ReadDocument, SourceSentence } from '../extract/index.ts';
import type { AnswerModels, AnswerProvider } from './answer-models.ts';
import type { CallFailure } from './model-call.ts';
import { ModelCallError, callModel } from './model-call.ts';
import { choosePassages } from './passages.ts';
import type { Passage } from './passages.ts';
import type { StoppedSentence } from './prompt.ts';
import { promptOf } from './prompt.ts';
import type { CheckedPassage, StrictKind } from './strict-findings.ts';
import { readPassage, strictFindings, supportingSentences } from './strict-findings.ts';
import type { WrittenSentence } from './written-lines.ts';
import { createLineReader } from './written-lines.ts';

/** A sentence of a model that one passage supports, and the sentences of the passage that do. */
export interface SupportedSentence {
  readonly text: string;
  readonly document: ReadDocument;
  readonly support: readonly SourceSentence[];
}

/** Why a sentence of the model was left out. */
export interface StoppedReason {
  readonly reason: 'unsupported' | 'uncited';
  readonly kinds: readonly StrictKind[];
}

export interface WrittenAnswer {
  readonly sentences: readonly SupportedSentence[];
  readonly stopped: readonly StoppedReason[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  /** Null if every call was answered to its end. */
  readonly failure: CallFailure | null;
}

export interface WriteRequest {
  readonly agent: Pick<Agent, 'systemPrompt'>;
  readonly provider: AnswerProvider;
  readonly asked: AskedQuestion;
  readonly parts: readonly AnsweredPart[];
  /** Identifies the paid calls. */
  readonly key: string;
  readonly signal: AbortSignal;
  readonly payer: Payer;
  readonly now: () => EpochMicroseconds;
  /** Called with each supported sentence, in the order of the answer. */
  readonly onSentence: (sentence: SupportedSentence) => void;
}

const sentencesMax = 12;

/**
 * An answer in a model's words, at most two paid calls: sentences that their citation does not support are requested once
 * more, then left out and counted. Without a passage, no call is made.
 */
export async function writeAnswer(models: AnswerModels, request: WriteRequest): Promise<WrittenAnswer> {
  const passages = choosePassages(request.parts).map((one) => withoutInstructions(models, one));
  const answer = new CheckedAnswer(passages, request.onSentence);
  const usage = { inputTokens: 0, outputTokens: 0 };
  if (passages.length === 0) return { ...answer.result(), usage, failure: null };
  const call = async (name: string, findings: readonly StoppedSentence[]): Promise<CallFailure | null> => {
    const reader = createLineReader((sentence) => answer.add(sentence));
    try {
      const { inputTokens, outputTokens } = await callModel(models, {
        provider: request.provider,
        key: `${request.key}/${name}`,
        prompt: promptOf(request.agent, request.asked, passages, findings),
        signal: request.signal,
        onText: reader.add,
        payer: request.payer,
        now: request.now,
      });
      usage.inputTokens += inputTokens;
      usage.outputTokens += outputTokens;
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error;
      return error.why;
    }
    reader.end();
    return null;
  };
  const failure = await call('write', []);
  const stopped = answer.takeStopped();
  const written = answer.count;
  const again =
    failure === null && stopped.length > 0 ? await callWithinBudget(() => call('again', stopped)) : failure;
  answer.leaveOut(stopped.slice(answer.count - written));
  return { ...answer.result(), usage, failure: again };
}

/** The sentences of the first call remain if the budget has no room for the second. */
async function callWithinBudget(call: () => Promise<CallFailure | null>): Promise<CallFailure | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ProblemError && error.definition === budgetExhausted) return null;
    throw error;
  }
}

/** A source may contain sentences that are addressed to the model; sentences are cited as the source has them. */
function withoutInstructions(models: AnswerModels, passage: Passage): Passage {
  const sentences = passage.sentences.filter(
    ({ text }) => models.withoutInstructions(text).trim() === text.trim(),
  );
  if (sentences.length === passage.sentences.length) return passage;
  const { source } = passage.document;
  const title = sentences[0]?.at === 0 ? source.title : '';
  const text = sentences.flatMap((one) => (one.at === 0 ? [] : [one.text])).join('\n');
  const document = { ...passage.document, source: { ...source, title, text } };
  return { ...passage, document, sentences, text: `${title}\n${text}` };
}

/** Checks sentences as they arrive. */
class CheckedAnswer {
  readonly #passages: ReadonlyMap<number, CheckedPassage>;
  readonly #onSentence: (sentence: SupportedSentence) => void;
  readonly #sentences: SupportedSentence[] = [];
  readonly #leftOut: StoppedReason[] = [];
  #stopped: StoppedSentence[] = [];

  constructor(passages: readonly Passage[], onSentence: (sentence: SupportedSentence) => void) {
    this.#passages = new Map(passages.map((passage) => [passage.number, readPassage(passage)]));
    this.#onSentence = onSentence;
  }

  add({ text, cites }: WrittenSentence): void {
    if (this.#sentences.length === sentencesMax || this.#sentences.some((one) => one.text === text)) return;
    const cited = cites.flatMap((number) => this.#passages.get(number) ?? []);
    let fewest: StoppedSentence = { text, cites, findings: [] };
    for (const passage of cited) {
      const findings = strictFindings(text, passage);
      const support = findings.length === 0 ? supportingSentences(text, passage) : [];
      if (support.length > 0) {
        const sentence = { text, document: passage.passage.document, support };
        this.#sentences.push(sentence);
        this.#onSentence(sentence);
        return;
      }
      if (fewest.findings.length === 0 || findings.length < fewest.findings.length)
        fewest = { text, cites, findings };
    }
    this.#stopped.push(fewest);
  }

  /** The sentences stopped since the last time. */
  takeStopped(): readonly StoppedSentence[] {
    const stopped = this.#stopped;
    this.#stopped = [];
    return stopped;
  }

  leaveOut(stopped: readonly StoppedSentence[]): void {
    for (const { findings } of stopped) {
      const kinds = [...new Set(findings.map(({ kind }) => kind))];
      this.#leftOut.push({ reason: findings.length === 0 ? 'uncited' : 'unsupported', kinds });
    }
  }

  get count(): number {
    return this.#sentences.length;
  }

  result(): Pick<WrittenAnswer, 'sentences' | 'stopped'> {
    return { sentences: this.#sentences, stopped: this.#leftOut };
  }
}
