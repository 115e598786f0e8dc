import { hourMs } from '../../../apps/server/src/foundation/clock.ts';
import type { AnyClient, CompletionRef, ListedPrompt, ToolAnswer } from './mcp-clients.ts';

export interface Visit {
  /** The requested tools, resources, prompts and completions, each once for every form. */
  asked: number;
  readonly faults: string[];
}

const kinds = ['daily', 'weekly', 'monthly'] as const;

/** Uses all that the server offers as an agent would, each response leading to the next request. */
export async function visitEverything(client: AnyClient): Promise<Visit> {
  const visit: Visit = { asked: 0, faults: [] };
  const expect = (holds: boolean, what: string): void => {
    visit.asked += 1;
    if (!holds) visit.faults.push(what);
  };
  const storyId = await callTools(client, expect);
  await readResources(client, storyId, expect);
  await getPrompts(client, storyId, expect);
  return visit;
}

type Expect = (holds: boolean, what: string) => void;

async function callTools(client: AnyClient, expect: Expect): Promise<string> {
  const called = new Set<string>();
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> => {
    called.add(name);
    const answer = await client.callTool({ name, arguments: given });
    expect(isWhole(answer), `${name} ${JSON.stringify(given)}: ${answer.content[0]?.text?.slice(0, 200)}`);
    return answer;
  };
  await call('search', { q: 'model' });
  await call('search', { q: '模型', limit: 3 });
  const latest = await call('latest');
  const page = await call('latest', { category: 'paper', limit: 1 });
  const { nextCursor } = page.structuredContent as { nextCursor: string | null };
  await call('latest', {
    category: 'paper',
    limit: 1,
    ...(nextCursor === null ? {} : { cursor: nextCursor }),
  });
  const { items } = latest.structuredContent as { items: { id: string }[] };
  await call('item', { id: items[0]?.id ?? '' });
  await call('sources');
  await call('archive', { q: 'model', limit: 3 });
  await call('corrections', { limit: 2 });
  for (const kind of kinds) await call('reports', { kind, limit: 2 });
  const hot = await call('hot_topics');
  const storyId = storyOf(hot);
  await call('story', { id: storyId });
  for (const kind of kinds) {
    const latest = await call('report', { kind });
    await call('report', { kind, period: (latest.structuredContent as { period: string }).period });
  }
  const { structuredContent } = await call('changes_since');
  await call('changes_since', { cursor: (structuredContent as { cursor: string }).cursor });
  await call('changes_since', { since: new Date(Date.now() - hourMs).toISOString() });
  const { tools } = await client.listTools();
  expect(
    tools.every(({ name }) => called.has(name)),
    'a tool was not called',
  );
  return storyId;
}

function storyOf({ structuredContent }: ToolAnswer): string {
  const { items } = structuredContent as { items: { storyId?: string }[] };
  return items.find(({ storyId }) => storyId !== undefined)?.storyId ?? '';
}

function isWhole({ content, structuredContent, isError }: ToolAnswer): boolean {
  return isError !== true && structuredContent !== undefined && (content[0]?.text ?? '').startsWith('# ');
}

async function readResources(client: AnyClient, storyId: string, expect: Expect): Promise<void> {
  const read = async (uri: string): Promise<void> => {
    const { contents } = await client.readResource({ uri });
    expect(/^(?:# |---\nname: )/.test(contents[0]?.text ?? ''), uri);
  };
  const { resources } = await client.listResources();
  for (const { uri } of resources) await read(uri);
  const { resourceTemplates } = await client.listResourceTemplates();
  // The skill's template covers the listed files.
  for (const { uriTemplate } of resourceTemplates.filter((one) => one.uriTemplate.startsWith('daybook:'))) {
    const name = /\{(\w+)\}/.exec(uriTemplate)?.[1] ?? '';
    const value = await firstCompletion(client, { type: 'ref/resource', uri: uriTemplate }, name);
    expect(value !== '', `completion of ${uriTemplate}`);
    await read(uriTemplate.replace(`{${name}}`, encodeURIComponent(value)));
  }
  await read(`daybook://stories/${storyId}`);
}

async function firstCompletion(
  client: AnyClient,
  ref: CompletionRef,
  name: string,
  others: Record<string, string> = {},
): Promise<string> {
  const { completion } = await client.complete({
    ref,
    argument: { name, value: '' },
    context: { arguments: others },
  });
  return completion.values[0] ?? '';
}

async function getPrompts(client: AnyClient, storyId: string, expect: Expect): Promise<void> {
  const { prompts } = await client.listPrompts();
  const given: Readonly<Record<string, readonly Record<string, string>[]>> = {
    brief_me: [{}, ...kinds.map((kind) => ({ kind }))],
    compare_coverage: [{ story: storyId }],
    what_changed: [{}],
  };
  for (const { name } of prompts) {
    expect(given[name] !== undefined, `the prompt ${name} was not asked for`);
    for (const one of given[name] ?? []) {
      const { messages } = await client.getPrompt({ name, arguments: one });
      expect(messages.length === 2, `${name} ${JSON.stringify(one)}`);
    }
  }
  for (const kind of kinds) await getCompletedPrompts(client, prompts, { kind }, expect);
}

/** Each prompt with the first value that completion offers for each argument; a cursor is opaque and has none. */
async function getCompletedPrompts(
  client: AnyClient,
  prompts: readonly ListedPrompt[],
  others: Record<string, string>,
  expect: Expect,
): Promise<void> {
  for (const { name, arguments: listed = [] } of prompts) {
    for (const argument of listed.filter((one) => one.name !== 'cursor')) {
      const value = await firstCompletion(client, { type: 'ref/prompt', name }, argument.name, others);
      expect(value !== '', `completion of ${argument.name} of ${name}`);
      const isOfKind = argument.name === 'period';
      const given = { ...(isOfKind ? others : {}), [argument.name]: value };
      const { messages } = await client.getPrompt({ name, arguments: given });
      expect(messages.length === 2, `${name} ${JSON.stringify(given)}`);
    }
  }
}
