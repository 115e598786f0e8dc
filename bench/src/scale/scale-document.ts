import type { RecordedFigure } from '@daybook/evidence';

/** Where figures come from: the last full run of each suite. */
export interface Recorded {
  readonly bench: readonly RecordedFigure[];
  readonly prove: readonly RecordedFigure[];
}

const columns = ['Part', 'Figure', 'Measured', 'Date'] as const;

/** Writes the pictures of all curves under their heading. */
export function renewCurves(document: string, curves: readonly { file: string; title: string }[]): string {
  const pictures = curves.map(({ file, title }) => `![${title}](pictures/scale/${file}.svg)`).join('\n');
  return document.replace(/^## Curves\n.*?(?=^## )/ms, `## Curves\n\n${pictures}\n\n`);
}

/** Writes the figure and the date of each row of docs/scale.md as its suite recorded them. */
export function renewFigures(document: string, recorded: Recorded): string {
  return document
    .split('\n')
    .map((line) => {
      const cells = cellsOf(line);
      const figure = cells === null ? null : findFigure(cells, recorded);
      if (cells === null || figure === null) return line;
      return `| ${[cells[0], cells[1], figure.text, figure.date, ...cells.slice(4)].join(' | ')} |`;
    })
    .join('\n');
}

/** What is wrong with docs/scale.md: figures without a suite or a date, or other than recorded. */
export function checkDocument(document: string, recorded: Recorded): readonly string[] {
  return document.split('\n').flatMap((line) => {
    const cells = cellsOf(line);
    if (cells === null) return checkProse(line);
    const [part = '', name = '', measured = '', date = '', ...rest] = cells;
    const figure = findFigure(cells, recorded);
    return [
      ...(/^\d{4}-\d{2}-\d{2}$/.test(date) ? [] : [`${part}: no date`]),
      ...(figure === null ? [`${part}: no suite recorded the figure ${name}`] : []),
      ...(figure === null || (figure.text === measured && figure.date === date)
        ? []
        : [`${part}: ${name} is ${figure.text} of ${figure.date}. Run npm run scale.`]),
      ...rest.flatMap(checkProse),
    ];
  });
}

/** Text beside the table contains no figures: each would need a suite and a date. */
function checkProse(line: string): readonly string[] {
  if (/^\| (?:Part|-)|^\|-/.test(line)) return [];
  const text = line.replaceAll(/\[\d{4}\]\([^)]*\)|\]\([^)]*\)|`[^`]*`/g, '');
  return /\d/.test(text) ? [`a figure without suite and date: ${text.trim()}`] : [];
}

function cellsOf(line: string): readonly string[] | null {
  const cells = line.startsWith('| ')
    ? line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim())
    : [];
  return cells.length > columns.length && cells[0] !== columns[0] ? cells : null;
}

/** The second cell names it: `` `bench news`: cold page ``. Several with one name differ in their unit. */
function findFigure(
  [, name = '', measured = '']: readonly string[],
  recorded: Recorded,
): RecordedFigure | null {
  const [, command = '', suite = '', figure = ''] = /^`(bench|prove) ([\w-]+)`: (.+)$/.exec(name) ?? [];
  const all = command === 'bench' ? recorded.bench : command === 'prove' ? recorded.prove : [];
  const found = all.filter((one) => one.suite === suite && one.name === figure);
  return found.find(({ unit }) => measured.endsWith(` ${unit}`)) ?? found[0] ?? null;
}
