import { afterEach, beforeEach, expect, it } from 'vitest';

import type { TestServer } from '../../client/test/ledger-server.ts';
import { json, serve } from '../../client/test/ledger-server.ts';
import type { Terminal } from '../test/terminal.ts';
import { openTerminal } from '../test/terminal.ts';

const organizations = [
  { id: 'o1', platform_key: 'acme', name: 'Acme' },
  { id: 'o2', platform_key: 'other', name: 'Other' },
];
const agents: Readonly<Record<string, readonly object[]>> = {
  acme: [{ unique_id: 'a1', slug: 'researcher', name: 'Researcher' }],
  other: [
    { unique_id: 'a2', slug: 'one', name: 'One' },
    { unique_id: 'a3', slug: 'two', name: 'Two' },
  ],
};
const sources = [
  {
    kind: 'item',
    id: 'i1',
    title: 'Results',
    url: 'https://x.example/i1',
    publisher: 'The Wire',
    published: '2026-11-12',
  },
  {
    kind: 'story',
    id: 's1',
    title: 'A \u001B[2Jstory',
    url: 'https://x.example/s1',
    publisher: null,
    published: null,
  },
];
const answer = {
  id: 'answer-1',
  sentences: [
    { text: 'Revenue was $4.2 billion.', cites: [{ kind: 'item', id: 'i1' }] },
    { text: 'Revenue was $4.4 billion.', cites: [{ kind: 'story', id: 's1' }] },
  ],
  left_out: [
    { reason: 'unanswered', text: 'Who signed?' },
    { reason: 'uncited', text: null },
  ],
  sources,
  contradictions: [{ sentences: [0, 1] }],
};

let server: TestServer;
let terminal: Terminal;
let asked: { path: string; body: unknown }[];
beforeEach(async () => {
  asked = [];
  server = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    const [, key] = /\/orgs\/(\w+)\/users\/nora\/mentors\/$/.exec(pathname) ?? [];
    if (pathname === '/api/v1/me')
      json(response, { user: { username: 'nora', organizationId: 'o1', organizations } });
    else if (key !== undefined)
      json(response, { data: agents[key] ?? [], pagination: { hasMore: false, nextCursor: null } });
    else {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        asked.push({ path: pathname, body: JSON.parse(body) as unknown });
        json(response, answer, {}, 201);
      });
    }
  });
  terminal = openTerminal(server.baseUrl);
  terminal.signIn();
});
afterEach(async () => {
  await server.close();
  terminal.close();
});

it('ask prints the sentences with numbered sources, contradictions and what no source answers', async () => {
  const { code, out } = await terminal.run('ask', 'What', 'was', 'the revenue?');
  expect([code, asked]).toEqual([
    0,
    [
      {
        path: '/dm/api/ai-mentor/orgs/acme/users/nora/mentors/a1/answers/',
        body: { question: 'What was the revenue?' },
      },
    ],
  ]);
  expect(out.slice(0, 5)).toEqual([
    'Revenue was $4.2 billion. [1]',
    'Revenue was $4.4 billion. [2]',
    'Sentences 1 and 2 state different numbers.',
    'No source answers: Who signed?',
    'A sentence of the language model was omitted: it has no citation.',
  ]);
  expect(out.join('\n')).toContain('[1] Results, The Wire, 2026-11-12\n    https://x.example/i1');
  expect(out.at(-1)).toBe('Follow-up question: daybook ask --follows answer-1 <question>');
  expect(out.join('')).not.toContain('\u001B');
});

it('ask continues a conversation with the chosen agent of the chosen organization', async () => {
  const flags = ['--organization', 'other', '--agent', 'two', '--follows', 'answer-1', '--json'];
  const { out } = await terminal.run('ask', ...flags, 'And when?');
  expect(asked).toEqual([
    {
      path: '/dm/api/ai-mentor/orgs/other/users/nora/mentors/a3/answers/',
      body: { question: 'And when?', follows: 'answer-1' },
    },
  ]);
  expect(JSON.parse(out.join(''))).toEqual(answer);
});

it('ask refuses an empty question, an unknown name, and a choice between agents', async () => {
  const codes = [];
  for (const args of [
    [],
    ['--organization', 'none', 'Why?'],
    ['--agent', 'none', 'Why?'],
    ['--organization', 'other', 'Why?'],
  ])
    codes.push((await terminal.run('ask', ...args)).code);
  expect([codes, asked]).toEqual([[2, 3, 3, 2], []]);
});
