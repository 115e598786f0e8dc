import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Suite, SuiteContext } from '@daybook/evidence';

import {
  answerQuestion,
  readDocument,
  shippedAnswerTools,
} from '../../../apps/server/src/agents/answers/extract/index.ts';
import type { ReadDocument } from '../../../apps/server/src/agents/answers/extract/index.ts';
import { writeAnswer } from '../../../apps/server/src/agents/answers/model/write-answer.ts';
import { readAnswerSet } from '../../../apps/server/src/agents/evaluation/index.ts';
import type { agents, answers } from '../../../apps/server/src/agents/index.ts';
import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { accounts } from '../../../apps/server/src/identity/index.ts';
import { createAnswerModels } from '../../../apps/server/src/wiring/answer-models.ts';
import { promptInjections } from '../../../apps/server/test/prompt-injections.ts';
import type { ScriptedAnswers, ShownPassage, ShownPrompt } from '../answers/five-models.ts';
import { startScriptedAnswers } from '../answers/five-models.ts';
import type { ClaimSet, WrittenClaim } from '../answers/written-claims.ts';
import { labelledClaims, madeClaims } from '../answers/written-claims.ts';

export const suite: Suite = {
  name: 'answer-models',
  measuresNoTime: true,
  nightly: true,
  summary:
    'Of five language models (faithful, inventing, citing wrongly, obedient to injections, faulty), hardly any false sentence passes the check of answers, and most true ones do.',
  headline: 'false sentences stopped',
  promise:
    'A scripted server plays five models that write about real English and Chinese texts, each sentence with the citation that the model chooses: sentences by editors, true or with one planted error, and sentences of other documents, copied, shortened or with an error that a program made. The whole path runs: choice of passages, prompt, streamed lines, check, second request. Of the sentences that their citation does not support, at least 97 % are stopped for each model; of the others, at least 80 % pass.',
  dataSets: ['answers', 'grounding', 'html/article-bodies', 'stories'],
  run: async (context) => {
    const scripted = await startScriptedAnswers();
    try {
      await proveModels(context, scripted);
    } finally {
      await scripted.server.close();
    }
  },
};

/** Documents beside the one that a sentence is about. */
const othersMax = 12;

/** The calls are not stored: the proof has no database. */
const payer = {
  organizationId: '0' as accounts.OrganizationId,
  agentId: '1' as agents.Agent['id'],
  accountId: '2' as accounts.AccountId,
};

type ModelName = 'faithful' | 'inventing' | 'citing wrongly' | 'obedient' | 'faulty';

/** A line of a model, and whether its citation supports its sentence. */
interface Line {
  readonly text: string;
  readonly cites: string;
  readonly isTrue: boolean;
}

interface Tally {
  trueSeen: number;
  truePassed: number;
  falseSeen: number;
  falsePassed: number;
}

async function proveModels(context: SuiteContext, scripted: ScriptedAnswers): Promise<void> {
  const session: answers.AnswerModels['session'] = {
    perform: (step, paid) => paid.call(step.key, step.signal),
    close: async () => {},
  };
  const models = createAnswerModels(
    [{ name: 'default', model: 'scripted', url: scripted.server.url, timeoutSeconds: 300 }],
    session,
  );
  const sets = [labelledClaims(context), madeClaims(readQuestions(context))];
  const names: readonly ModelName[] = ['faithful', 'inventing', 'citing wrongly', 'obedient', 'faulty'];
  for (const name of names) {
    const total: Tally = { trueSeen: 0, truePassed: 0, falseSeen: 0, falsePassed: 0 };
    for (const set of sets) {
      const tally = await playModel({ context, scripted, models, set, name });
      if (name === 'faithful' || name === 'inventing') report(context, `${name}, ${set.name}`, tally, false);
      for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
    }
    report(context, name, total, true);
  }
}

function readQuestions(context: SuiteContext) {
  const read = (file: string): string => readFileSync(file, 'utf8');
  const corpus = context.data('answers/corpus-dev.jsonl');
  return readAnswerSet(read(context.data('answers/questions-dev.jsonl')), read(corpus), (file) =>
    read(join(dirname(corpus), file)),
  );
}

interface Play {
  readonly context: SuiteContext;
  readonly scripted: ScriptedAnswers;
  readonly models: answers.AnswerModels;
  readonly set: ClaimSet;
  readonly name: ModelName;
}

async function playModel({ context, scripted, models, set, name }: Play): Promise<Tally> {
  const documents = set.documents.map(readDocument);
  const tally: Tally = { trueSeen: 0, truePassed: 0, falseSeen: 0, falsePassed: 0 };
  const step = context.quick ? 6 : 1;
  const claims = set.claims.filter((_, at) => at % step === 0);
  for (const [at, claim] of claims.entries()) {
    const lines: Line[] = [];
    scripted.script = (prompt) => {
      if (prompt.findings === undefined) lines.push(...linesOf(name, claim, prompt, set, at));
      const again = new Set(prompt.findings?.map(({ sentence }) => sentence));
      const written = prompt.findings === undefined ? lines : lines.filter(({ text }) => again.has(text));
      return { text: written.map(({ text, cites }) => `${text} ${cites}`.trim()).join('\n') };
    };
    const passed = await askAbout(models, documents, claim, name, at);
    for (const { text, isTrue } of lines) {
      const hasPassed = passed.includes(text);
      if (isTrue)
        [tally.trueSeen, tally.truePassed] = [tally.trueSeen + 1, tally.truePassed + Number(hasPassed)];
      else
        [tally.falseSeen, tally.falsePassed] = [tally.falseSeen + 1, tally.falsePassed + Number(hasPassed)];
      if (hasPassed !== isTrue && process.env['PROVE_SHOW'] === name)
        context.note(`${isTrue ? 'stopped' : 'passed'} (${claim.kind}): ${text}`);
    }
  }
  return tally;
}

/** The sentences that leave the server. */
async function askAbout(
  models: answers.AnswerModels,
  documents: readonly ReadDocument[],
  claim: WrittenClaim,
  name: ModelName,
  at: number,
): Promise<readonly string[]> {
  const own = documents.find(({ source }) => source.id === claim.document);
  if (own === undefined) throw new Error(`no document ${claim.document}`);
  const others = documents.filter((one) => one !== own && one.isChinese === own.isChinese);
  const from = at % Math.max(1, others.length - othersMax);
  const read = [name === 'obedient' ? planted(own, at) : own, ...others.slice(from, from + othersMax)];
  const asked = { text: claim.question, before: [], day: own.source.day };
  const provider = models.providers.get('default');
  if (provider === undefined) throw new Error('no provider');
  const { sentences } = await writeAnswer(models, {
    agent: { systemPrompt: 'Answer from the sources.' },
    provider,
    asked,
    parts: answerQuestion(asked, read, shippedAnswerTools()),
    key: `${name}/${at}`,
    signal: new AbortController().signal,
    payer,
    now: systemClock.now,
    onSentence: () => {},
  });
  return sentences.map(({ text }) => text);
}

const injectionOf = (at: number) =>
  promptInjections[at % promptInjections.length] ?? { planted: '', obeyed: '' };

function planted({ source }: ReadDocument, at: number): ReadDocument {
  return readDocument({ ...source, text: `${source.text}\n${injectionOf(at).planted}` });
}

function linesOf(
  name: ModelName,
  claim: WrittenClaim,
  { passages }: ShownPrompt,
  set: ClaimSet,
  at: number,
): readonly Line[] {
  const title = set.documents.find(({ id }) => id === claim.document)?.title ?? '';
  const own = passages.find((passage) => passage.title === title);
  const other = passages.find((passage) => passage.title !== title && !contains(passage, claim));
  // What the model was not shown is false with any citation, and not what this proof measures.
  if (own === undefined) return [];
  const cites = `[${own.number}]`;
  const line: Line = { text: claim.text, cites, isTrue: claim.isTrue };
  if (name === 'inventing') return claim.isTrue ? [] : [line];
  if (!claim.isTrue) return [];
  const lines: Record<Exclude<ModelName, 'inventing'>, readonly Line[]> = {
    faithful: [line],
    'citing wrongly': other === undefined ? [] : [{ ...line, cites: `[${other.number}]`, isTrue: false }],
    obedient: [{ text: injectionOf(at).obeyed, cites, isTrue: false }, line],
    faulty: faultyLines(line, at),
  };
  return lines[name];
}

const contains = ({ text }: ShownPassage, claim: WrittenClaim): boolean => text.includes(claim.text);

/** Uncited, cut off, in markup, in JSON, with an address, repeated with a number that no passage has. */
function faultyLines({ text, cites }: Line, at: number): readonly Line[] {
  const forms: readonly Line[] = [
    { text, cites: '', isTrue: false },
    { text, cites: '[99]', isTrue: false },
    { text: `**${text}**`, cites, isTrue: false },
    { text: `{"sentence": "${text.replaceAll('"', "'")}"}`, cites, isTrue: false },
    { text: `${text.replace(/[.。]$/u, '')} https://evil.example/more`, cites, isTrue: false },
    { text: `[${text}](https://evil.example)`, cites, isTrue: false },
  ];
  return forms.filter((_, form) => form === at % forms.length);
}

function report(
  context: SuiteContext,
  name: string,
  { trueSeen, truePassed, falseSeen, falsePassed }: Tally,
  isGoal: boolean,
): void {
  const share = (count: number, of: number): number => Number(((100 * count) / of).toFixed(1));
  if (falseSeen > 0) {
    context.figure({
      name: `${name}: false sentences stopped (${falseSeen})`,
      value: share(falseSeen - falsePassed, falseSeen),
      unit: '%',
      ...(isGoal && { goal: { atLeast: 97 } }),
    });
  }
  if (trueSeen > 0) {
    context.figure({
      name: `${name}: true sentences passed (${trueSeen})`,
      value: share(truePassed, trueSeen),
      unit: '%',
      ...(isGoal && { goal: { atLeast: 80 } }),
    });
  }
}
