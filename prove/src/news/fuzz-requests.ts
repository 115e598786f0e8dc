import type { Question } from './http-question.ts';

/** The intended kind of a generated request. */
export type FuzzClass =
  | 'valid'
  | 'near-valid'
  | 'hostile'
  | 'wrong method'
  | 'huge'
  | 'odd encoding'
  | 'raw bytes';

export interface FuzzRequest {
  readonly kind: FuzzClass;
  /** Raw bytes for requests that no client library would send. */
  readonly question: Question | { readonly raw: string };
}

export interface FuzzMaterial {
  readonly storyIds: readonly string[];
  readonly labels: Readonly<Record<'date' | 'week' | 'month', readonly string[]>>;
  /** Cursors, pages and tags that the server itself has given out; grows while the suite runs. */
  readonly cursors: string[];
  readonly pages: string[];
  readonly changes: string[];
  readonly tags: string[];
}

const fixedPaths = [
  '/api/v1/hot-topics',
  '/api/v1/dailies/latest',
  '/api/v1/weeklies/latest',
  '/api/v1/monthlies/latest',
  '/api/v1/agent',
  '/agent/index.md',
  '/agent/latest.md',
  '/agent/hot.md',
  '/agent/daily.md',
  '/agent/weekly.md',
  '/agent/monthly.md',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/openapi-v1.json',
  ...['selected', 'daily', 'weekly', 'monthly'].flatMap((kind) => [
    `/feeds/${kind}.atom`,
    `/feeds/${kind}.json`,
  ]),
];

const words = [
  'model',
  '模型',
  '海岸',
  'prices fall',
  '"quoted"',
  '100 %',
  'zz',
  '新',
  'a b',
  '\\_%',
  'ＧＰＴ',
  'ﬁ',
];
const poison = [
  "' OR 1=1 --",
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '${7*7}',
  '{{7*7}}',
  '%00',
  '\u202e',
  '😀'.repeat(20),
  '-1',
  '1e309',
  'NaN',
  'null',
  'true',
  '[]',
  '9'.repeat(40),
  ' ',
  '__proto__',
  'constructor',
];
const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'LOCK', 'M-SEARCH', 'QUERY'];

/** Draws requests from a seed, so that a run can be had again. */
export class RequestGenerator {
  readonly #random: () => number;
  readonly #material: FuzzMaterial;

  constructor(random: () => number, material: FuzzMaterial) {
    this.#random = random;
    this.#material = material;
  }

  next(): FuzzRequest {
    const dice = this.#random();
    if (dice < 0.35) return this.#request('valid', this.#valid());
    if (dice < 0.6) return this.#request('near-valid', this.#nearValid());
    if (dice < 0.8) return this.#request('hostile', this.#hostile());
    if (dice < 0.87)
      return this.#request('wrong method', this.#valid(), {
        method: this.#pick(methods),
        ...(this.#random() < 0.5 ? { body: this.#pick(['{}', '{"a":1}', 'x'.repeat(5_000), '<xml/>']) } : {}),
      });
    if (dice < 0.91) return this.#huge();
    if (dice < 0.99) return this.#request('odd encoding', this.#oddEncoding());
    return { kind: 'raw bytes', question: { raw: this.#raw() } };
  }

  #request(kind: FuzzClass, path: string, more: Partial<Question> = {}): FuzzRequest {
    return { kind, question: { path, ...more, headers: { ...this.#headers(), ...more.headers } } };
  }

  /** From many clients behind one trusted proxy. */
  #headers(): Record<string, string> {
    const byte = (): number => Math.floor(this.#random() * 256);
    const headers: Record<string, string> = { 'x-forwarded-for': `10.${byte()}.${byte()}.${byte()}` };
    if (this.#random() < 0.2)
      headers['if-none-match'] = this.#pick([...this.#material.tags, '*', '"x", W/"y"', 'junk']);
    if (this.#random() < 0.3)
      headers['accept-encoding'] = this.#pick([
        'br',
        'gzip',
        'gzip;q=0.5, br;q=0.1',
        'identity',
        '*',
        'zstd, x',
        ';;;',
      ]);
    if (this.#random() < 0.2)
      headers['user-agent'] = this.#pick(['curl/8', '', 'x'.repeat(2_048), 'x'.repeat(2_049)]);
    if (this.#random() < 0.1)
      headers['accept'] = this.#pick(['application/json', 'text/html', 'image/png', 'junk']);
    return headers;
  }

  #valid(): string {
    const { storyIds, labels, pages, changes } = this.#material;
    const dice = this.#random();
    if (dice < 0.4) return `/api/v1/items${this.#query(this.#itemsParameters())}`;
    if (dice < 0.5) return `/api/v1/stories/${this.#pick(storyIds)}`;
    if (dice < 0.65) {
      const [plural, label, max] = this.#pick(kinds);
      return this.#random() < 0.5
        ? `/api/v1/${plural}${this.#query({ limit: String(1 + Math.floor(this.#random() * max)) })}`
        : `/api/v1/${plural}/${this.#pick(labels[label])}`;
    }
    if (dice < 0.72)
      return `/api/v1/selected/snapshot${this.#query({ limit: '20', ...(pages.length === 0 ? {} : { page: this.#pick(pages) }) })}`;
    if (dice < 0.78 && changes.length > 0)
      return `/api/v1/selected/changes${this.#query({ cursor: this.#pick(changes) })}`;
    if (dice < 0.84) return `/agent/search.md${this.#query({ q: this.#pick(words) })}`;
    if (dice < 0.88) return `/agent/stories/${this.#pick(storyIds)}.md`;
    if (dice < 0.92) return `/agent/daily/${this.#pick(labels.date)}.md`;
    return this.#pick(fixedPaths);
  }

  #itemsParameters(): Record<string, string> {
    const parameters: Record<string, string> = {};
    const maybe = (name: string, values: readonly string[], chance = 0.4): void => {
      if (this.#random() < chance) parameters[name] = this.#pick(values);
    };
    maybe('mode', ['selected', 'all']);
    maybe('category', ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'], 0.2);
    maybe('window', ['24h', '7d']);
    maybe('by', ['timeline', 'published']);
    maybe('q', words, 0.3);
    maybe('limit', ['1', '2', '10', '50', '100']);
    maybe('cursor', this.#material.cursors, 0.3);
    return parameters;
  }

  /** One error in an otherwise good request. */
  #nearValid(): string {
    const path = this.#valid();
    const dice = this.#random();
    if (dice < 0.2)
      return `${path}${path.includes('?') ? '&' : '?'}${this.#pick(['x=1', 'limit=1&limit=2', 'LIMIT=5', '=', '&&', 'q'])}`;
    if (dice < 0.4)
      return `/api/v1/items?limit=${this.#pick(['0', '101', '-1', '1.0', '%205', '+5', '0x10', '1e2', ''])}`;
    if (dice < 0.5)
      return `/api/v1/items?${this.#pick(['mode', 'window', 'by', 'category'])}=${this.#pick(['', 'ALL', '8d', 'x'])}`;
    if (dice < 0.6)
      return `/api/v1/dailies/${this.#pick(['2026-02-30', '2026-13-01', '26-01-01', '2026-11-15x', '1999-01-01'])}`;
    if (dice < 0.7)
      return `/api/v1/weeklies/${this.#pick(['2026-W54', '2025-W53', '2026-W00', '2026W01', '2031-W01'])}`;
    if (dice < 0.8) return `/api/v1/monthlies/${this.#pick(['2026-13', '2026-00', '2026-1', '1900-01'])}`;
    if (dice < 0.9) return `${path.split('?')[0]}${this.#pick(['/', '//', '/..', '.md', ';a=b', '%20'])}`;
    return this.#mutate(path);
  }

  #hostile(): string {
    const value = encodeURIComponent(this.#pick(poison));
    const template = this.#pick([
      '/api/v1/items?q=@',
      '/api/v1/items?cursor=@',
      '/api/v1/items?limit=@',
      '/api/v1/items?@=1',
      '/api/v1/stories/@',
      '/api/v1/dailies/@',
      '/api/v1/weeklies/@',
      '/api/v1/monthlies/@',
      '/api/v1/dailies?limit=@',
      '/api/v1/selected/snapshot?page=@',
      '/api/v1/selected/changes?cursor=@',
      '/agent/search.md?q=@',
      '/agent/stories/@.md',
      '/agent/daily/@.md',
      '/feeds/@.atom',
      '/@',
    ]);
    return template.replace('@', value);
  }

  #huge(): FuzzRequest {
    const size = this.#pick([1_000, 8_000, 15_000, 20_000, 60_000]);
    const filler = this.#pick(['a', '%20', 'a+', '%E6%A8%A1', 'a&b=']).repeat(Math.ceil(size / 4));
    const path = this.#pick([
      `/api/v1/items?q=${filler}`,
      `/api/v1/items?cursor=${filler}`,
      `/api/v1/stories/${filler.replaceAll('&', '')}`,
      `/${filler}`,
    ]);
    if (this.#random() < 0.5) return this.#request('huge', path);
    return this.#request('huge', '/api/v1/items', { headers: { 'x-filler': 'y'.repeat(size) } });
  }

  #oddEncoding(): string {
    return this.#pick([
      '/api/v1/items?q=%',
      '/api/v1/items?q=%zz',
      '/api/v1/items?q=%ff%fe',
      '/api/v1/items?q=%C3%28',
      '/api/v1/items?q=%ED%A0%80ab',
      '/api/v1/items?q=%00ab',
      '/api/v1/items?q=a%u0041',
      '/api/v1/items?%71=model',
      '/api/v1/items?q=a%2Bb+c',
      '/api/v1/items?q=%E3%80%80%E3%80%80model',
      '/api/v1/items?%ff=1',
      '/api/v1/%69tems',
      '/api/v1/stories/%ff',
      '/api/v1/stories/%00',
      '/api/v1/stories/a%2Fb',
      '/api/v1/dailies/%32026-11-14',
      '/api%2fv1/items',
      '/api/v1/items#fragment',
      '/api/v1//items',
      '//api/v1/items',
      '/API/V1/ITEMS',
      '/api/v1/items?q=model;limit=1',
      '/agent/search.md?q=%F0%9F%98%80%F0%9F%98%80',
    ]);
  }

  #raw(): string {
    const close = 'Connection: close\r\n';
    return this.#pick([
      'GARBAGE\r\n\r\n',
      `GET /api/v1/items HTTP/1.1\r\n${close}\r\n`,
      `GET /api/v1/items HTTP/9.9\r\nHost: a\r\n${close}\r\n`,
      `GET /api/v1/items HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n${close}\r\n`,
      `GET /api/v1/items HTTP/1.1\r\nHost: a\r\nBad Header\r\n${close}\r\n`,
      `GET /api/v1/items HTTP/1.1\r\nHost: a\r\nExpect: nonsense\r\n${close}\r\n`,
      `GET http://elsewhere/api/v1/items HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
      `GET /api/v1/items?q=\xff\xfe HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
      `GET /api/v1/items HTTP/1.0\r\n${close}\r\n`,
      `CONNECT a:1 HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
    ]);
  }

  #mutate(path: string): string {
    const at = 1 + Math.floor(this.#random() * (path.length - 1));
    const letter = this.#pick(['a', '0', '-', '.', '/', '?', '&', '=', '%41', 'W']);
    return `${path.slice(0, at)}${letter}${path.slice(at + (this.#random() < 0.5 ? 1 : 0))}`;
  }

  #query(parameters: Record<string, string>): string {
    const text = new URLSearchParams(parameters).toString();
    return text === '' ? '' : `?${text}`;
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value;
  }
}

const kinds: readonly (readonly [plural: string, label: 'date' | 'week' | 'month', limitMax: number])[] = [
  ['dailies', 'date', 180],
  ['weeklies', 'week', 60],
  ['monthlies', 'month', 60],
];
