import { strToU8, zipSync } from 'fflate';

const zip = (members: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(members).map(([name, text]) => [name, strToU8(text)]))),
  );

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A document of Office Open XML with these paragraphs. */
export function docxOf(...paragraphs: readonly string[]): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`).join('');
  return zip({
    '[Content_Types].xml':
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
  });
}

/** A spreadsheet with one row: a shared string, a number and a string of its own. */
export function xlsxOf(shared: string, number: number, own: string): Buffer {
  return zip({
    '[Content_Types].xml':
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    'xl/workbook.xml': '<workbook/>',
    'xl/sharedStrings.xml': `<sst><si><t>${escaped(shared)}</t></si></sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>${number}</v></c><c t="inlineStr"><is><t>${escaped(own)}</t></is></c></row></sheetData></worksheet>`,
  });
}

/** A presentation with a slide for each text. */
export function pptxOf(...slides: readonly string[]): Buffer {
  const members = slides.map((text, index) => [
    `ppt/slides/slide${index + 1}.xml`,
    `<p:sld><a:p><a:r><a:t>${escaped(text)}</a:t></a:r></a:p></p:sld>`,
  ]);
  return zip({
    '[Content_Types].xml':
      '<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
    'ppt/presentation.xml': '<p:presentation/>',
    ...Object.fromEntries(members),
  });
}

/** An OpenDocument text. */
export function odtOf(...paragraphs: readonly string[]): Buffer {
  const body = paragraphs.map((text) => `<text:p>${escaped(text)}</text:p>`).join('');
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content><office:body>${body}</office:body></office:document-content>`,
  });
}

/** A PDF with a page for each line of Latin text. */
export function pdfOf(...pages: readonly string[]): Buffer {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [at, text] of pages.entries()) {
    const stream = `BT /F1 24 Tf 72 700 Td (${text.replaceAll(/[()\\]/g, String.raw`\$&`)}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    );
  }
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  );
}
