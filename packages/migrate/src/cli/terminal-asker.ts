import { isCancel, note, select, text } from '@clack/prompts';

import type {
  Asker,
  ChunkAnswer,
  ChunkQuestion,
  QuestionPosition,
  RuleAnswer,
} from '../commit/approval-question.ts';
import { leaveRest, StoppedError } from '../commit/approval-question.ts';
import type { RuleDestination } from '../commit/rule-destination.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { AskEncoding } from '../queue/scan-deps.ts';
import { readsWell } from '../sources/encoding-detection.ts';
import type { LegacyEncoding } from '../sources/legacy-encoding.ts';
import { legacyEncodings } from '../sources/legacy-encoding.ts';
import { plural, printable } from './terminal.ts';

const shownCharsMax = 1200;
const shownDiffLinesMax = 40;
const shownNotesMax = 12;

/** Questions at the terminal. Each has a way out, and Ctrl-C stops the run. */
export const terminalAsker: Asker = {
  changedSources: ({ edited, deleted, chunks }, position) => {
    const lines = [
      ...edited.map((name) => `edited   ${printable(name)}`),
      ...deleted.map((name) => `deleted  ${printable(name)}`),
    ];
    const shown = lines.slice(0, shownNotesMax);
    if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`);
    note(shown.join('\n'), 'Changed since the scan');
    return choose(
      `${plural(lines.length, 'note')} changed since the scan. Commit the scanned text (${plural(chunks, 'chunk')})?`,
      position,
      [
        { answer: false, label: 'No, leave it pending', hint: 'scan again to read the changes' },
        { answer: true, label: 'Yes, commit the scanned text' },
      ],
    );
  },
  editedTarget: async ({ path, diff, chunks }, position) => {
    showDiff(diff, `${printable(path)} has changed since the last scan`);
    return choose(`Add ${plural(chunks, 'chunk')} to ${path}?`, position, [
      { answer: true, label: 'Yes, keep these changes' },
      { answer: false, label: 'No, leave them pending' },
    ]);
  },
  allChanged: (count, position) =>
    choose(
      `${plural(count, 'chunk')} were edited after they were committed. Replace the committed text?`,
      position,
      [
        { answer: 'one by one', label: 'Review each' },
        { answer: 'yes', label: 'Yes, all' },
        { answer: 'later', label: 'No, leave them pending' },
      ],
    ),
  changed: (question, position) => {
    showDiff(question.diff, `${printable(question.chunk.source)} was edited after it was committed`);
    return chooseYes(question, position, 'Replace the committed text?');
  },
  dimension: (target, chunks, position) =>
    choose(`Add ${plural(chunks, 'note')} to your ideal state for ${target}?`, position, [
      { answer: true, label: 'Yes' },
      { answer: false, label: 'No, leave them pending' },
    ]),
  identity: (question, position) => {
    showChunk(question.chunk);
    return choose<boolean | typeof leaveRest>(
      `Write this to your identity file, ${question.path}?`,
      position,
      [{ answer: true, label: 'Yes' }, { answer: false, label: 'No, leave it pending' }, leaveRestChoice],
    );
  },
  duplicate: (question, position) =>
    askYes(question, position, `The same text is already in ${question.path}. Add it again?`),
  rule: (question, position) => askRule(question, position),
  allDuplicates: (count, position) =>
    choose(`${plural(count, 'chunk')} are already in their targets. Add them again?`, position, [
      { answer: 'later', label: 'No, skip them' },
      { answer: 'one by one', label: 'Review each' },
      { answer: 'yes', label: 'Yes, add all again' },
    ]),
};

/** Shows the text of a file in each encoding and lets the user choose. */
export function encodingAsker(beforeAsking: () => void): AskEncoding {
  return async ({ name, bytes, guesses, others }) => {
    beforeAsking();
    const likely = guesses.map(({ encoding }) => encoding).slice(0, 6);
    const choices = [
      ...likely,
      ...legacyEncodings.filter((one) => !likely.includes(one) && readsWell(bytes, one)),
    ];
    const encoding = await choose(
      `${name} is not UTF-8. Which of these is readable?`,
      { at: 1, of: others + 1 },
      [
        ...choices.slice(0, 9).map((one) => ({ answer: one, label: `${one}: ${preview(bytes, one)}` })),
        { answer: null, label: 'None: skip the file' },
      ],
    );
    if (others === 0) return { encoding, forAll: false };
    const forAll = await choose(
      `The same for ${plural(others, 'other file')} like it?`,
      { at: 1, of: others + 1 },
      [
        {
          answer: true,
          label: encoding === null ? 'Yes, skip them' : `Yes, if they can be read as ${encoding}`,
        },
        { answer: false, label: 'No, ask about each' },
      ],
    );
    return { encoding, forAll };
  };
}

/** The first words that differ between encodings. */
function preview(bytes: Buffer, encoding: LegacyEncoding): string {
  const text = new TextDecoder(encoding).decode(bytes);
  const at = Math.max(0, text.search(/[^\p{ASCII}]/u) - 12);
  return printable(text.slice(at, at + 60).replace(/\s+/g, ' ')).slice(0, 48);
}

type RulePlace = RuleDestination['kind'] | 'reject' | 'later';

const rulePlaces: readonly Choice<RulePlace>[] = [
  { answer: 'rule-file', label: 'The rule file', hint: 'text that agents read' },
  { answer: 'hook', label: 'A hook', hint: 'something a script can enforce' },
  { answer: 'permission', label: 'A permission in the settings', hint: 'a tool or command' },
  { answer: 'gotcha', label: 'The gotchas of a skill', hint: 'applies to one skill' },
  { answer: 'reject', label: 'Nowhere: reject' },
  { answer: 'later', label: 'Decide later' },
];

interface Choice<T> {
  readonly answer: T;
  readonly label: string;
  readonly hint?: string;
}

const leaveRestChoice: Choice<typeof leaveRest> = {
  answer: leaveRest,
  label: 'Leave this and the rest pending',
  hint: 'continue with other questions',
};

async function choose<T>(
  message: string,
  { at, of }: QuestionPosition,
  choices: readonly Choice<T>[],
): Promise<T> {
  const options = choices.map(({ label, hint = '' }, value) => ({ value, label, hint }));
  const chosen = await select<number>({
    message: `${at} of ${of} · ${printable(message)}`,
    options: [...options, { value: -1, label: 'Stop here', hint: 'your answers are saved' }],
  });
  const choice = choices[unlessStopped(chosen)];
  if (choice === undefined) throw new StoppedError();
  return choice.answer;
}

/** Ctrl-C at a prompt is no answer: it ends the run. */
export function unlessStopped<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new StoppedError();
  return answer as Exclude<T, symbol>;
}

function showChunk(chunk: QueuedChunk): void {
  const body = printable(chunk.text.trim());
  const shown = body.length > shownCharsMax ? `${body.slice(0, shownCharsMax)} …` : body;
  note(shown, printable([chunk.source, ...chunk.headings].join(' › ')).slice(0, 70));
}

function showDiff(diff: readonly string[], title: string): void {
  const shown = diff.slice(0, shownDiffLinesMax).map(printable);
  if (diff.length > shown.length) shown.push(`… ${plural(diff.length - shown.length, 'more line')}`);
  note(shown.join('\n'), title);
}

function askYes(
  question: ChunkQuestion,
  position: QuestionPosition,
  message: string,
): Promise<ChunkAnswer<boolean>> {
  showChunk(question.chunk);
  return chooseYes(question, position, message);
}

function chooseYes(
  { othersInFile }: ChunkQuestion,
  position: QuestionPosition,
  message: string,
): Promise<ChunkAnswer<boolean>> {
  const options: Choice<ChunkAnswer<boolean>>[] = [
    { answer: { answer: true, forFile: false }, label: 'Yes' },
    { answer: { answer: false, forFile: false }, label: 'No, leave it pending' },
  ];
  if (othersInFile > 0) {
    const rest = `and the same for the ${plural(othersInFile, 'other')} in this file`;
    options.push(
      { answer: { answer: true, forFile: true }, label: `Yes, ${rest}` },
      { answer: { answer: false, forFile: true }, label: `No, ${rest}` },
    );
  }
  return choose(message, position, options);
}

async function askRule(
  { chunk }: ChunkQuestion,
  position: QuestionPosition,
): Promise<RuleAnswer | typeof leaveRest> {
  showChunk(chunk);
  const place = await choose<RulePlace | typeof leaveRest>(
    'Where should this rule for agents be stored?',
    position,
    [...rulePlaces, leaveRestChoice],
  );
  return place === leaveRest ? place : ruleAnswer(place, chunk, position);
}

async function ruleAnswer(
  place: RulePlace,
  chunk: QueuedChunk,
  position: QuestionPosition,
): Promise<RuleAnswer> {
  if (place === 'reject' || place === 'later') return place;
  if (place === 'rule-file' || place === 'hook') return { kind: place };
  if (place === 'gotcha') return { kind: place, skill: await askText('Which skill?', position, '') };
  const list = await choose('What should happen?', position, [
    { answer: 'deny' as const, label: 'Deny it' },
    { answer: 'ask' as const, label: 'Ask me each time' },
    { answer: 'allow' as const, label: 'Allow it' },
  ]);
  const pattern = await askText('For which tool or command?', position, suggestedPattern(chunk.text));
  return { kind: place, list, pattern };
}

async function askText(message: string, { at, of }: QuestionPosition, initialValue: string): Promise<string> {
  const answer = await text({ message: `${at} of ${of} · ${message}`, initialValue, validate: required });
  return unlessStopped(answer).trim();
}

/** The first code in the rule is most often what it is about. */
export function suggestedPattern(rule: string): string {
  return /`([^`\n]{1,80})`/.exec(rule)?.[1] ?? '';
}

function required(value: string | undefined): string | undefined {
  return (value ?? '').trim() === '' ? 'Enter a value.' : undefined;
}
