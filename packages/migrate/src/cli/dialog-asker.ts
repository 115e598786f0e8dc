import type {
  Asker,
  ChangedQuestion,
  ChangedSources,
  ChunkAnswer,
  ChunkQuestion,
  EditedTarget,
  IdentityAnswer,
  ManyAnswer,
  QuestionPosition,
  RuleAnswer,
  SecretNote,
} from '../commit/approval-question.ts';
import { leaveRest, StoppedError } from '../commit/approval-question.ts';
import type { RuleDestination } from '../commit/rule-destination.ts';
import type { QueuedChunk } from '../queue/queued-chunk.ts';
import type { AskEncoding } from '../queue/scan-deps.ts';
import { readsWell } from '../sources/encoding-detection.ts';
import type { LegacyEncoding } from '../sources/legacy-encoding.ts';
import { legacyEncodings } from '../sources/legacy-encoding.ts';
import type { Target } from '../targets/target.ts';
import { chooseTarget } from './choose-target.ts';
import type { Choice, Dialog } from './dialog.ts';
import { clip, plural, printable } from './terminal.ts';

const shownCharsMax = 1200;
const shownDiffLinesMax = 40;
const shownNotesMax = 12;
const likelyMax = 3;
const titleCellsMax = 70;

/** The questions before a commit. Each has a way out. */
export class DialogAsker implements Asker {
  readonly #dialog: Dialog;

  constructor(dialog: Dialog) {
    this.#dialog = dialog;
  }

  readonly changedSources = (
    { edited, deleted, chunks }: ChangedSources,
    position: QuestionPosition,
  ): Promise<boolean> => {
    const lines = [
      ...edited.map((name) => `edited   ${printable(name)}`),
      ...deleted.map((name) => `deleted  ${printable(name)}`),
    ];
    this.#showList(lines, 'Changed since the scan');
    return this.#choose(
      `${plural(lines.length, 'note')} changed since the scan. Commit the scanned text (${plural(chunks, 'chunk')})?`,
      position,
      [
        { value: false, label: 'No, leave it pending', hint: 'scan again to read the changes' },
        { value: true, label: 'Yes, commit the scanned text' },
      ],
    );
  };

  readonly editedTarget = (
    { path, diff, chunks }: EditedTarget,
    position: QuestionPosition,
  ): Promise<boolean> => {
    this.#showDiff(diff, `${printable(path)} has changed since the last scan`);
    return this.#choose(`Add ${plural(chunks, 'chunk')} to ${path}?`, position, [
      { value: true, label: 'Yes, keep these changes' },
      { value: false, label: 'No, leave them pending' },
    ]);
  };

  readonly allChanged = (count: number, position: QuestionPosition): Promise<ManyAnswer> =>
    this.#choose(
      `${plural(count, 'chunk')} were edited after they were committed. Replace the committed text?`,
      position,
      [
        { value: 'one by one', label: 'Review each' },
        { value: 'yes', label: 'Yes, all' },
        { value: 'later', label: 'No, leave them pending' },
      ],
    );

  readonly changed = (
    question: ChangedQuestion,
    position: QuestionPosition,
  ): Promise<ChunkAnswer<boolean>> => {
    this.#showDiff(question.diff, `${printable(question.chunk.source)} was edited after it was committed`);
    return this.#chooseYes(question, position, 'Replace the committed text?');
  };

  readonly dimension = (target: Target, chunks: number, position: QuestionPosition): Promise<boolean> =>
    this.#choose(`Add ${plural(chunks, 'note')} to your ideal state for ${target}?`, position, [
      { value: true, label: 'Yes' },
      { value: false, label: 'No, leave them pending' },
    ]);

  readonly identity = async (
    question: ChunkQuestion,
    position: QuestionPosition,
  ): Promise<IdentityAnswer | typeof leaveRest> => {
    this.#showChunk(question.chunk);
    for (;;) {
      const answer = await this.#choose<boolean | 'move' | typeof leaveRest>(
        `Write this to your identity file, ${question.path}?`,
        position,
        [
          { value: true, label: 'Yes' },
          { value: false, label: 'No, leave it pending' },
          { value: 'move', label: 'Another target' },
          leaveRestChoice,
        ],
      );
      if (answer !== 'move') return answer;
      const target = await this.#chooseTarget(question.chunk);
      if (target !== null) return { target };
    }
  };

  /** A rule for agents has a question of its own. */
  #chooseTarget({ alternatives }: QueuedChunk): Promise<Target | null> {
    const likely = alternatives.slice(0, likelyMax).map(({ target }) => target);
    return chooseTarget(this.#dialog, { except: ['PRINCIPAL_IDENTITY', 'AI_RULES'], likely });
  }

  readonly secrets = (found: readonly SecretNote[], position: QuestionPosition): Promise<ManyAnswer> => {
    this.#showList(found.map(secretLine), 'Looks like a secret');
    return this.#choose(
      `${plural(found.length, 'note')} ${found.length === 1 ? 'contains' : 'contain'} what looks like a secret. Commit ${found.length === 1 ? 'it' : 'them'}?`,
      position,
      [
        { value: 'later', label: 'No, leave pending' },
        ...(found.length > 1 ? [{ value: 'one by one' as const, label: 'Ask about each' }] : []),
        { value: 'yes', label: 'Yes, commit' },
      ],
    );
  };

  readonly secret = (found: SecretNote, position: QuestionPosition): Promise<boolean> =>
    this.#choose(`${secretLine(found)}. Commit it?`, position, [
      { value: false, label: 'No, leave it pending' },
      { value: true, label: 'Yes' },
    ]);

  readonly duplicate = (
    question: ChunkQuestion,
    position: QuestionPosition,
  ): Promise<ChunkAnswer<boolean>> => {
    this.#showChunk(question.chunk);
    return this.#chooseYes(question, position, `The same text is already in ${question.path}. Add it again?`);
  };

  readonly allDuplicates = (count: number, position: QuestionPosition): Promise<ManyAnswer> =>
    this.#choose(`${plural(count, 'chunk')} are already in their targets. Add them again?`, position, [
      { value: 'later', label: 'No, skip them' },
      { value: 'one by one', label: 'Review each' },
      { value: 'yes', label: 'Yes, add all again' },
    ]);

  readonly rule = async (
    { chunk }: ChunkQuestion,
    position: QuestionPosition,
  ): Promise<RuleAnswer | typeof leaveRest> => {
    this.#showChunk(chunk);
    const place = await this.#choose<RulePlace | typeof leaveRest>(
      'Where should this rule for agents be stored?',
      position,
      [...rulePlaces, leaveRestChoice],
    );
    return place === leaveRest ? place : this.#ruleAnswer(place, chunk, position);
  };

  async #ruleAnswer(place: RulePlace, chunk: QueuedChunk, position: QuestionPosition): Promise<RuleAnswer> {
    if (place === 'reject' || place === 'later') return place;
    if (place === 'rule-file' || place === 'hook') return { kind: place };
    const ask = (message: string, initial: string): Promise<string> =>
      this.#dialog.text(numbered(message, position), initial);
    if (place === 'gotcha')
      return { kind: place, skill: await ask('Which skill? Enter the name of its folder.', '') };
    const list = await this.#choose('What should happen?', position, [
      { value: 'deny' as const, label: 'Deny it' },
      { value: 'ask' as const, label: 'Ask me each time' },
      { value: 'allow' as const, label: 'Allow it' },
    ]);
    return {
      kind: place,
      list,
      pattern: await ask('For which tool or command?', suggestedPattern(chunk.text)),
    };
  }

  #chooseYes(
    { othersInFile }: ChunkQuestion,
    position: QuestionPosition,
    message: string,
  ): Promise<ChunkAnswer<boolean>> {
    const choices: Choice<ChunkAnswer<boolean>>[] = [
      { value: { answer: true, forFile: false }, label: 'Yes' },
      { value: { answer: false, forFile: false }, label: 'No, leave it pending' },
    ];
    if (othersInFile > 0) {
      const rest = `and the same for the ${plural(othersInFile, 'other')} in this file`;
      choices.push(
        { value: { answer: true, forFile: true }, label: `Yes, ${rest}` },
        { value: { answer: false, forFile: true }, label: `No, ${rest}` },
      );
    }
    return this.#choose(message, position, choices);
  }

  #choose<T>(message: string, position: QuestionPosition, choices: readonly Choice<T>[]): Promise<T> {
    return chooseOrStop(this.#dialog, numbered(message, position), choices);
  }

  #showChunk(chunk: QueuedChunk): void {
    const body = printable(chunk.text.trim());
    const shown = body.length > shownCharsMax ? `${body.slice(0, shownCharsMax)} …` : body;
    this.#dialog.note(shown, clip(printable(chunkTitle(chunk)), titleCellsMax));
  }

  #showDiff(diff: readonly string[], title: string): void {
    const shown = diff.slice(0, shownDiffLinesMax).map(printable);
    if (diff.length > shown.length) shown.push(`… ${plural(diff.length - shown.length, 'more line')}`);
    this.#dialog.note(shown.join('\n'), title);
  }

  #showList(lines: readonly string[], title: string): void {
    const shown = lines.slice(0, shownNotesMax);
    if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more`);
    this.#dialog.note(shown.join('\n'), title);
  }
}

/** A heading that repeats the name of the note is left out. */
function chunkTitle({ source, headings }: QueuedChunk): string {
  const name =
    source
      .replace(/\.[^./]+$/, '')
      .split('/')
      .at(-1) ?? '';
  const own = headings.filter((heading) => heading.toLowerCase() !== name.toLowerCase());
  return [source, ...own].join(' › ');
}

export function secretLine({ source, secret }: SecretNote): string {
  return `${printable(source)} contains ${secret}`;
}

/** Shows the text of a file in each encoding and lets the user choose. */
export function encodingAsker(dialog: Dialog, beforeAsking: () => void): AskEncoding {
  return async ({ name, bytes, guesses, others }) => {
    beforeAsking();
    const likely = guesses.map(({ encoding }) => encoding).slice(0, 6);
    const choices = [
      ...likely,
      ...legacyEncodings.filter((one) => !likely.includes(one) && readsWell(bytes, one)),
    ];
    const position = { at: 1, of: others + 1 };
    const encoding = await chooseOrStop<LegacyEncoding | null>(
      dialog,
      numbered(`${name} is not UTF-8. Which of these is readable?`, position),
      [
        ...choices.slice(0, 9).map((one) => ({ value: one, label: `${one}: ${preview(bytes, one)}` })),
        { value: null, label: 'None: skip the file' },
      ],
    );
    if (others === 0) return { encoding, forAll: false };
    const forAll = await chooseOrStop(
      dialog,
      numbered(`The same for ${plural(others, 'other file')} like it?`, position),
      [
        {
          value: true,
          label: encoding === null ? 'Yes, skip them' : `Yes, if they can be read as ${encoding}`,
        },
        { value: false, label: 'No, ask about each' },
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
  { value: 'rule-file', label: 'The rule file', hint: 'text that agents read' },
  { value: 'hook', label: 'A hook', hint: 'something a script can enforce' },
  { value: 'permission', label: 'A permission in the settings', hint: 'a tool or command' },
  { value: 'gotcha', label: 'The gotchas of a skill', hint: 'applies to one skill' },
  { value: 'reject', label: 'Nowhere: reject' },
  { value: 'later', label: 'Decide later' },
];

const leaveRestChoice: Choice<typeof leaveRest> = {
  value: leaveRest,
  label: 'Leave this and the rest pending',
  hint: 'continue with other questions',
};

function numbered(message: string, { at, of }: QuestionPosition): string {
  return `${at} of ${of} · ${printable(message)}`;
}

async function chooseOrStop<T>(dialog: Dialog, message: string, choices: readonly Choice<T>[]): Promise<T> {
  const options = choices.map(({ label, hint = '' }, value) => ({ value, label, hint }));
  const chosen = await dialog.select<number>({
    message,
    choices: [...options, { value: -1, label: 'Stop here', hint: 'your answers are saved' }],
  });
  const choice = choices[chosen];
  if (choice === undefined) throw new StoppedError();
  return choice.value;
}

/** The first code in the rule is most often what it is about. */
export function suggestedPattern(rule: string): string {
  return /`([^`\n]{1,80})`/.exec(rule)?.[1] ?? '';
}
