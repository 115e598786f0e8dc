import { readFileSync } from 'node:fs';

/** The label of one note of a vault. A section is named by its heading; `*` is every section. */
export interface LabelledNote {
  readonly vault: string;
  /** Relative to the folder of the vault. */
  readonly path: string;
  readonly kind: string;
  /** The owner wants it as one note. */
  readonly stayWhole: boolean;
  readonly target: string;
  /** Other targets that do no harm. */
  readonly acceptable: readonly string[];
  readonly sections?: readonly LabelledSection[];
}

export interface LabelledSection {
  readonly heading: string;
  readonly target: string;
  readonly acceptable: readonly string[];
}

export class LabelError extends Error {}

/** One JSON object per line. */
export function readLabels(path: string): readonly LabelledNote[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, at) => (line.trim() === '' ? [] : [parseLabel(line, at + 1)]));
}

function parseLabel(line: string, number: number): LabelledNote {
  const label = parseJson(line, number) as Partial<LabelledNote> | null;
  const hasTexts = [label?.vault, label?.path, label?.kind, label?.target].every(
    (value) => typeof value === 'string',
  );
  if (!hasTexts || typeof label?.stayWhole !== 'boolean' || !Array.isArray(label.acceptable))
    throw new LabelError(
      `line ${number}: a label has vault, path, kind, target, stayWhole and a list acceptable`,
    );
  return label as LabelledNote;
}

function parseJson(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new LabelError(`line ${number} is not JSON`);
  }
}
