import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { StoppedError } from '../commit/approval-question.ts';
import type { Choice, Dialog } from './dialog.ts';
import { valueAt } from './dialog.ts';
import type { Host } from './host.ts';

/** Lines of standard input, read one at a time. Its end or silence stops the run; answers until then are saved. */
export interface LineInput {
  readonly next: (prompt: string) => Promise<string>;
}

export function openLines({ stdin, stdout, stderr, answerWithinMs }: Host): LineInput {
  let lines: AsyncIterator<string> | null = null;
  return {
    next: async (prompt) => {
      stdout.write(prompt);
      lines ??= createInterface({ input: stdin, terminal: false })[Symbol.asyncIterator]();
      const line = await withinTime(lines.next(), answerWithinMs);
      if (line === null)
        stderr.write(
          `\nNo answer on standard input for ${Math.ceil(answerWithinMs / 60_000)} min. To commit without questions, use --approve-all or --approve-target.\n`,
        );
      if (line === null || line.done === true) {
        stdout.write('\n');
        throw new StoppedError();
      }
      return line.value.trim();
    },
  };
}

/** Null if the time has passed. */
async function withinTime<T>(answer: Promise<T>, ms: number): Promise<T | null> {
  const answered = new AbortController();
  try {
    return await Promise.race([answer, delay(ms, null, { signal: answered.signal })]);
  } finally {
    answered.abort();
  }
}

/** The same questions without a terminal: choices are numbered, and an answer is a number or the words of a choice. */
export function lineDialog({ stdout }: Host, input: LineInput): Dialog {
  const say = (text: string): void => {
    stdout.write(`${text}\n`);
  };
  const list = (choices: readonly Choice<unknown>[], initial: number): void => {
    for (const [at, { label, hint = '' }] of choices.entries()) {
      const remarks = [hint, at === initial ? 'Enter' : ''].filter((remark) => remark !== '').join('; ');
      say(`  ${String(at + 1).padStart(2)} ${label}${remarks === '' ? '' : ` (${remarks})`}`);
    }
  };
  const ask = async <T>(parse: (line: string) => T | null, help: string): Promise<T> => {
    for (;;) {
      const answer = parse(await input.next('> '));
      if (answer !== null) return answer;
      say(help);
    }
  };
  return {
    note: (body, title) => say(`\n${title}\n${body.replace(/^(?=.)/gm, '  ')}`),
    select: async ({ message, choices, initial }) => {
      // Only an explicit default is chosen by a blank line, which a script may send by mistake.
      const preset = choices.findIndex(({ value }) => value === initial);
      say(`\n${message}`);
      list(choices, preset);
      const help = `Enter a number from 1 to ${choices.length}, or the beginning of a choice.`;
      return valueAt(
        choices,
        await ask((line) => (line === '' && preset !== -1 ? preset : choiceIn(choices, line)), help),
      );
    },
    mark: async ({ message, choices }) => {
      say(`\n${message} (numbers such as 1 3 5-7; Enter for none)`);
      list(choices, -1);
      const help = `Enter numbers from 1 to ${choices.length}, or nothing.`;
      const places = await ask((line) => placesIn(line, choices.length), help);
      return places.map((at) => valueAt(choices, at));
    },
    text: async (message, initial) => {
      say(`\n${message}${initial === '' ? '' : ` (Enter for ${initial})`}`);
      return ask((line) => line || initial || null, 'Enter a value.');
    },
    confirm: async (message, initial) => {
      say(`\n${message} (${initial ? 'Y/n' : 'y/N'})`);
      return ask((line) => yesOrNo(line, initial), 'Enter y or n.');
    },
  };
}

/** The place of a choice by its number, its whole label, or the beginning of exactly one label. */
function choiceIn(choices: readonly Choice<unknown>[], line: string): number | null {
  if (/^\d+$/.test(line))
    return Number(line) >= 1 && Number(line) <= choices.length ? Number(line) - 1 : null;
  const labels = choices.map(({ label }) => label.toLowerCase());
  const wanted = line.toLowerCase();
  if (labels.includes(wanted)) return labels.indexOf(wanted);
  const found = labels.flatMap((label, at) => (label.startsWith(wanted) ? [at] : []));
  return found.length === 1 ? (found[0] ?? null) : null;
}

function placesIn(line: string, count: number): readonly number[] | null {
  const places = new Set<number>();
  for (const part of line.split(/[\s,]+/).filter((one) => one !== '')) {
    const [, from = '', to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (from === '' || Number(from) < 1 || Number(to) > count || Number(to) < Number(from)) return null;
    for (let at = Number(from); at <= Number(to); at += 1) places.add(at - 1);
  }
  return [...places];
}

function yesOrNo(line: string, initial: boolean): boolean | null {
  if (line === '') return initial;
  if (/^y(?:es)?$/i.test(line)) return true;
  return /^no?$/i.test(line) ? false : null;
}
