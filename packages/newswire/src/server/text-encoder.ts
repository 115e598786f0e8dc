/** Bytes for the encodings that feeds use besides UTF-8; the runtime can only read these. */

const tables = new Map<string, ReadonlyMap<number, readonly number[]>>();

export function encodeText(text: string, encoding: string): Buffer {
  switch (encoding.toLowerCase()) {
    case 'utf-8':
      return Buffer.from(text);
    case 'utf-16le':
      return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    case 'iso-8859-1':
      return Buffer.from(text, 'latin1');
    default:
      return encodeByTable(text, encoding);
  }
}

const questionMark = [63];

function encodeByTable(text: string, encoding: string): Buffer {
  const table = tableOf(encoding);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 63;
    if (code < 128) bytes.push(code);
    else bytes.push(...(table.get(code) ?? questionMark));
  }
  return Buffer.from(bytes);
}

/** Made by reading every pair of bytes: about 24,000 for Chinese. */
function tableOf(encoding: string): ReadonlyMap<number, readonly number[]> {
  let table = tables.get(encoding);
  if (table === undefined) {
    table = new Map(bytesOf(encoding));
    tables.set(encoding, table);
  }
  return table;
}

function* bytesOf(encoding: string): Generator<[number, readonly number[]]> {
  const decoder = new TextDecoder(encoding);
  for (let first = 0x80; first <= 0xff; first += 1) {
    yield* read(decoder, [first]);
    for (let second = 0x40; second <= 0xfe; second += 1) yield* read(decoder, [first, second]);
  }
}

function* read(decoder: TextDecoder, bytes: readonly number[]): Generator<[number, readonly number[]]> {
  const text = decoder.decode(Uint8Array.from(bytes));
  const code = text.codePointAt(0) ?? 0;
  if (text.length === 1 && code > 127 && code !== 0xfffd) yield [code, bytes];
}
