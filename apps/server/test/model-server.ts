import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ModelServerRequest {
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    /** Responses with text are then sent as events. */
    readonly stream?: boolean;
    readonly max_tokens?: number;
  };
  readonly headers: IncomingMessage['headers'];
}

/** Its response. */
export type ModelServerReply =
  | { readonly answer: unknown }
  | { readonly text: string; readonly finish?: 'stop' | 'length'; readonly usage?: ModelServerUsage }
  /** Streamed piece by piece; the response ends with the last one, or breaks if a piece cannot be made. */
  | { readonly pieces: AsyncIterable<string> | Iterable<string>; readonly usage?: ModelServerUsage }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly hang: true }
  | { readonly endless: true };

export interface ModelServerUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface ModelServer {
  readonly url: string;
  /** In order of arrival: each is charged. */
  readonly requests: readonly ModelServerRequest[];
  /** Responses that clients did not wait for. */
  readonly abandoned: () => number;
  readonly close: () => Promise<void>;
}

/** A real HTTP server on loopback that implements the OpenAI-compatible API with scripted responses. */
export async function openModelServer(
  reply: (request: ModelServerRequest, nth: number) => ModelServerReply | Promise<ModelServerReply>,
): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await readJson(message)) as ModelServerRequest['body'];
    const request = { body, headers: message.headers };
    requests.push(request);
    response.once('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    await send(response, await reply(request, requests.length - 1), body);
  };
  let abandoned = 0;
  const server = createServer((message, response) => void answer(message, response));
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    abandoned: () => abandoned,
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

async function readJson(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

const defaultUsage: ModelServerUsage = { prompt_tokens: 7, completion_tokens: 3 };

async function send(
  response: ServerResponse,
  reply: ModelServerReply,
  { model, stream = false }: ModelServerRequest['body'],
): Promise<void> {
  if ('hang' in reply) return;
  if ('endless' in reply) {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', more);
    more();
    return;
  }
  if ('status' in reply) {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(JSON.stringify({ error: { message: 'as told' } }));
    return;
  }
  if ('pieces' in reply || stream) {
    const pieces =
      'pieces' in reply ? reply.pieces : ['answer' in reply ? JSON.stringify(reply.answer) : reply.text];
    const usage = ('usage' in reply ? reply.usage : undefined) ?? defaultUsage;
    await sendEvents(response, pieces, model, usage).catch(() => {
      // After what was written before.
      response.write('\n', () => response.destroy());
    });
    return;
  }
  const content = 'answer' in reply ? JSON.stringify(reply.answer) : reply.text;
  const finish = 'answer' in reply ? 'stop' : (reply.finish ?? 'stop');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    }),
  );
}

async function sendEvents(
  response: ServerResponse,
  pieces: AsyncIterable<string> | Iterable<string>,
  model: string,
  usage: ModelServerUsage,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (choices: readonly object[], more: object = {}): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices, ...more })}\n\n`;
  for await (const content of pieces) {
    if (response.destroyed) return;
    response.write(event([{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }]));
  }
  response.write(event([{ index: 0, delta: {}, finish_reason: 'stop' }]));
  const total_tokens = usage.prompt_tokens + usage.completion_tokens;
  response.end(`${event([], { usage: { ...usage, total_tokens } })}data: [DONE]\n\n`);
}
