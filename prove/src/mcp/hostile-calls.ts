import type { HttpAnswer, Question } from '../news/http-question.ts';
import { hostileTexts } from '../site/hostile-texts.ts';

const texts = hostileTexts(64);
const tools = [
  'search',
  'latest',
  'archive',
  'item',
  'hot_topics',
  'story',
  'report',
  'reports',
  'sources',
  'corrections',
  'changes_since',
  'nothing',
  '__proto__',
];
const names = [
  'q',
  'category',
  'source',
  'limit',
  'cursor',
  'id',
  'kind',
  'period',
  'constructor',
  '__proto__',
  'x',
];
const prompts = ['brief_me', 'compare_coverage', 'what_changed', 'x', '__proto__'];
const templates = [
  'daybook://stories/{publicId}',
  'daybook://sources/{source}',
  'daybook://categories/{category}',
  'daybook://reports/daily/{date}',
];
const completedNames = [
  'publicId',
  'date',
  'kind',
  'period',
  'story',
  'source',
  'category',
  '__proto__',
  'x',
];
const goodValues = ['model', 'paper', 20, 'daily', '2026-11-14', '2026-W45', '2026-10'];
const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  0.5,
  '',
  ' ',
  '%00',
  '../../etc/passwd',
  '2026-99-99',
  '2026-W00',
  '0000-00',
  'daybook://stories/{publicId}',
  [],
  [[[]]],
  {},
  { $ref: '#' },
  { toString: 1 },
  'x'.repeat(5_000),
];
const uris = [
  'daybook://latest',
  'daybook://reports/daily/2026-11-14',
  'daybook://reports/daily/..%2f..%2fmetrics',
  'daybook://stories/%00',
  'daybook://stories/a?b#c',
  'daybook://sources/%ff',
  'daybook://categories/constructor',
  'file:///etc/passwd',
  'http://127.0.0.1/metrics',
  'daybook://',
  'x',
];
const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'prove', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Calls with invalid arguments, in the form of either protocol era. */
export class HostileCalls {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  next(): Question {
    const { method, params } = this.#message();
    const isModern = this.#random() < 0.5;
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: isModern ? { ...params, _meta: modern } : params,
    });
    const name = params['name'] ?? params['uri'];
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(isModern ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method } : {}),
      ...(isModern && typeof name === 'string' && /^[\x21-\x7e]+$/.test(name) ? { 'mcp-name': name } : {}),
    };
    return { method: 'POST', path: '/mcp', headers, body };
  }

  #message(): { readonly method: string; readonly params: Record<string, unknown> } {
    const turn = this.#random();
    if (turn < 0.7)
      return { method: 'tools/call', params: { name: this.#pick(tools), arguments: this.#given() } };
    if (turn < 0.85) return { method: 'resources/read', params: { uri: this.#uri() } };
    if (turn < 0.91)
      return {
        method: 'prompts/get',
        params: {
          name: this.#pick(prompts),
          arguments: this.#given(),
        },
      };
    if (turn < 0.97) {
      const argument = { name: this.#pick(completedNames), value: this.#pick(texts) };
      const context = this.#random() < 0.5 ? {} : { context: { arguments: this.#given() } };
      return {
        method: 'completion/complete',
        params: { ref: this.#completed(), argument, ...context },
      };
    }
    const methods = ['', 'tools/list/x', 'initialize', 'constructor', 'tools/list', 'prompts/list'];
    return { method: this.#pick(methods), params: { cursor: this.#value() } };
  }

  #completed(): object {
    return this.#random() < 0.5
      ? { type: 'ref/resource', uri: this.#pick([...templates, ...uris]) }
      : { type: 'ref/prompt', name: this.#pick(prompts) };
  }

  #given(): unknown {
    if (this.#random() < 0.05) return this.#value();
    const count = Math.floor(this.#random() * 4);
    // Not an object literal: a name may be `__proto__`.
    return Object.fromEntries(Array.from({ length: count }, () => [this.#pick(names), this.#value()]));
  }

  #uri(): string {
    return this.#random() < 0.6
      ? this.#pick(uris)
      : `daybook://stories/${encodeURIComponent(this.#pick(texts))}`;
  }

  #value(): unknown {
    const turn = this.#random();
    if (turn < 0.4) return this.#pick(goodValues);
    return turn < 0.7 ? this.#pick(oddValues) : this.#pick(texts);
  }

  #pick<One>(list: readonly One[]): One {
    return list[Math.floor(this.#random() * list.length)] as One;
  }
}

/** Declared for `POST /mcp`; the last two are problems. */
const statuses = new Set([200, 400, 404, 413]);
/** Parse error, invalid request, no such method, invalid arguments, no such resource of 2025, headers that differ. */
const errorCodes = new Set([-32700, -32600, -32601, -32602, -32002, -32020]);

/** The error of a response, or null. */
export function faultOf({ status, headers, text }: HttpAnswer): string | null {
  if (!statuses.has(status)) return `status ${status}`;
  if (headers['content-type'] === 'application/problem+json') return null;
  const line = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  const { error, result } = JSON.parse(line) as {
    readonly error?: { readonly code: number; readonly message: string };
    readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  };
  if (error !== undefined)
    return errorCodes.has(error.code) ? null : `error ${error.code}: ${error.message.slice(0, 200)}`;
  if (result === undefined) return 'neither result nor error';
  const said = result.isError === true ? (result.content?.[0]?.text ?? '') : '';
  return /Output validation error|Cannot read|is not a function|internal/i.test(said)
    ? said.slice(0, 200)
    : null;
}
