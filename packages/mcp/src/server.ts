import type { McpServerFactory } from '@modelcontextprotocol/server';
import {
  createMcpHandler,
  isSpecType,
  McpServer,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';

import { compileTools } from './compile-tools.ts';
import { fileTools } from './file-tools.ts';
import { skillFiles } from './generated/skill-files.ts';
import { untrustedNote } from './markdown/index.ts';
import type { McpNews } from './news.ts';
import { compilePrompts } from './prompts.ts';
import { registerResources } from './resources.ts';
import { tools } from './tools.ts';

const identity = { name: 'daybook', title: 'Daybook', version: '0.2.0' };
const instructions = [
  'AI-industry news: items, hot topics, stories, daily, weekly and monthly reports. Read-only.',
  'Use report for "what is new", hot_topics for "what matters now", search for specific questions, and story for one event with all its reports.',
  'Use ids from responses; never invent them. Link the original of every item you report.',
  untrustedNote,
].join('\n');

/** The lists are the same for all clients and change with a release; the listed editions change daily. */
const listsMs = 300_000;
const cacheHintsFor = (toolsScope: 'public' | 'private') =>
  ({
    'tools/list': { ttlMs: listsMs, cacheScope: toolsScope },
    'prompts/list': { ttlMs: listsMs, cacheScope: 'public' },
    'resources/templates/list': { ttlMs: listsMs, cacheScope: 'public' },
    'server/discover': { ttlMs: listsMs, cacheScope: 'public' },
    'resources/list': { ttlMs: 60_000, cacheScope: 'public' },
  }) as const;

function loadSkill(): Promise<SkillsExtension> {
  const files = Object.entries(skillFiles).map(([file, text]) => [`daybook/${file}`, text]);
  const cacheHint = { ttlMs: listsMs, cacheScope: 'public' } as const;
  return SkillsExtension.load(memorySkillFiles(Object.fromEntries(files)), { cacheHint, strict: true });
}

/** Makes a server for each connection or request; `newsOf` returns its data source. */
export function newsServerFactory(newsOf: (request: Request | undefined) => McpNews): McpServerFactory {
  const registerTools = compileTools(tools);
  let registerFileTools: ReturnType<typeof compileTools> | null = null;
  const registerPrompts = compilePrompts();
  const loading = loadSkill();
  return async ({ requestInfo }) => {
    const skill = await loading;
    const news = newsOf(requestInfo);
    const server = new McpServer(identity, {
      instructions,
      cacheHints: cacheHintsFor(news.ask === null && news.files === undefined ? 'public' : 'private'),
      // Clients are not notified of changes: subscriptions are not supported.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
      },
    });
    registerTools(server, news);
    if (news.files !== undefined) {
      registerFileTools ??= compileTools(fileTools);
      registerFileTools(server, news);
    }
    registerResources(server, news);
    registerPrompts(server, news);
    skill.attach(server);
    return server;
  };
}

/** Answers MCP over HTTP without sessions, for clients of 2025 and of 2026; the caller has checked Host and Origin. */
export interface NewsMcpHandler {
  readonly fetch: (request: Request, parsedBody: unknown) => Promise<Response>;
}

export function createNewsHandler(newsOf: (request: Request | undefined) => McpNews): NewsMcpHandler {
  const handler = createMcpHandler(newsServerFactory(newsOf), { maxSubscriptions: 0 });
  return {
    fetch: (request, parsedBody) => {
      const fault = faultOf(parsedBody);
      return fault === null ? handler.fetch(request, { parsedBody }) : Promise.resolve(fault);
    },
  };
}

const requestTypes = new Map<unknown, (message: unknown) => boolean>([
  // Clients of the 2026 protocol get "method not found" for this request.
  ['initialize', (message) => isSpecType.InitializeRequest(message) || isOf2026(message)],
  ['tools/list', isSpecType.ListToolsRequest],
  ['tools/call', isSpecType.CallToolRequest],
  ['resources/list', isSpecType.ListResourcesRequest],
  ['resources/templates/list', isSpecType.ListResourceTemplatesRequest],
  ['resources/read', isSpecType.ReadResourceRequest],
  ['prompts/list', isSpecType.ListPromptsRequest],
  ['prompts/get', isSpecType.GetPromptRequest],
  ['completion/complete', isSpecType.CompleteRequest],
]);

function isOf2026(message: unknown): boolean {
  const { params } = message as { readonly params?: { readonly _meta?: object } };
  return PROTOCOL_VERSION_META_KEY in (params?._meta ?? {});
}

/** Parameters that the protocol does not allow: the SDK would call them an internal error of ours. */
function faultOf(message: unknown): Response | null {
  const { method, id = null } = (message ?? {}) as { readonly method?: unknown; readonly id?: unknown };
  const isAllowed = requestTypes.get(method);
  if (isAllowed === undefined || isAllowed(message)) return null;
  const error = { code: ProtocolErrorCode.InvalidParams, message: `Invalid params of ${String(method)}` };
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 });
}
