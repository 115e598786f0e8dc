import { afterEach, describe, expect, test } from 'vitest';

import type { ModelServer, ModelServerReply, ModelServerRequest } from '../../../../test/model-server.ts';
import { openModelServer } from '../../../../test/model-server.ts';
import { promptInjections } from '../../../../test/prompt-injections.ts';
import type { WorkflowContext } from '../../../foundation/engine/engine-declarations.ts';
import { createModelBreaker } from '../../../foundation/models/model-breaker.ts';
import { createModelCalls } from '../../../foundation/models/model-calls.ts';
import { createModelEndpoint } from '../../../foundation/models/model-endpoint.ts';
import type { ReaderLanguage } from '../../../foundation/reader-language.ts';
import { composeDigest } from '../digest/compose-digest.ts';
import type { StoryItem } from '../digest/story-item.ts';
import { judge } from '../judgement/judge.ts';
import { writeByRule } from '../write-by-rule.ts';
import type { EntryText, ItemCopy } from '../writer.ts';
import { readPrompt } from './prompt.ts';
import { writeDigest } from './write-digest.ts';
import { writeItem } from './write-item.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Like the engine, without its tables: an error without cost is retried, any other one uses the fallback. */
const context: Pick<WorkflowContext, 'paid'> = {
  paid: async (name, { call, fallback, isUnspent, attemptsMax = 1 }) => {
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      try {
        return await call(`test/${name}`, new AbortController().signal);
      } catch (error) {
        if (isUnspent?.(error) !== true) break;
      }
    }
    return fallback('failed');
  },
};

async function writerDeps(
  reply: (request: ModelServerRequest, nth: number) => ModelServerReply,
  language: ReaderLanguage = 'en',
) {
  server = await openModelServer(reply);
  const endpoint = createModelEndpoint({
    baseUrl: server.url,
    apiKey: '',
    structuredOutput: 'json',
    timeoutMs: 5_000,
  });
  const calls = createModelCalls({
    endpoint,
    breaker: createModelBreaker({ elapsedMs: () => 0, failuresMax: 1_000 }),
    budget: { take: async () => ({ granted: true }) },
  });
  return {
    calls,
    model: 'small',
    prompt: readPrompt('write-item'),
    language,
    aliases: [['Veltrane', '维尔川']],
  } as const;
}

const entry: EntryText = {
  title: 'Veltrane raises $120 million',
  text:
    'Veltrane has raised $120 million in a round led by Ninth Ferry Partners, the company said on Thursday. ' +
    'The money will pay for 4 data centres in Linjiang. Veltrane employs 1,630 people.',
  language: 'en',
  sourceName: 'The Halden Wire',
};
const good = [
  'Veltrane raised 120 million dollars from Ninth Ferry Partners.',
  'It will pay for 4 data centres in Linjiang.',
];

describe('an item written by a model', () => {
  test('has the model’s text if the item supports all of it, under the source’s own title', async () => {
    const deps = await writerDeps(() => ({ answer: { title: '', sentences: good } }));
    expect(await writeItem(context, deps, entry)).toEqual({
      title: entry.title,
      originalTitle: null,
      summary: good.join(' '),
      language: 'en',
    });
    const [request] = server?.requests ?? [];
    const [system, user] = request?.body.messages ?? [];
    expect(system?.content).toContain(readPrompt('write-item').text);
    expect(JSON.parse(String(user?.content))).toMatchObject({
      language: 'en',
      titleWanted: false,
      report: { title: entry.title },
    });
  });

  test('is requested once more with its faults, and then loses the remaining faulty text', async () => {
    const invented = 'Veltrane raised $170 million from Ninth Ferry Partners.';
    const deps = await writerDeps(() => ({ answer: { title: '', sentences: [invented, good[1]] } }));
    expect((await writeItem(context, deps, entry)).summary).toBe(good[1]);
    expect(server?.requests).toHaveLength(2);
    const again = JSON.parse(String(server?.requests[1]?.body.messages[1]?.content)) as {
      findings: string[];
    };
    expect(again.findings).toEqual(['number not in the report: 170 million']);
  });

  test('is translated with the original title preserved, or by rule in its own language on failure', async () => {
    const title = '维尔川融资 1.2 亿美元';
    const sentences = ['维尔川完成 1.2 亿美元融资，由 Ninth Ferry Partners 领投。'];
    const deps = await writerDeps(() => ({ answer: { title, sentences } }), 'zh');
    expect(await writeItem(context, deps, entry)).toEqual({
      title,
      originalTitle: entry.title,
      summary: sentences[0],
      language: 'zh',
    });
    const wrong = await writerDeps(() => ({ answer: { title: '哈沃里克融资 1.2 亿美元', sentences } }), 'zh');
    expect(await writeItem(context, wrong, entry)).toEqual(writeByRule(entry));
  });

  test.each<[string, ModelServerReply, number]>([
    ['invents everything', { answer: { title: '', sentences: ['Halvoric cut 70 jobs.'] } }, 2],
    ['answers off its schema', { answer: { headline: 'x' } }, 1],
    ['is cut off', { text: '{"title": "", "sentences": ["Velt', finish: 'length' }, 1],
    ['fails', { status: 500 }, 1],
    ['writes another language', { answer: { title: '', sentences: ['维尔川完成融资。'] } }, 2],
    [
      'sends markup and addresses',
      { answer: { title: '', sentences: ['See https://evil.example for Veltrane.'] } },
      2,
    ],
  ])('is by rule where the model %s', async (_, reply, requests) => {
    const deps = await writerDeps(() => reply);
    expect(await writeItem(context, deps, entry)).toEqual(writeByRule(entry));
    expect(server?.requests).toHaveLength(requests);
  });

  test('never exceeds the limit of a summary and never cuts a sentence', async () => {
    const many = Array.from(
      { length: 6 },
      (_, at) =>
        `Veltrane employs 1,630 people in Linjiang, the company said on Thursday ${'again '.repeat(at)}there.`,
    );
    const deps = await writerDeps(() => ({ answer: { title: '', sentences: many } }));
    const { summary } = await writeItem(context, deps, entry);
    expect(summary.length).toBeLessThanOrEqual(420);
    expect(summary).toMatch(/there\.$/u);
  });
});

test('sixty planted instructions, each obeyed by the model, reach no item and change no judgement', async () => {
  expect(promptInjections).toHaveLength(60);
  let obeyed = '';
  const zhEntry: EntryText = {
    ...entry,
    language: 'zh',
    text: '维尔川周四完成 1.2 亿美元融资，由九渡资本领投。公司约有 1630 名员工。',
    title: '维尔川融资 1.2 亿美元',
  };
  const deps = await writerDeps(() => ({ answer: { title: obeyed, sentences: [obeyed] } }));
  const judged = ({ title, text }: EntryText) =>
    judge(
      {
        title,
        text,
        url: '',
        source: { tier: 2, firstParty: false, participation: 'editorial', categoryHint: null },
        novelty: 'first',
        owners: 2,
      },
      'en',
    );
  for (const injection of promptInjections) {
    obeyed = injection.obeyed;
    const inChinese = /\p{Script=Han}/u.test(obeyed);
    const clean = inChinese ? zhEntry : entry;
    const planted = { ...clean, text: `${clean.text}\n${injection.planted}` };
    const copy: ItemCopy = await writeItem(context, { ...deps, language: inChinese ? 'zh' : 'en' }, planted);
    // The planted text is part of the comparison, so that a failure shows it.
    expect([injection.planted, copy]).toEqual([injection.planted, writeByRule(clean)]);
    expect([injection.planted, judged(planted)]).toEqual([injection.planted, judged(clean)]);
  }
});

describe('a digest written by a model', () => {
  let turn = 0n;
  const item = (id: string, text: string): StoryItem => ({
    id,
    sourceName: `The ${id.toUpperCase()} Wire`,
    owner: id,
    voice: id,
    title: `Report ${id}`,
    text,
    language: 'en',
    receivedAt: (turn += 1n),
    tier: 2,
    firstParty: false,
  });
  const items = [
    item('a', entry.text),
    item('b', 'Veltrane will spend the money on 4 data centres in Linjiang with Halvoric.'),
    item('c', 'Papers put the size of the round at $95 million; earlier reports had said $120 million.'),
  ];
  const request = { previous: null, items, language: 'en' } as const;

  test('has the model’s sentences with their citations, and contradictions by rule', async () => {
    const text = 'Veltrane will build 4 data centres in Linjiang with Halvoric.';
    const deps = await writerDeps(() => ({ answer: { sentences: [{ text, cites: [2] }] } }));
    const digest = await writeDigest(context, { ...deps, prompt: readPrompt('write-digest') }, request);
    expect(digest?.sentences).toEqual([
      { text, cites: ['b'] },
      {
        text: 'The size of the round: $120 million (The A Wire) or $95 million (The C Wire).',
        cites: ['a', 'c'],
      },
    ]);
  });

  test.each([
    ['cites a report that does not say it', { text: 'Veltrane employs 1,630 people.', cites: [2] }],
    ['cites nothing', { text: 'Veltrane employs 1,630 people.', cites: [] }],
    ['cites what is no report', { text: 'Veltrane employs 1,630 people.', cites: [1, 9] }],
    ['states a disputed figure', { text: 'Veltrane has raised $120 million.', cites: [1] }],
    ['invents', { text: 'Halvoric bought Veltrane for $9 billion.', cites: [1, 2, 3] }],
  ])('is by rule where the model %s', async (_, sentence) => {
    const deps = await writerDeps(() => ({ answer: { sentences: [sentence] } }));
    const digest = await writeDigest(context, { ...deps, prompt: readPrompt('write-digest') }, request);
    expect(digest).toEqual(composeDigest(request));
    expect(server?.requests).toHaveLength(2);
  });

  test('names the reports of a sentence that rests only on another language, once', async () => {
    const translated = 'Veltrane employs 1,630 people.';
    const chinese = {
      ...item('d', 'Veltrane 现有 1630 名员工。'),
      title: 'Veltrane 有多少员工',
      sourceName: '长汀财讯',
      language: 'zh-Hans',
    };
    const attributed = 'Veltrane employs 1,630 people (reported in Chinese by 长汀财讯).';
    const both = { ...request, items: [...items, chinese] };
    for (const [text, previous] of [
      [translated, null],
      [attributed, { sentences: [{ text: attributed, cites: ['d'] }], contradictions: [] }],
    ] as const) {
      const deps = await writerDeps(() => ({ answer: { sentences: [{ text, cites: [4] }] } }));
      const prompted = { ...deps, prompt: readPrompt('write-digest') };
      const digest = await writeDigest(context, prompted, { ...both, previous });
      expect(digest?.sentences[0]).toEqual({ text: attributed, cites: ['d'] });
      expect(JSON.stringify(server?.requests)).not.toContain('reported in Chinese by');
      await server?.close();
    }
  });
});

test('the version of a prompt is the hash of its text', () => {
  const [item, digest] = [readPrompt('write-item'), readPrompt('write-digest')];
  expect(item.version).toMatch(/^[0-9a-f]{12}$/u);
  expect(item.version).not.toBe(digest.version);
});
