import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio2025 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The common interface of the clients of both eras. */
export interface AnyClient {
  readonly listTools: () => Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  readonly listResources: () => Promise<{ readonly resources: readonly { readonly uri: string }[] }>;
  readonly listResourceTemplates: () => Promise<{
    readonly resourceTemplates: readonly { readonly uriTemplate: string }[];
  }>;
  readonly listPrompts: () => Promise<{ readonly prompts: readonly ListedPrompt[] }>;
  readonly callTool: (call: {
    readonly name: string;
    readonly arguments: Record<string, unknown>;
  }) => Promise<ToolAnswer>;
  readonly readResource: (wish: { readonly uri: string }) => Promise<{
    readonly contents: readonly { readonly text?: string }[];
  }>;
  readonly getPrompt: (wish: {
    readonly name: string;
    readonly arguments: Record<string, string>;
  }) => Promise<{ readonly messages: readonly unknown[] }>;
  readonly complete: (wish: {
    readonly ref: CompletionRef;
    readonly argument: { readonly name: string; readonly value: string };
    readonly context?: { readonly arguments: Record<string, string> };
  }) => Promise<{ readonly completion: { readonly values: readonly string[] } }>;
  readonly close: () => Promise<void>;
}

export type CompletionRef =
  | { readonly type: 'ref/resource'; readonly uri: string }
  | { readonly type: 'ref/prompt'; readonly name: string };

export interface ListedPrompt {
  readonly name: string;
  readonly arguments?: readonly { readonly name: string }[];
}

export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** How to reach the server: its address, or the program that an agent starts. */
export interface Ways {
  readonly address: string;
  readonly program: readonly string[];
}

export const connectors: Readonly<Record<string, (ways: Ways) => Promise<AnyClient>>> = {
  'client of 2026 over HTTP': ({ address }) =>
    connect2026(new StreamableHTTPClientTransport(new URL(address))),
  'client of 2026 over stdio': ({ program }) => connect2026(new StdioClientTransport(started(program))),
  'client of 2025 over HTTP': ({ address }) => connect2025(new Http2025(new URL(address))),
  'client of 2025 over stdio': ({ program }) => connect2025(new Stdio2025(started(program))),
};

const who = { name: 'prove', version: '1' };

async function connect2026(transport: Parameters<Client['connect']>[0]): Promise<AnyClient> {
  const client = new Client(who, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(transport);
  return client as unknown as AnyClient;
}

async function connect2025(transport: Http2025 | Stdio2025): Promise<AnyClient> {
  const client = new Client2025(who);
  await client.connect(transport);
  return client as unknown as AnyClient;
}

function started(program: readonly string[]): {
  command: string;
  args: string[];
  env: Record<string, string>;
  stderr: 'ignore';
} {
  return {
    command: process.execPath,
    args: [...program],
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' },
    stderr: 'ignore',
  };
}
