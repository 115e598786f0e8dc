import { languageOfText } from '../../foundation/reader-language.ts';
import type { Agent } from '../agents/agent.ts';
import type { Payer } from '../budgets/budget.ts';
import type { AnswerDeps } from './answer-deps.ts';
import type {
  CitableSource,
  FilePlace,
  ModelOutcome,
  ReadAnswer,
  SourceKind,
  SourceScope,
  StoredAnswer,
  StoredSentence,
} from './answer.ts';
import type { AnsweredPart, AskedQuestion, SourceSentence } from './extract/index.ts';
import { findContradictions } from './extract/index.ts';
import type { AnswerModels, AnswerProvider } from './model/answer-models.ts';
import { defaultProvider } from './model/answer-models.ts';
import type { SupportedSentence, WrittenAnswer } from './model/write-answer.ts';
import { writeAnswer } from './model/write-answer.ts';
import { sentenceHash, showSentence } from './quote-sources.ts';

/** A client that reads the answer while it is written. */
export interface LiveAnswer {
  /** Aborted when the client has left: the model is not asked any more. */
  readonly signal?: AbortSignal;
  /** Called with each sentence of a model as soon as it is checked. */
  readonly onSentence?: (sentence: ReadAnswer['sentences'][number]) => void;
}

export interface DraftRequest {
  readonly agent: Agent;
  readonly scope: SourceScope;
  readonly asked: AskedQuestion;
  readonly parts: readonly AnsweredPart[];
  /** Identifies the paid calls. */
  readonly key: string;
  readonly payer: Payer;
}

export type Draft = Pick<
  StoredAnswer,
  'sentences' | 'contradictions' | 'unanswered' | 'by' | 'model' | 'stopped' | 'usage'
>;

const noUsage = { inputTokens: 0, outputTokens: 0 };

/** The sentences of an answer: those of the agent's model if any is supported by its citation, else quotations. */
export async function draftAnswer(deps: AnswerDeps, request: DraftRequest, live: LiveAnswer): Promise<Draft> {
  const byQuoting = quotedIn(request.parts, languageOfText(request.asked.text));
  const quoted = { ...byQuoting, by: 'extract', model: null, stopped: [], usage: noUsage } as const;
  const name = request.agent.llmProvider;
  const provider = deps.answerModels?.providers.get(name);
  if (deps.answerModels === null || provider === undefined) {
    if (name === defaultProvider) return quoted;
    return { ...quoted, model: { provider: name, outcome: 'missing' } };
  }
  if (request.parts.every(({ candidates }) => candidates.length === 0)) return quoted;
  const written = await writeInTurn(deps, deps.answerModels, provider, request, live);
  if (written === 'busy') return { ...quoted, model: { provider: name, outcome: 'busy' } };
  const { stopped, usage, sentences } = written;
  const ofModel = { model: { provider: name, outcome: outcomeOf(written) }, stopped, usage };
  if (sentences.length === 0) return { ...quoted, ...ofModel };
  return {
    sentences: sentences.map(storedSentence),
    contradictions: findContradictions(
      sentences.flatMap(({ document, support: [sentence] }) =>
        sentence === undefined ? [] : [{ document, sentence }],
      ),
    ),
    unanswered: [],
    by: 'model',
    ...ofModel,
  };
}

function outcomeOf({ sentences, stopped, failure }: WrittenAnswer): ModelOutcome {
  if (sentences.length > 0) return 'wrote';
  return failure ?? (stopped.length > 0 ? 'stopped' : 'silent');
}

async function writeInTurn(
  deps: AnswerDeps,
  models: AnswerModels,
  provider: AnswerProvider,
  request: DraftRequest,
  { signal = new AbortController().signal, onSentence }: LiveAnswer,
): Promise<WrittenAnswer | 'busy'> {
  const place = models.places.take();
  if (place === null) return 'busy';
  let sent = Promise.resolve();
  const send = async (sentence: SupportedSentence): Promise<void> => {
    const shown = await readSentence(deps, request.scope, storedSentence(sentence)).catch(() => undefined);
    if (shown !== undefined) onSentence?.(shown);
  };
  try {
    const written = await place.run(() =>
      writeAnswer(models, {
        ...request,
        provider,
        signal,
        now: deps.clock.now,
        onSentence: (sentence) => {
          sent = sent.then(() => send(sentence));
        },
      }),
    );
    await sent;
    return written;
  } finally {
    place.leave();
  }
}

/** Undefined if the source was withdrawn while the model wrote. */
async function readSentence(
  { answerSources }: AnswerDeps,
  scope: SourceScope,
  sentence: StoredSentence,
): Promise<ReadAnswer['sentences'][number] | undefined> {
  const [source] = await answerSources.read(scope, [sentence]);
  const shown = showSentence(sentence, source);
  return typeof shown === 'string' ? undefined : shown;
}

/** Words that rest on a file are not stored: the cited sentence is quoted, as long as its reader can read the file. */
function storedSentence({ text, document: { source }, support }: SupportedSentence): StoredSentence {
  const [hash = '', ...also] = support.map((sentence) => sentenceHash(sentence.text));
  const cited = { kind: source.kind as SourceKind, id: source.id, hash, also };
  const [first] = support;
  if (cited.kind !== 'file') return { ...cited, text };
  return { ...cited, ...(first !== undefined && placeInFile(source, first)) };
}

function placeInFile(
  { version }: Pick<CitableSource, 'version'>,
  { text, start }: Pick<SourceSentence, 'text' | 'start'>,
): { readonly file?: FilePlace } {
  if (version === undefined || start === null) return {};
  return { file: { version, start, end: start + text.length } };
}

/** Sentences in the language of the question come first; a sentence that answers two parts is quoted once. */
function quotedIn(
  parts: readonly AnsweredPart[],
  language: string,
): Pick<StoredAnswer, 'sentences' | 'contradictions' | 'unanswered'> {
  const byText = new Map(
    parts.flatMap(({ sentences }) => sentences.map((one) => [one.sentence.text, one] as const)),
  );
  const isOther = (text: string): number => (languageOfText(text) === language ? 0 : 1);
  const quoted = [...byText.values()].sort(
    (one, other) => isOther(one.sentence.text) - isOther(other.sentence.text),
  );
  return {
    sentences: quoted.map(({ document, sentence }) => ({
      kind: document.source.kind as SourceKind,
      id: document.source.id,
      hash: sentenceHash(sentence.text),
      ...placeInFile(document.source, sentence),
    })),
    contradictions: findContradictions(quoted),
    unanswered: parts.filter(({ sentences }) => sentences.length === 0).map(({ question }) => question.text),
  };
}
