/**
 * One line of a CSV file (RFC 4180). Spreadsheets execute a cell that begins like a formula, even in quotes: such a cell
 * gets a leading apostrophe, which spreadsheets show as text. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${asText(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** Also full-width characters, and after blanks that a spreadsheet strips. */
const formulaStart = /^\s*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

function asText(cell: string): string {
  return formulaStart.test(cell) ? `'${cell}` : cell;
}
