/** Where traces are sent, and how many. */
export interface TracingSettings {
  /** Base address of an OTLP/HTTP receiver; spans are posted to `/v1/traces` below it. */
  readonly endpoint: string;
  /** Sent with each export, for instance the key of a hosted receiver. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of requests and runs that are traced, from 0 to 1. */
  readonly ratio: number;
}
