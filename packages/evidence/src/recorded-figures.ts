/** A line of docs/benchmarks.md or docs/guarantees.md. */
export interface RecordedFigure {
  readonly suite: string;
  readonly name: string;
  /** As shown, with the unit. */
  readonly text: string;
  readonly value: number;
  readonly unit: string;
  readonly bare: number | null;
  readonly date: string;
}

/** The figures of docs/benchmarks.md: suite, measurement, figure, bare, ratio, goal, date. */
export function readBenchmarks(document: string): readonly RecordedFigure[] {
  return rowsOf(document).map(([suite = '', name = '', text = '', bare = '', , , date = '']) => ({
    suite,
    name,
    text,
    ...amountOf(text),
    bare: bare === '' ? null : amountOf(bare).value,
    date,
  }));
}

/** The figures of docs/guarantees.md: suite, guarantee, date, and results separated by semicolons. */
export function readGuarantees(document: string): readonly RecordedFigure[] {
  return rowsOf(document).flatMap(([suite = '', , date = '', results = '']) =>
    results.split('; ').map((result) => {
      const at = result.lastIndexOf(': ');
      const text = result.slice(at + 2);
      return { suite, name: result.slice(0, Math.max(0, at)), text, ...amountOf(text), bare: null, date };
    }),
  );
}

function rowsOf(document: string): readonly (readonly string[])[] {
  const [, , body = ''] = document.split(/^(\|[-|]+\|\n)/m);
  return body
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

function amountOf(text: string): { readonly value: number; readonly unit: string } {
  const [number = '', ...unit] = text.split(' ');
  return { value: Number(number.replaceAll(',', '')), unit: unit.join(' ') };
}
