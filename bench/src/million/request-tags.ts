import { encodings } from './simulated-clients.ts';

/** Numbers for the ETags that clients hold, each with the request that a client with this tag sends. */
export interface RequestTags {
  /** The weight of each address in each encoding. */
  readonly shares: readonly number[];
  /** Of a client that has no copy. */
  readonly firstRequest: (variant: number) => Buffer;
  readonly request: (tag: number) => Buffer;
  /** The number of this ETag of this variant; the first time it is seen, a new one. */
  readonly tagOf: (variant: number, etag: string | null) => number;
}

export function createRequestTags(paths: readonly string[], port: number): RequestTags {
  const variants = paths.flatMap((path) =>
    encodings.map(({ name, share }) => ({ path, encoding: name, share })),
  );
  const requests: Buffer[] = [];
  const known = variants.map(() => new Map<string, number>());
  const requestOf = (variant: number, more = ''): Buffer => {
    const { path, encoding } = variants[variant] as (typeof variants)[number];
    return Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept-Encoding: ${encoding}\r\n${more}\r\n`,
    );
  };
  return {
    shares: variants.map(({ share }) => share),
    firstRequest: requestOf,
    request: (tag) => requests[tag] as Buffer,
    tagOf: (variant, etag) => {
      if (etag === null) throw new Error(`${JSON.stringify(variants[variant])} has no ETag`);
      const tags = known[variant] as Map<string, number>;
      const number = tags.get(etag);
      if (number !== undefined) return number;
      const next = requests.push(requestOf(variant, `If-None-Match: ${etag}\r\n`)) - 1;
      tags.set(etag, next);
      return next;
    },
  };
}
