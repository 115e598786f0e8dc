import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { TestAccess, TestMember, TestOrganization } from '../../../test/access.ts';
import { startTestAccess } from '../../../test/access.ts';
import { createRecordFactory } from '../../../test/factories/record-factory.ts';
import { openTokenDesk } from '../../../test/platform-tokens.ts';

let stage: TestAccess;
let acme: TestOrganization;
let owner: TestMember;
beforeAll(async () => {
  stage = await startTestAccess({ mcp: true });
  acme = await stage.createOrganization();
  ({ owner } = acme);
  const record = createRecordFactory({ database: stage.database.database, clock: stage.clock });
  await record.publish({
    title: 'Veltrane reports third-quarter results',
    summary: 'Veltrane reported third-quarter revenue of $4.2 billion on Thursday.',
  });
  const path = `/dm/api/ai-mentor/orgs/${acme.key}/users/${owner.username}/mentor-with-settings/`;
  const body = { template_name: 'ai-mentor', new_mentor_name: 'Researcher' };
  await stage.send('POST', path, owner.headers, body);
});
afterAll(() => stage.stop());

async function withClient<Result>(
  headers: Readonly<Record<string, string>>,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const url = new URL(`http://127.0.0.1:${stage.app.port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } }));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const question = "What was Veltrane's third-quarter revenue?";
const askWith = (headers: Readonly<Record<string, string>>, more: object = {}) =>
  withClient(headers, (client) => client.callTool({ name: 'ask', arguments: { question, ...more } }));

test('the tool ask answers with the rights of its credential, and names a follow-up', async () => {
  const { structuredContent } = await askWith(owner.headers);
  expect(structuredContent).toMatchObject({
    answered: true,
    sentences: [{ text: 'Veltrane reported third-quarter revenue of $4.2 billion on Thursday.', cites: [1] }],
    sources: [{ kind: 'item', title: 'Veltrane reports third-quarter results' }],
  });
  const { id } = structuredContent as { id: string };
  const next = await askWith(owner.headers, { follows: id });
  expect(next.structuredContent).toMatchObject({ answered: true });
});

test('the tool ask accepts a platform token with the organization and member that it is for', async () => {
  const token = await openTokenDesk(stage, acme).made(owner);
  const { username } = owner;
  const answer = await askWith(token.headers, { organization: acme.key, username });
  expect(answer.structuredContent).toMatchObject({ answered: true });
});

test('the tool ask is not offered without credentials, and refuses members who may not ask', async () => {
  const names = await withClient({}, async (client) =>
    (await client.listTools()).tools.map(({ name }) => name),
  );
  expect(names).not.toContain('ask');
  const viewer = await acme.addMember('viewer');
  const refused = await askWith(viewer.headers, { organization: acme.key });
  expect(refused).toMatchObject({ isError: true });
  expect(JSON.stringify(refused.content)).toContain('forbidden');
  const ended = await askWith({ authorization: 'Bearer nothing' });
  expect(JSON.stringify(ended.content)).toContain('unauthenticated');
});
