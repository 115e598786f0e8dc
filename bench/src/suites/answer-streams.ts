import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { Suite, SuiteContext } from '@daybook/evidence';
import { median, quantile } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import type { AccountsStage, StageAccount } from '../../../apps/server/test/accounts-stage.ts';
import { grantOf, openAccountsStage, send } from '../../../apps/server/test/accounts-stage.ts';
import { createRecordFactory } from '../../../apps/server/test/factories/record-factory.ts';
import type { ScriptedAnswers, ShownPrompt } from '../../../prove/src/answers/five-models.ts';
import { startScriptedAnswers } from '../../../prove/src/answers/five-models.ts';

const streams = 100;
const checkedWithinMs = 30;
/** Of a model between two sentences, and the number of its sentences. */
const sentenceMs = 2_000;
const sentencesOfAnswer = 8;
const companies = ['Veltrane', 'Corvid', 'Marrow', 'Hollin', 'Tindale', 'Brasten'];

export const suite: Suite = {
  name: 'answer-streams',
  nightly: true,
  summary: 'answers in the words of a model: the check of a sentence, and other routes beside 100 streams',
  promise:
    'A scripted model writes answers sentence by sentence. The client receives the first checked sentence at most 30 ms after the model has finished it, at the 95th percentile. While one api process streams 100 answers at once, of eight sentences in 16 seconds each, the 99th percentile of the response times of other routes (the account, the list of agents) is at most 1.5 times that without streams; rounds alternate. Questions and model are in the process of the suite, on the other core.',
  run: async (context) => {
    const stage = await openAccountsStage();
    const folder = await mkdtemp(join(tmpdir(), 'bench-answers-'));
    const model = await startScriptedAnswers();
    try {
      const file = join(folder, 'models.json');
      const provider = { name: 'default', url: model.server.url, model: 'scripted', timeoutSeconds: 60 };
      await writeFile(file, JSON.stringify({ providers: [provider] }), { mode: 0o600 });
      const asker = await openAsker(stage, file);
      await measureFirstSentence(context, asker, model);
      await measureOthers(context, asker, model);
    } finally {
      await stage.stop();
      await model.server.close();
      await rm(folder, { recursive: true });
    }
  },
};

/** A member with an agent, and news that it can answer from. */
interface Asker {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly answersPath: string;
  readonly agentsPath: string;
}

async function openAsker(stage: AccountsStage, modelsFile: string): Promise<Asker> {
  const { port } = await stage.start({
    settings: {
      DAYBOOK_AGENT_MODELS_FILE: modelsFile,
      DAYBOOK_CREDENTIAL_RATE_PER_MINUTE: '1000000',
      DAYBOOK_LOG_LEVEL: 'error',
    },
    signInsUnlimited: true,
  });
  const [account] = (await stage.createAccounts(1)) as [StageAccount];
  const signedIn = await send(port, '/api/auth/token', { json: grantOf(account) });
  const headers = { authorization: `Bearer ${signedIn.json<{ access_token: string }>().access_token}` };
  const name = account.email.replace(/@.*/u, '');
  const member = `orgs/${name}/users/${name}`;
  const made = await send(port, `/dm/api/ai-mentor/${member}/mentor-with-settings/`, {
    json: { template_name: 'ai-mentor', new_mentor_name: 'One' },
    headers,
  });
  const record = createRecordFactory({ database: stage.identity.database, clock: systemClock });
  for (const company of companies)
    await record.publish({
      title: `${company} reports third-quarter results`,
      summary: `${company} reported third-quarter revenue of $4.2 billion on Thursday.`,
    });
  const { unique_id: agent } = made.json<{ unique_id: string }>();
  return {
    port,
    headers,
    answersPath: `/dm/api/ai-mentor/${member}/mentors/${agent}/answers/`,
    agentsPath: `/dm/api/search/${member}/mentors/`,
  };
}

/** A sentence that its passage supports. */
function sentenceOf({ passages: [first] }: ShownPrompt): string {
  return `${first?.text.split('\n').at(-1) ?? ''} [${first?.number}]\n`;
}

async function measureFirstSentence(
  context: SuiteContext,
  asker: Asker,
  model: ScriptedAnswers,
): Promise<void> {
  const times: number[] = [];
  for (let round = -3; round < (context.quick ? 20 : 200); round += 1) {
    let finishedAtMs = 0;
    model.script = (prompt) => ({
      pieces: (async function* write() {
        const sentence = sentenceOf(prompt);
        yield sentence.slice(0, -1);
        await delay(20);
        finishedAtMs = performance.now();
        yield '\n';
        await delay(100);
      })(),
    });
    const { firstAtMs } = await ask(asker, companies[(round + 3) % companies.length] ?? '');
    if (firstAtMs === null) throw new Error('the answer has no sentence of the model');
    if (round >= 0) times.push(firstAtMs - finishedAtMs);
  }
  const { figure } = context;
  figure({ name: 'first sentence after the model finished it, median', value: median(times), unit: 'ms' });
  figure({
    name: 'first sentence after the model finished it, p95',
    value: quantile(times, 0.95),
    unit: 'ms',
    goal: { atMost: checkedWithinMs },
  });
}

interface Asked {
  /** When the first sentence arrived; null: no sentence came while the model wrote. */
  readonly firstAtMs: number | null;
  readonly byModel: boolean;
}

function ask({ port, headers, answersPath: path }: Asker, company: string): Promise<Asked> {
  const body = JSON.stringify({ question: `What third-quarter revenue did ${company} report?` });
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers: {
        ...headers,
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    sent.on('error', reject);
    sent.end(body);
    sent.on('response', (response) => {
      let [text, firstAtMs] = ['', null as number | null];
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (firstAtMs === null && text.includes('event: sentence')) firstAtMs = performance.now();
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve({ firstAtMs, byModel: text.includes('"by":"model"') });
        else reject(new Error(`${response.statusCode}: ${text}`));
      });
    });
  });
}

async function measureOthers(context: SuiteContext, asker: Asker, model: ScriptedAnswers): Promise<void> {
  const rounds = context.quick ? 1 : 5;
  const roundMs = context.quick ? 5_000 : 20_000;
  const [alone, beside]: [number[], number[]] = [[], []];
  model.script = (prompt) => ({
    pieces: (async function* write() {
      const { passages } = prompt;
      for (let at = 0; at < sentencesOfAnswer; at += 1) {
        await delay(sentenceMs);
        // Another sentence each time: a repeated one is left out.
        yield sentenceOf({ ...prompt, passages: [passages[at % passages.length] ?? passages[0]] as never });
      }
    })(),
  });
  await requestOthers(asker, roundMs / 4);
  const tally = { answers: 0, byModel: 0 };
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await requestOthers(asker, roundMs)));
    const ended = new AbortController();
    const streaming = Array.from({ length: streams }, (_, at) => stream(asker, at, ended.signal, tally));
    // All clients have asked.
    await delay(sentenceMs * sentencesOfAnswer);
    beside.push(...(await requestOthers(asker, roundMs)));
    ended.abort();
    await Promise.all(streaming);
  }
  const { figure } = context;
  const [bare, ours] = [quantile(alone, 0.99), quantile(beside, 0.99)];
  figure({ name: 'answers streamed', value: tally.answers, unit: 'answers' });
  figure({
    name: 'of these in the words of the model',
    value: (100 * tally.byModel) / tally.answers,
    unit: '%',
    goal: { atLeast: 99 },
  });
  figure({ name: 'other routes without streams, p99', value: bare, unit: 'ms' });
  figure({ name: `other routes beside ${streams} streams, p99`, value: ours, unit: 'ms' });
  figure({
    name: `other routes beside ${streams} streams, p99, of that without`,
    value: ours / bare,
    unit: '×',
    goal: { atMost: 1.5 },
  });
}

/** Asks again and again; the clients begin one after the other. */
async function stream(
  asker: Asker,
  at: number,
  ended: AbortSignal,
  tally: { answers: number; byModel: number },
): Promise<void> {
  await delay((at / streams) * sentenceMs * sentencesOfAnswer);
  while (!ended.aborted) {
    const { byModel } = await ask(asker, companies[at % companies.length] ?? '');
    tally.answers += 1;
    if (byModel) tally.byModel += 1;
  }
}

/** The response times of two routes, over one connection that is idle between two requests. */
async function requestOthers(
  { port, headers, agentsPath }: Asker,
  forMs: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs) {
    for (const path of ['/api/v1/me', agentsPath]) {
      const startedMs = performance.now();
      const { status } = await send(port, path, { headers });
      times.push(performance.now() - startedMs);
      if (status !== 200) throw new Error(`${path}: ${status}`);
      await delay(5);
    }
  }
  return times;
}
