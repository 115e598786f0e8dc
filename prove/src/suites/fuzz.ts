import type { Suite, SuiteContext } from '@daybook/evidence';
import { seededRandom } from '@daybook/evidence';

import type { Description } from '../news/answer-judge.ts';
import { AnswerJudge } from '../news/answer-judge.ts';
import type { FuzzMaterial, FuzzRequest } from '../news/fuzz-requests.ts';
import { RequestGenerator } from '../news/fuzz-requests.ts';
import type { HttpAnswer } from '../news/http-question.ts';
import { ask, askRaw, requestUntilNotBusy } from '../news/http-question.ts';
import type { NewsStage } from '../news/news-stage.ts';
import { setNewsStage } from '../news/news-stage.ts';
import type { NewsWorld } from '../news/news-world.ts';
import { fillRecord } from '../news/news-world.ts';

const atOnce = 24;
const rememberedMax = 300;

export const suite: Suite = {
  name: 'fuzz',
  summary:
    'Generated valid and hostile requests to the news API get no undeclared 5xx, and every response matches the API description.',
  promise:
    'Clients send generated valid and hostile requests to the news API. No response has a 5xx status other than the declared 503. Every body matches /openapi-v1.json, and every error is a problem with X-Request-Id.',
  measuresNoTime: true,
  run: async (context) => {
    const stage = await setNewsStage(context.root);
    try {
      await proveAnswers(context, stage);
    } finally {
      await stage.remove();
    }
  },
};

async function proveAnswers(context: SuiteContext, stage: NewsStage): Promise<void> {
  const world = await fillRecord(stage.factory, context.quick ? 60 : 400);
  const port = await stage.startApi({ DAYBOOK_TRUSTED_PROXIES: '127.0.0.1' });
  const judge = new AnswerJudge(
    JSON.parse((await requestUntilNotBusy(port, '/openapi-v1.json')).text) as Description,
  );
  const material = await gatherMaterial(port, world);
  const generator = new RequestGenerator(seededRandom(7), material);
  const total = context.quick ? 3_000 : 200_000;
  const tally = new Tally(context);
  let left = total;
  const runOne = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const request = generator.next();
      const answer = await send(port, request);
      tally.count(request, answer, judge);
      if (answer instanceof Error) continue;
      remember(material, answer);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runOne));
  tally.report(total);
}

async function gatherMaterial(port: number, world: NewsWorld): Promise<FuzzMaterial> {
  const labelsOf = (kind: string): string[] =>
    world.periods.filter((one) => one.kind === kind).map(({ period }) => period);
  const snapshot = JSON.parse(
    (await requestUntilNotBusy(port, '/api/v1/selected/snapshot?limit=20')).text,
  ) as {
    cursor: string;
    nextPage: string;
  };
  return {
    storyIds: [...world.storyIds, ...world.mergedIds, 'unknown', '019a83c0-1111-7222-8333-444455556666'],
    labels: { date: labelsOf('daily'), week: labelsOf('weekly'), month: labelsOf('monthly') },
    cursors: ['junk'],
    pages: [snapshot.nextPage],
    changes: [snapshot.cursor],
    tags: ['W/"none"'],
  };
}

async function send(port: number, { question }: FuzzRequest): Promise<HttpAnswer | Error> {
  try {
    return 'raw' in question ? await askRaw(port, question.raw) : await ask(port, question);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** What the server gave out is used again: cursors in other queries, tags for other addresses. */
function remember(material: FuzzMaterial, { headers, text }: HttpAnswer): void {
  const keep = (list: string[], value: string | undefined): void => {
    if (value === undefined) return;
    list.push(value);
    if (list.length > rememberedMax) list.shift();
  };
  keep(material.tags, headers.etag);
  keep(material.cursors, /"nextCursor":"([^"]+)"/.exec(text)?.[1]);
  keep(material.pages, /"nextPage":"([^"]+)"/.exec(text)?.[1]);
}

class Tally {
  readonly #context: SuiteContext;
  readonly #statuses = new Map<number, number>();
  readonly #kinds = new Map<string, number>();
  #unanswered = 0;
  #broken = 0;
  #serverErrors = 0;

  constructor(context: SuiteContext) {
    this.#context = context;
  }

  count(request: FuzzRequest, answer: HttpAnswer | Error, judge: AnswerJudge): void {
    const { kind, question } = request;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    if (answer instanceof Error) {
      this.#unanswered += 1;
      this.#note(request, answer.message);
      return;
    }
    this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500 && answer.status !== 503) this.#serverErrors += 1;
    const path = 'raw' in question ? (/^\w+ (\S+)/.exec(question.raw)?.[1] ?? '/') : question.path;
    const fault = judge.fault(path, 'raw' in question ? 'GET' : (question.method ?? 'GET'), answer);
    if (fault === null) return;
    this.#broken += 1;
    this.#note(request, fault);
  }

  #note({ kind, question }: FuzzRequest, fault: string): void {
    if (this.#broken + this.#unanswered > 20) return;
    this.#context.note(`${kind}: ${JSON.stringify(question).slice(0, 300)}: ${fault}`);
  }

  report(total: number): void {
    const { figure } = this.#context;
    figure({ name: 'requests sent', value: total, unit: 'requests' });
    for (const [kind, count] of [...this.#kinds].sort(([one], [other]) => (one < other ? -1 : 1)))
      figure({ name: `of these ${kind}`, value: count, unit: 'requests' });
    for (const [status, count] of [...this.#statuses].sort(([a], [b]) => a - b))
      figure({ name: `answers of ${status}`, value: count, unit: 'answers' });
    const none = { exactly: 0 };
    figure({ name: 'requests without an answer', value: this.#unanswered, unit: 'requests', goal: none });
    figure({ name: 'answers of 5xx other than 503', value: this.#serverErrors, unit: 'answers', goal: none });
    figure({ name: 'answers that are not as described', value: this.#broken, unit: 'answers', goal: none });
  }
}
