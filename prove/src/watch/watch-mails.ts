/** One mail as the server took it. */
export interface ArrivedWatchMail {
  readonly to: string;
  readonly messageId: string;
  readonly token: string;
  /** By the name of the search. */
  readonly sections: readonly {
    readonly name: string;
    readonly itemIds: readonly string[];
    readonly more: number;
  }[];
  /** Of this machine, in milliseconds. */
  readonly at: number;
}

export function readWatchMail(source: string, to: string): ArrivedWatchMail {
  const body = plainTextOf(source);
  const [, ...parts] = body.split(/^== (?=\S+ ==$)/mu);
  return {
    to,
    messageId: /^Message-ID: <([^@]+)@/imu.exec(source)?.[1] ?? '',
    token: /token=([0-9a-f]{64})/u.exec(body)?.[1] ?? '',
    sections: parts.map((part) => ({
      name: /^\S+/u.exec(part)?.[0] ?? '',
      itemIds: [...part.matchAll(/\/items\/([0-9a-f-]{36})/gu)].map(([, id]) => id ?? ''),
      more: Number(/^(\d+) more: /mu.exec(part)?.[1] ?? 0),
    })),
    at: Date.now(),
  };
}

/** The part with the text, decoded. */
function plainTextOf(source: string): string {
  const start = source.search(/^Content-Type: text\/plain/imu);
  const [head = '', ...rest] = source.slice(start).split('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/iu.exec(source)?.[1] ?? '';
  const raw = rest.join('\r\n\r\n').split(`\r\n--${boundary}`)[0] ?? '';
  if (/base64/iu.test(head)) return Buffer.from(raw, 'base64').toString().replaceAll('\r\n', '\n');
  const bytes = raw
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/gu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}
