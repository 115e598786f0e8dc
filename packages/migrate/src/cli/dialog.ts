import { autocomplete, confirm, isCancel, multiselect, note, select, text } from '@clack/prompts';

import { StoppedError } from '../commit/approval-question.ts';

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

export interface SelectQuestion<T> {
  readonly message: string;
  readonly choices: readonly Choice<T>[];
  /** What Enter alone chooses; at a terminal the first one by default. */
  readonly initial?: T;
  /** At a terminal, typing narrows the choices. */
  readonly isSearched?: boolean;
}

/** Questions to the user, at a terminal or on lines of standard input. Each may throw StoppedError. */
export interface Dialog {
  readonly note: (body: string, title: string) => void;
  readonly select: <T>(question: SelectQuestion<T>) => Promise<T>;
  /** Any number of the choices, also none. */
  readonly mark: <T>(question: SelectQuestion<T>) => Promise<readonly T[]>;
  /** A text that is not blank. */
  readonly text: (message: string, initial: string) => Promise<string>;
  readonly confirm: (message: string, initial: boolean) => Promise<boolean>;
}

const shownChoicesMax = 12;

/** Prompts that are moved through with the arrow keys. Ctrl-C at one of them is no answer: it stops the run. */
export const terminalDialog: Dialog = {
  note,
  select: async ({ message, choices, initial, isSearched = false }) => {
    const at = choices.findIndex(({ value }) => value === initial);
    const prompt = isSearched ? autocomplete<number> : select<number>;
    const chosen = await prompt({
      message,
      options: optionsOf(choices),
      maxItems: shownChoicesMax,
      ...(at === -1 ? {} : { initialValue: at }),
    });
    return valueAt(choices, unlessStopped(chosen));
  },
  mark: async ({ message, choices }) => {
    const marked = await multiselect<number>({
      message: `${message} (Space selects, Enter confirms)`,
      options: optionsOf(choices),
      maxItems: shownChoicesMax,
      required: false,
    });
    return unlessStopped(marked).map((at) => valueAt(choices, at));
  },
  text: async (message, initialValue) =>
    unlessStopped(await text({ message, initialValue, validate: required })).trim(),
  confirm: async (message, initialValue) => unlessStopped(await confirm({ message, initialValue })),
};

function optionsOf(choices: readonly Choice<unknown>[]): { value: number; label: string; hint: string }[] {
  return choices.map(({ label, hint = '' }, value) => ({ value, label, hint }));
}

export function valueAt<T>(choices: readonly Choice<T>[], at: number): T {
  const choice = choices[at];
  if (choice === undefined) throw new StoppedError();
  return choice.value;
}

function unlessStopped<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new StoppedError();
  return answer as Exclude<T, symbol>;
}

function required(value: string | undefined): string | undefined {
  return (value ?? '').trim() === '' ? 'Enter a value.' : undefined;
}
