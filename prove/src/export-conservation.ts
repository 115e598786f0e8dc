import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SuiteContext } from '@daybook/evidence';
import { openQueue } from 'daybook-migrate';

import type { ExportText } from './export-texts.ts';
import { exportTexts, letters } from './export-texts.ts';
import { runMigration } from './migration-process.ts';

/** The samples of a format. Archives are unpacked by the migration and read from there. */
const formats: Readonly<Record<string, readonly string[]>> = {
  Evernote: ['enex'],
  Notion: ['notion/Notion.Test.Export.zip', 'notion/notion-testspace.zip', 'notion'],
  Joplin: ['joplin/raw', 'joplin/snapshot.jex'],
  Roam: ['roam'],
  'Apple Journal': ['apple-journal'],
  'Apple Notes': ['apple-notes'],
  'Google Keep': ['keep'],
  Logseq: ['logseq'],
  Bear: ['bear/backup.bear2bk', 'bear/tags.bear2bk', 'bear/markdown-samples.bear2bk'],
  TextBundle: ['textbundle'],
};
const removedChars = 12;
const gapMax = 300;
const startChars = 2;

interface Output {
  readonly name: string;
  /** The letters and digits of a note with its front matter, of a remainder or of an attachment that is text. */
  readonly text: string;
}

/** Compares the texts of real exports with the notes and files that the command makes of them. */
export async function exportFigures({ root, data, figure }: SuiteContext): Promise<void> {
  let [detected, attacked] = [0, 0];
  for (const [format, sources] of Object.entries(formats)) {
    let [characters, lost] = [0, 0];
    for (const source of sources) {
      const { texts, outputs } = await migrated(root, join(data('notes/exports'), source));
      characters += texts.reduce((sum, { text }) => sum + letters(text).length, 0);
      lost += lostCharacters(texts, outputs);
      const attack = attackOf(texts, outputs);
      attacked += attack === null ? 0 : 1;
      detected += attack !== null && lostCharacters([attack.text], attack.outputs) > 0 ? 1 : 0;
    }
    figure({
      name: `${format}: letters and digits`,
      value: characters,
      unit: 'characters',
      goal: { atLeast: 100 },
    });
    figure({
      name: `${format}: in no note, attachment or remainder`,
      value: lost,
      unit: 'characters',
      goal: { exactly: 0 },
    });
  }
  figure({
    name: 'exports: removed words that this check misses',
    value: attacked - detected,
    unit: 'removals',
    goal: { exactly: 0 },
  });
}

async function migrated(
  repository: string,
  source: string,
): Promise<{ readonly texts: readonly ExportText[]; readonly outputs: readonly Output[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'prove-exports-'));
  try {
    await runMigration(repository, ['scan', '--json', '--source', source, '--root', folder]);
    const isArchive = /\.(?:zip|bear2bk|textpack)$/.test(source);
    return { texts: exportTexts(isArchive ? unpackedFolder(folder) : source), outputs: outputsOf(folder) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unpackedFolder(root: string): string {
  const store = join(root, '.migration/unpacked');
  const name = readdirSync(store).find((one) => /^[0-9a-f]{16}$/.test(one));
  if (name === undefined) throw new Error('the archive was not unpacked');
  return join(store, name);
}

function outputsOf(root: string): readonly Output[] {
  const queue = openQueue(root);
  try {
    const notes = queue.database
      .prepare(
        `select source_file.name, coalesce(front_matter, '') || ' ' || group_concat(chunk.text, ' ') as text
           from source_file join file_chunk on file_chunk.file = source_file.id
             join chunk on chunk.id = file_chunk.chunk
           group by source_file.id order by position`,
      )
      .all();
    const files = queue.database
      .prepare(
        `select source_root.path, name from source_file join source_root on source_root.id = source_file.root
           where status in ('encrypted', 'remainder', 'attachment', 'database')`,
      )
      .all()
      .map((row) => ({
        name: String(row['name']),
        text: contentOf(join(String(row['path']), String(row['name']))),
      }));
    return [...notes.map((row) => ({ name: String(row['name']), text: String(row['text']) })), ...files].map(
      ({ name, text }) => ({ name, text: letters(`${name} ${text}`) }),
    );
  } finally {
    queue.close();
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function lostCharacters(texts: readonly ExportText[], outputs: readonly Output[]): number {
  const isFound = ({ scope, text, isVerbatim }: ExportText): boolean =>
    outputs.some(
      (one) =>
        one.name.startsWith(scope) &&
        (isVerbatim ? one.text.includes(letters(text)) : contains(one.text, letters(text))),
    );
  return texts.filter((one) => !isFound(one)).reduce((sum, { text }) => sum + letters(text).length, 0);
}

/**
 * Whether all characters are there in their order, with at most `gapMax` others between two of them: those of the
 * markup, mostly addresses of links.
 */
function contains(text: string, wanted: string): boolean {
  const start = wanted.slice(0, startChars);
  for (let from = text.indexOf(start); from !== -1; from = text.indexOf(start, from + 1))
    if (continues(text, from, wanted)) return true;
  return false;
}

function continues(text: string, from: number, wanted: string): boolean {
  let at = from;
  for (const character of wanted) {
    const found = text.indexOf(character, at);
    if (found === -1 || found - at > gapMax) return false;
    at = found + character.length;
  }
  return true;
}

/** Removes some neighbouring characters of the longest text from every output. */
function attackOf(
  texts: readonly ExportText[],
  outputs: readonly Output[],
): { readonly text: ExportText; readonly outputs: readonly Output[] } | null {
  const [text] = texts.toSorted((one, other) => letters(other.text).length - letters(one.text).length);
  const wanted = letters(text?.text ?? '');
  for (let at = wanted.length - removedChars; at > wanted.length / 2; at -= 1) {
    const removed = wanted.slice(at, at + removedChars);
    if (text === undefined || !outputs.some((one) => one.text.includes(removed))) continue;
    return { text, outputs: outputs.map((one) => ({ ...one, text: one.text.replaceAll(removed, '') })) };
  }
  return null;
}
