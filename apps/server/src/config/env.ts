import { isLoopbackHost } from '../foundation/http/loopback-host.ts';
import type { EpochMicroseconds } from '../foundation/instant.ts';
import { parseIsoDatetime } from '../foundation/instant.ts';

const plainUrl = /^https?:\/\/[\w.:[\]-]+(?:\/[\w.~-]+)*$/;

/** Reads settings by name and collects every error, so that a wrong environment is reported at once. */
export class Environment {
  readonly #values: Readonly<Record<string, string | undefined>>;
  readonly #complaints: string[] = [];

  constructor(values: Readonly<Record<string, string | undefined>>) {
    this.#values = values;
  }

  text(name: string, fallback: string): string {
    return this.#read(name) ?? fallback;
  }

  required(name: string): string {
    const value = this.#read(name);
    if (value === undefined) this.#complaints.push(`${name} is required`);
    return value ?? '';
  }

  integer(name: string, fallback: number, bounds: { readonly min: number; readonly max: number }): number {
    const value = this.#read(name);
    if (value === undefined) return fallback;
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= bounds.min && number <= bounds.max)) {
      this.#complaints.push(
        `${name} must be a whole number from ${bounds.min} to ${bounds.max}, not "${value}"`,
      );
    }
    return number;
  }

  /** A number from 0 to 1. */
  fraction(name: string, fallback: number): number {
    const value = this.#read(name);
    if (value === undefined) return fallback;
    const number = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= 0 && number <= 1))
      this.#complaints.push(`${name} must be a number from 0 to 1, not "${value}"`);
    return number;
  }

  oneOf<Option extends string>(name: string, options: readonly Option[], fallback: Option): Option {
    const value = this.#read(name) ?? fallback;
    const option = options.find((candidate) => candidate === value);
    if (option === undefined)
      this.#complaints.push(`${name} must be one of ${options.join(', ')}, not "${value}"`);
    return option ?? fallback;
  }

  /** An http address, with a plain path or none; it is written into JSON, XML and HTML unescaped. */
  baseUrl(name: string, fallback: string): string {
    const value = this.#read(name)?.replace(/\/+$/, '');
    if (value === undefined) return fallback;
    if (!plainUrl.test(value) || !URL.canParse(value))
      this.#complaints.push(`${name} must be an http or https address without query, not "${value}"`);
    return value;
  }

  /** As browsers send them in `Origin`. */
  origins(name: string): readonly string[] {
    const origins = this.list(name);
    if (!origins.every((origin) => plainUrl.test(origin) && URL.parse(origin)?.origin === origin))
      this.complain(`${name} must be a comma-separated list of origins, such as https://app.example.org`);
    return origins;
  }

  baseUrls(name: string): readonly string[] {
    const urls = this.list(name).map((url) => url.replace(/\/+$/, ''));
    if (!urls.every((url) => plainUrl.test(url) && URL.canParse(url)))
      this.complain(`${name} must be a comma-separated list of http or https addresses without query`);
    return urls;
  }

  /** A name that is part of the path of a request. */
  identifier(name: string): string | null {
    const value = this.#read(name) ?? null;
    if (value !== null && !/^\w+$/.test(value)) this.complain(`${name} must contain only letters and digits`);
    return value;
  }

  /** Required, and sent in a header; never repeated in an error message. */
  headerSecret(name: string): string {
    const value = this.required(name);
    if (value !== '' && !/^[\w.~+/=-]{16,512}$/.test(value))
      this.complain(`${name} must consist of 16 to 512 letters, digits and . _ ~ + / = -`);
    return value;
  }

  optionalHeaderSecret(name: string): string | null {
    return this.#read(name) === undefined ? null : this.headerSecret(name);
  }

  /** An OpenID issuer, stored unchanged, since tokens repeat it exactly; without TLS only on this machine. */
  issuer(name: string): string | null {
    const value = this.#read(name);
    if (value === undefined) return null;
    const { protocol, hostname } = URL.parse(value) ?? {};
    const secure = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname ?? ''));
    if (!secure || /[?#@\s]/.test(value))
      this.#complaints.push(
        `${name} must be an https address (http on loopback) without query, not "${value}"`,
      );
    return value;
  }

  /** A moment with its offset, such as `2026-11-15T08:00:00+08:00`. */
  instant(name: string): EpochMicroseconds | null {
    const value = this.#read(name);
    if (value === undefined) return null;
    const parsed = parseIsoDatetime(value);
    if (parsed.ok) return parsed.value;
    this.complain(`${name} must be a date and time with an offset or Z, not "${value}"`);
    return null;
  }

  /** Keys of 256 bits in hex, comma-separated; never repeated in an error message. */
  secretKeys(name: string): readonly string[] {
    const keys = this.list(name);
    if (!keys.every((key) => /^[0-9a-f]{64}$/i.test(key)))
      this.#complaints.push(`${name} must be 64 hex digits, or a comma-separated list of such keys`);
    return keys;
  }

  /** Comma-separated; empty entries are skipped. */
  list(name: string): readonly string[] {
    return (this.#read(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  }

  /** For errors that only a combination of settings can have. */
  complain(complaint: string): void {
    this.#complaints.push(complaint);
  }

  /** Throws one error that lists every invalid setting. */
  finish(): void {
    if (this.#complaints.length > 0)
      throw new Error(`the configuration is invalid:\n  ${this.#complaints.join('\n  ')}`);
  }

  #read(name: string): string | undefined {
    const value = this.#values[name]?.trim();
    return value === '' ? undefined : value;
  }
}
