import { parseCalendarDate } from '../../foundation/calendar/calendar-date.ts';
import { labelledRows } from '../../foundation/evaluation/labelled-lines.ts';
import type { SourceDocument } from '../answers/extract/index.ts';

/** A fact that answers a question: `quote` is a part of the document and says `answer`, or one of `accept`. */
export interface LabelledFact {
  readonly document: string;
  readonly quote: string;
  readonly answer: string;
  readonly accept?: readonly string[];
}

export interface LabelledQuestion {
  readonly id: string;
  readonly question: string;
  readonly language: string;
  readonly type: string;
  /** The moment at which it is asked. */
  readonly asOf?: string | null;
  /** The question before it in the same conversation. */
  readonly followUpOf?: string | null;
  readonly answerable: boolean;
  readonly facts: readonly LabelledFact[];
  readonly mustNotSay: readonly string[];
}

interface CorpusRow {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly text?: string;
  readonly file?: string;
  readonly key?: string;
  readonly publishedAt?: string | null;
}

export interface AnswerSet {
  readonly questions: readonly LabelledQuestion[];
  readonly documents: readonly SourceDocument[];
}

/** `read` reads a file of a name relative to the corpus; a document without a text of its own names one. */
export function readAnswerSet(
  questionsText: string,
  corpusText: string,
  read: (file: string) => string,
): AnswerSet {
  const questions = labelledRows<LabelledQuestion>(questionsText, {
    id: 'text',
    question: 'text',
    language: 'text',
    type: 'text',
    answerable: 'flag',
    facts: 'list',
    mustNotSay: 'texts',
  });
  const textOf = textsOf(read);
  const documents = labelledRows<CorpusRow>(corpusText, { id: 'text', kind: 'text', title: 'text' }).map(
    (row): SourceDocument => ({
      kind: row.kind,
      id: row.id,
      title: row.title,
      text: row.text ?? textOf(row),
      day: dayOf(row.publishedAt),
    }),
  );
  return { questions, documents };
}

/** The day of a moment; null if the moment is unknown. */
export function dayOf(moment: string | null | undefined): string | null {
  const day = parseCalendarDate(moment?.slice(0, 10) ?? '');
  return day.ok ? day.value : null;
}

/** The texts of other files: `articleBody` of a key of an object, or `lead` of the row with the id. */
function textsOf(read: (file: string) => string): (row: CorpusRow) => string {
  const files = new Map<string, ReadonlyMap<string, string>>();
  return ({ id, file, key }) => {
    if (file === undefined || key === undefined)
      throw new Error(`the document ${id} has no text and no file`);
    const texts = files.get(file) ?? readTexts(file, read(file));
    files.set(file, texts);
    const text = texts.get(key);
    if (text === undefined) throw new Error(`the document ${id} names ${key}, which is not in ${file}`);
    return text;
  };
}

function readTexts(file: string, content: string): ReadonlyMap<string, string> {
  if (file.endsWith('.jsonl')) {
    const rows = labelledRows<{ id: string; lead?: string }>(content, { id: 'text' });
    return new Map(rows.map(({ id, lead }) => [id, lead ?? '']));
  }
  const bodies = JSON.parse(content) as Record<string, { readonly articleBody?: string }>;
  return new Map(Object.entries(bodies).map(([key, { articleBody }]) => [key, articleBody ?? '']));
}
