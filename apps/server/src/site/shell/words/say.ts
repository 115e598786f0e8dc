import { AsyncLocalStorage } from 'node:async_hooks';

import { html } from 'ghtml';

import { isOne, numberIn } from './counts.ts';
import { chineseTexts } from './texts/index.ts';
import type { InterfaceLanguage } from './words.ts';

/** A text of the console: English in the code, and the key of its Chinese text. */
export type Text = keyof typeof chineseTexts;

const current = new AsyncLocalStorage<InterfaceLanguage>();
const chinese: Readonly<Record<string, string>> = chineseTexts;

/** Runs the handler of a page: its texts are in this language. */
export function inLanguage<Result>(language: InterfaceLanguage, handler: () => Result): Result {
  return current.run(language, handler);
}

/** The language of the page that is being made. */
export function pageLanguage(): InterfaceLanguage {
  return current.getStore() ?? 'en';
}

/** A text in the language of the page; `{name}` is replaced by the value of that name. */
export function say(text: Text, values: Readonly<Record<string, string | number>> = {}): string {
  return sayTemplate(text, values);
}

/** The same for a text of another domain. */
export function sayTemplate(text: string, values: Readonly<Record<string, string | number>>): string {
  return sayKnown(text).replaceAll(/\{(\w+)\}/gu, (whole, name: string) => {
    const value = values[name];
    return typeof value === 'number' ? numberIn(pageLanguage(), value) : (value ?? whole);
  });
}

/** One text for one thing, another for several; both contain `{count}`. */
export function sayCount(count: number, one: Text, many: Text): string {
  return say(isOne(count) ? one : many, { count });
}

/** A time from now, as an option of a choice. */
export function sayDays(days: number): string {
  return isOne(days) ? say('in a day') : say('in {days} days', { days });
}

/** A text of another domain, such as a permission or a problem: unchanged where the catalogue does not contain it. */
export function sayKnown(text: string): string {
  return pageLanguage() === 'zh' ? (chinese[text] ?? text) : text;
}

export function sayList(entries: readonly string[]): string {
  return entries.join(pageLanguage() === 'zh' ? '、' : ', ');
}

/** A text that contains HTML: each value is HTML, escaped already. */
export function sayHtml(text: Text, values: Readonly<Record<string, string>>): string {
  return sayKnown(text)
    .split(/(\{\w+\})/u)
    .map((part) => (/^\{\w+\}$/u.test(part) ? (values[part.slice(1, -1)] ?? part) : html`${part}`))
    .join('');
}
