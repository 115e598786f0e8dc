import { entitiesOf } from '@daybook/grounding';

import { dayMs } from '../../foundation/clock.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';
import { addMs } from '../../foundation/instant.ts';
import { languageOfText } from '../../foundation/reader-language.ts';
import type { Agent } from '../agents/agent.ts';
import type { AnswerDeps } from './answer-deps.ts';
import type { CitableSource, SourceScope } from './answer.ts';
import type { Draft } from './draft-answer.ts';
import { containsTerm, questionTerms, readDocument } from './extract/index.ts';

const watcherTemplate = 'correction-watcher';
const withoutRunMs = 7 * dayMs;
/** A decision is committed shortly after its time: what the last run could not see yet is listed now. */
const overlapMs = 60_000;

/** Lists corrections instead of answering from texts: a withdrawn item has none. */
export function watchesCorrections({ templateName, readsPublicRecord }: Agent): boolean {
  return templateName === watcherTemplate && readsPublicRecord;
}

const asking = {
  en: /\b(?:corrections?|corrected|withdraw(?:n|als?)?|withdrew|retract(?:ed|ions?)?|merged?|split|errors?|mistakes?|changed?|changes|published?|news|items?|story|stories|reports?|articles?|previous|last|latest|recent(?:ly)?|runs?|today|yesterday|weeks?|months?|days?|list|tell|show|give|please|reasons?|happened|anything|everything)\b/giu,
  zh: /更正|更改|修正|撤[回销稿下]|合并|拆分|错误|发布|新闻|条目|报[道导]|文章|故事|最[近新]|近期|[昨今]天|[本上]周|上次|以来|列出|告诉我?|请|哪[些条]|什么|有没有|是否|[被了的吗呢和与或及]|关于|有关|所有|全部|任何|原因|为何/gu,
} as const;

/**
 * Whether a text contains one of the names of the question, or one of its words if it has no name. Every text does, if it
 * asks for corrections and nothing else.
 */
export function topicOf(question: string): (text: string) => boolean {
  const topic = question.replace(asking.en, ' ').replace(asking.zh, ' ');
  const names = entitiesOf(topic).map(({ text }) => questionTerms(text));
  const words = names.length > 0 ? names : questionTerms(topic).map((term) => [term]);
  if (words.length === 0) return () => true;
  return (text) => {
    const { keys } = readDocument({ kind: 'correction', id: '', title: '', text, day: null });
    return words.some((terms) => terms.every((term) => containsTerm(keys, term)));
  };
}

/** The corrections and withdrawals since the previous run, or of the last seven days, newest first. */
export async function watchCorrections(
  { answerSources }: Pick<AnswerDeps, 'answerSources'>,
  scope: SourceScope,
  asked: {
    readonly question: string;
    readonly lastRunAt?: EpochMicroseconds | null;
    readonly asOf: EpochMicroseconds;
  },
): Promise<{ readonly draft: Draft; readonly sources: readonly CitableSource[] }> {
  const { question, lastRunAt = null, asOf } = asked;
  const sources = await answerSources.findCorrections(scope, {
    since: lastRunAt === null ? addMs(asOf, -withoutRunMs) : addMs(lastRunAt, -overlapMs),
    language: languageOfText(question),
    isAbout: topicOf(question),
  });
  const draft: Draft = {
    // The record keeps corrections: their sentence is worded anew at each read, so no hash of it is stored.
    sentences: sources.map(({ id }) => ({ kind: 'correction', id, hash: '' })),
    contradictions: [],
    unanswered: [],
    by: 'extract',
    model: null,
    stopped: [],
    usage: { inputTokens: 0, outputTokens: 0 },
  };
  return { draft, sources };
}
