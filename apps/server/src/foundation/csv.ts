/**
 * One line of a CSV file (RFC 4180). Spreadsheets run a cell that begins like a formula, also one in quotes: such a cell
 * gets an apostrophe before it, which spreadsheets show as text. https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${asText(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;
}

/** Also in full width, and after blanks that a spreadsheet takes away. */
const formulaStart = /^\s*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;

function asText(cell: string): string {
  return formulaStart.test(cell) ? `'${cell}` : cell;
}
