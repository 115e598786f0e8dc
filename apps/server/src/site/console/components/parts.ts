import { html } from 'ghtml';

import { scripts } from '../../shell/assets.ts';
import { choiceOption } from '../../shell/form-controls.ts';
import type { InterfaceLanguage } from '../../shell/words/words.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { IconName } from './icons.ts';
import { icon } from './icons.ts';

/** The small parts of pages. Each takes text, except where a property says HTML. */

export type BadgeKind = 'good' | 'warn' | 'bad' | 'off' | 'plain';

/** A state in one or two words, never by colour alone. */
export function badge(kind: BadgeKind, label: string): string {
  return html`<span class="badge ${kind}">${label}</span>`;
}

export interface ButtonLink {
  readonly href: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'danger' | 'quiet' | 'plain';
  /** The id of a dialog of the page with the same form: with script it opens instead of the address. */
  readonly dialog?: string;
  readonly small?: boolean;
}

/** A link that looks like a button: it leads to a form or a page. */
export function buttonLink({
  href,
  label,
  kind = 'plain',
  dialog,
  small = false,
  ...rest
}: ButtonLink): string {
  const opens = dialog === undefined ? '' : html`data-dialog="${dialog}"`;
  return html`<a class="btn ${kind} ${small ? 'sm' : ''}" href="${href}" !${opens}
    >!${rest.icon === undefined ? '' : icon(rest.icon)}${label}</a
  >`;
}

export interface Tab {
  readonly href: string;
  readonly label: string;
  readonly isCurrent: boolean;
}

/** Views of one thing, two to five. */
export function tabs(label: string, views: readonly Tab[]): string {
  return html`<nav class="tabs" aria-label="${label}">
    !${views.map(
      ({ href, label: name, isCurrent }) =>
        html`<a href="${href}" !${isCurrent ? 'aria-current="page"' : ''}>${name}</a>`,
    )}
  </nav>`;
}

export interface EmptyState {
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
  /** HTML: the first step. */
  readonly action?: string;
}

/** What a list is for, and the first step. */
export function emptyState({ icon: name, title, text = '', action = '' }: EmptyState): string {
  return html`<div class="empty">
    <span class="tile">!${icon(name)}</span>
    <h2>${title}</h2>
    !${text === '' ? '' : html`<p>${text}</p>`}
    !${action === '' ? '' : html`<div class="cluster">!${action}</div>`}
  </div>`;
}

export interface Card {
  readonly title: string;
  readonly text?: string;
  /** HTML beside the title. */
  readonly action?: string;
  /** HTML: rows, a table, or with `isPadded` anything. */
  readonly content: string;
  readonly isPadded?: boolean;
}

export function card({ title, text, action = '', content, isPadded = false }: Card): string {
  return html`<section class="card">
    <header>
      <div>
        <h2>${title}</h2>
        !${text === undefined ? '' : html`<p>${text}</p>`}
      </div>
      !${action === '' ? '' : html`<div class="cluster">!${action}</div>`}
    </header>
    !${isPadded ? html`<div class="in">!${content}</div>` : content}
  </section>`;
}

export interface Row {
  readonly icon?: IconName;
  /** HTML in place of an icon. */
  readonly picture?: string;
  readonly title: string;
  readonly href?: string;
  /** HTML under the title. */
  readonly text?: string;
  /** HTML at the end: a state, a link or a form. */
  readonly end?: string;
}

/** A few things of different kinds, each with one action. */
export function rows(entries: readonly Row[]): string {
  return html`<ul class="rows">
    !${entries.map(({ icon: name, picture = '', title, href, text, end = '' }) => {
      const shown =
        href === undefined
          ? html`<strong>${title}</strong>`
          : html`<a class="name" href="${href}">${title}</a>`;
      return html`<li>
        !${name === undefined ? picture : html`<span class="tile">!${icon(name)}</span>`}
        <span class="grow">!${shown} !${text === undefined ? '' : html`<small>!${text}</small>`}</span>
        !${end}
      </li>`;
    })}
  </ul>`;
}

/** Properties of one thing: each value is HTML; an empty one is left out. */
export function facts(entries: readonly (readonly [name: string, value: string])[]): string {
  return html`<dl class="facts">
    !${entries
      .filter(([, value]) => value !== '')
      .map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>!${value}</dd>`,
      )}
  </dl>`;
}

/** The last part of settings and detail pages: each row says what is lost. */
export function dangerZone(language: InterfaceLanguage, entries: readonly Row[]): string {
  if (entries.length === 0) return '';
  return html`<section class="zone">
    <h2>${wordsOf(language).console.dangerZone}</h2>
    !${rows(entries)}
  </section>`;
}

/** What has just happened, over the end of the page; it stays until it is closed. */
export function toast(language: InterfaceLanguage, kind: 'good' | 'bad', text: string): string {
  return html`<div class="toasts" role="status">
    <div class="toast ${kind}">
      !${icon(kind === 'good' ? 'check' : 'alert')} <span class="grow">${text}</span>
      <button
        type="button"
        class="btn quiet icon sm"
        data-close
        aria-label="${wordsOf(language).console.close}"
      >
        !${icon('x')}
      </button>
    </div>
  </div>`;
}

/** An amount of a whole, with its text. */
export function progress(
  id: string,
  label: string,
  { done, of }: { readonly done: number; readonly of: number },
): string {
  return html`<div class="usage">
    <label for="${id}">${label}</label>
    <progress id="${id}" max="${String(Math.max(1, of))}" value="${String(done)}"></progress>
  </div>`;
}

/** One of many beside the list that it is from. */
export function sidePanel(list: string, panel: { readonly label: string; readonly content: string }): string {
  return html`<div class="split">
    <div>!${list}</div>
    <aside class="panel" aria-label="${panel.label}">!${panel.content}</aside>
  </div>`;
}

/** The main content, and beside it what it means. */
export function beside(main: string, aside: string): string {
  return html`<div class="beside">
    <div class="stack">!${main}</div>
    <div class="stack">!${aside}</div>
  </div>`;
}

/** Lines that were added or removed; unchanged ones in between. */
export function difference(
  language: InterfaceLanguage,
  before: readonly string[],
  after: readonly string[],
): string {
  const { added, removed } = wordsOf(language).console;
  const line = (kind: string, sign: string, text: string, spoken: string): string =>
    html`<div class="${kind}">
      <span aria-hidden="true">${sign} </span
      >!${spoken === '' ? '' : html`<span class="hidden">${spoken}: </span>`}${text}
    </div>`;
  const kept = new Set(after);
  const known = new Set(before);
  return html`<div class="diff">
    !${before.filter((text) => !kept.has(text)).map((text) => line('removed', '−', text, removed))}
    !${after.map((text) => (known.has(text) ? line('', ' ', text, '') : line('added', '+', text, added)))}
  </div>`;
}

export interface Picker {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly type?: 'checkbox' | 'radio';
}

/** Members, groups, projects or permissions: searched while typing; without script, a list with a scroll bar. */
export function picker(language: InterfaceLanguage, options: Picker): string {
  const { name, label, hint, chosen, type = 'checkbox' } = options;
  const words = wordsOf(language).console;
  return html`<fieldset class="picker" data-picker>
    <legend>${label}</legend>
    !${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
    <div class="find" hidden>
      !${icon('search')}
      <input
        type="search"
        aria-label="${words.find}: ${label}"
        placeholder="${words.find}"
        autocomplete="off"
      />
    </div>
    <fieldset class="found" aria-label="${label}">
      !${options.options.map((option) =>
        choiceOption({ type, name, isChosen: chosen.includes(option.value) }, option),
      )}
    </fieldset>
    <p class="hint" data-none hidden>${words.noMatch}</p>
    <script src="${scripts.picking.path}" defer></script>
  </fieldset>`;
}

export interface Meaning {
  readonly allows: string;
  readonly allowed: readonly string[];
  /** In place of an empty list. */
  readonly none: string;
  readonly refuses: string;
  readonly refused: readonly string[];
  /** HTML below the allowed actions. */
  readonly note?: string;
}

/** What something allows and does not allow, in sentences; with script it follows the form beside it. */
export function meaning({ allows, allowed, none, refuses, refused, note = '' }: Meaning): string {
  const list = (kind: string, name: IconName, lines: readonly string[]): string =>
    html`<ul class="${kind}">
      !${lines.map((line) => html`<li>!${icon(name)}<span>${line}</span></li>`)}
    </ul>`;
  return livePart(
    html`<h2>${allows}</h2>
      !${allowed.length === 0 ? html`<p>${none}</p>` : list('yes', 'check', allowed)} !${note}
      !${refused.length === 0 ? '' : html`<h2>${refuses}</h2>`}
      !${refused.length === 0 ? '' : list('no', 'minus', refused)}`,
  );
}

/** Beside a form with `previewButton`: follows the choices in it. */
export function livePart(content: string): string {
  return html`<section class="can" data-live aria-live="polite">!${content}</section>`;
}
