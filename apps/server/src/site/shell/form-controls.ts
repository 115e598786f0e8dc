import { html } from 'ghtml';

import { multipartContentType } from '../../foundation/http/form-body.ts';
import { invalidRequest, isSentence } from '../../foundation/http/http-problems.ts';
import type { ProblemError } from '../../foundation/problem.ts';
import { sentenceOf } from '../../foundation/problem.ts';
import { useCases } from '../../identity/index.ts';
import { say, sayKnown } from './words/say.ts';

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'datetime-local' | 'file';
  /** Accepted media types. */
  readonly accept?: readonly string[];
  readonly value?: string;
  readonly hint?: string;
  readonly autocomplete?: string;
  readonly required?: boolean;
  /** Shown, but not editable. */
  readonly readOnly?: boolean;
  readonly maxLength?: number;
  readonly rows?: number;
  /** Suggestions of the browser; other values are allowed. */
  readonly suggestions?: readonly { readonly value: string; readonly label: string }[];
  /** Of the form that is shown again; the field shows its own errors. */
  readonly problem?: ProblemError | null | undefined;
}

/** A label, a control, a hint, and the error. */
export function field(control: Field): string {
  const { name, label, type = 'text', value = '', hint, autocomplete, required = true, maxLength } = control;
  const fault = faultOf(name, control.problem);
  const describedBy = [hint === undefined ? '' : `${name}-hint`, fault === undefined ? '' : `${name}-fault`]
    .filter((id) => id !== '')
    .join(' ');
  const attributes = html`id="${name}"
  name="${name}"!${required ? ' required' : ''}!${control.readOnly === true ? ' readonly' : ''}!${maxLength === undefined ? '' : html` maxlength="${maxLength}"`}!${control.accept === undefined ? '' : html` accept="${control.accept.join(',')}"`}!${autocomplete === undefined ? '' : html` autocomplete="${autocomplete}"`}!${describedBy === '' ? '' : html` aria-describedby="${describedBy}"`}!${fault === undefined ? '' : ' aria-invalid="true"'}`;
  const input =
    control.rows === undefined
      ? html`<input type="${type}" !${attributes} value="${value}" !${suggested(control)} />`
      : html`<textarea rows="${control.rows}" !${attributes}>${value}</textarea>`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    !${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`} !${input}
    !${suggestionList(control)}
    !${fault === undefined ? '' : html`<p class="fault" id="${name}-fault">${fault}</p>`}
  </div>`;
}

function suggested({ name, suggestions = [] }: Field): string {
  return suggestions.length === 0 ? '' : html`list="${name}-suggestions"`;
}

function suggestionList({ name, suggestions = [] }: Field): string {
  if (suggestions.length === 0) return '';
  return html`<datalist id="${name}-suggestions">
    !${suggestions.map(({ value, label }) => html`<option value="${value}">${label}</option>`)}
  </datalist>`;
}

/**
 * Browsers send every line break of a text area as CR LF, whatever was typed: it becomes LF, as scripts see it. An
 * unchanged text keeps its line breaks.
 */
export function typedText(sent: string, stored: string): string {
  const asLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
  return asLines(sent) === asLines(stored) ? stored : asLines(sent);
}

/** A list with one entry per line. */
function faultOf(name: string, problem: ProblemError | null | undefined): string | undefined {
  const faults = (problem?.errors ?? []).flatMap((error) => {
    const message = messageOf(error.message);
    if (error.name === name)
      return [isSentence(message) ? `${message}.` : say('This {message}.', { message })];
    const line = error.name.startsWith(`${name}.`) ? Number(error.name.slice(name.length + 1)) : Number.NaN;
    return Number.isInteger(line) ? [say('Line {line} {message}.', { line: line + 1, message })] : [];
  });
  return faults.length === 0 ? undefined : faults.join(' ');
}

/** In the language of the page, without a stop at its end. */
function messageOf(message: string): string {
  return sayKnown(message).replace(/[.。]$/u, '');
}

/** The fields of every form that sets a password. */
export function newPasswordField(name: string, label: string, problem: ProblemError | null): string {
  const hint = say('At least {passwordCharsMin} characters. Use three or four unrelated words.', {
    passwordCharsMin: useCases.passwordCharsMin,
  });
  return field({
    name,
    label,
    type: 'password',
    hint,
    autocomplete: 'new-password',
    maxLength: 4096,
    problem,
  });
}

/** The fields of every form that asks for a second factor. */
export function oneTimeCodeField(
  problem: ProblemError | null,
  hint = say('The 6-digit code in your authenticator app, or a recovery code.'),
): string {
  return field({
    name: 'one_time_code',
    label: say('One-time code'),
    hint,
    autocomplete: 'one-time-code',
    maxLength: 64,
    problem,
  });
}

/** The password of the signed-in account, to protect against a stolen session. */
export function currentPasswordField(problem: ProblemError | null): string {
  return field({
    name: 'currentPassword',
    label: say('Current password'),
    type: 'password',
    autocomplete: 'current-password',
    maxLength: 4096,
    problem,
  });
}

/** Hidden fields of a form. */
export function hidden(name: string, value: string): string {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

export interface Choice {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly hint?: string;
  /** Of a selection whose name other forms of the page use too. */
  readonly id?: string;
}

/** One of several. */
export function select({ name, label, options, chosen, hint, id = name }: Choice): string {
  return html`<div class="field">
    <label for="${id}">${label}</label>
    !${hint === undefined ? '' : html`<p class="hint" id="${id}-hint">${hint}</p>`}
    <select id="${id}" name="${name}" !${hint === undefined ? '' : html`aria-describedby="${id}-hint"`}>
      !${options.map(
        (option) =>
          html`<option value="${option.value}" !${chosen.includes(option.value) ? 'selected' : ''}>
            ${option.label}
          </option>`,
      )}
    </select>
  </div>`;
}

/** Any of several. */
export function checkboxes(choice: Choice): string {
  return choiceOf('checkbox', choice);
}

/** One of several, each in a sentence. */
export function radios(choice: Choice): string {
  return choiceOf('radio', choice);
}

function choiceOf(type: 'checkbox' | 'radio', { name, label, options, chosen, hint }: Choice): string {
  return html`<fieldset>
    <legend>${label}</legend>
    !${hint === undefined ? '' : html`<p class="hint">${hint}</p>`}
    !${options.map((option) => choiceOption({ type, name, isChosen: chosen.includes(option.value) }, option))}
  </fieldset>`;
}

/** A check box or radio button with its label. */
export function choiceOption(
  {
    type,
    name,
    isChosen,
  }: { readonly type: 'checkbox' | 'radio'; readonly name: string; readonly isChosen: boolean },
  { value, label }: Choice['options'][number],
): string {
  return html`<label
    ><input type="${type}" name="${name}" value="${value}" !${isChosen ? 'checked' : ''} />
    <span>${label}</span></label
  >`;
}

export type NoticeKind = 'good' | 'bad' | 'plain';

/** A message; screen readers announce errors at once. */
export function notice(kind: NoticeKind, main: string): string {
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">!${main}</div>`;
}

/** Why a form is shown again. */
export function problemNotice(problem: ProblemError | null | undefined): string {
  if (problem === null || problem === undefined) return '';
  const { definition, retryAfterSeconds } = problem;
  const wait =
    retryAfterSeconds === undefined
      ? ''
      : ` ${say('Try again in {time}.', { time: readableWait(Math.ceil(retryAfterSeconds)) })}`;
  // The wait says when a budget renews.
  const text = sentenceOf(problem).replace(/ It renews at \S+$/u, '');
  const sentence = capitalised(text.replace(/^[a-z_]+/, (name) => name.replaceAll('_', ' ')));
  const saysAll = definition === invalidRequest || sentence === `${definition.title}.`;
  const title = saysAll ? '' : html`<strong>${sayKnown(`${definition.title}.`)}</strong> `;
  return notice('bad', html`!${title}${chineseFault(problem) ?? sayKnown(sentence)}${wait}`);
}

/** A Chinese message does not continue the name of its field. */
function chineseFault({ errors = [] }: ProblemError): string | null {
  const message = messageOf(errors[0]?.message ?? '');
  if (!/^\p{Script=Han}/u.test(message)) return null;
  return message.startsWith('请') ? `${message}。` : say('Invalid input: {message}.', { message });
}

function readableWait(seconds: number): string {
  if (seconds < 120) return say('{count} seconds', { count: seconds });
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120
    ? say('{count} minutes', { count: minutes })
    : say('{count} hours', { count: Math.ceil(minutes / 60) });
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface FormOptions {
  readonly action: string;
  readonly submit: string;
  readonly fields?: string;
  /** The accessible name of the button, independent of its context. */
  readonly label?: string;
  /** For irreversible actions. */
  readonly dangerous?: boolean;
  /** A button alone, inside a line or a row of a table. */
  readonly small?: boolean;
  /** For forms with a file. */
  readonly multipart?: boolean;
}

export function form(options: FormOptions): string {
  const { action, submit, fields = '', label, dangerous = false, small = false, multipart = false } = options;
  const spoken = label === undefined ? '' : html` aria-label="${label}"`;
  const encoding = multipart ? html` enctype="${multipartContentType}"` : '';
  return html`<form method="post" action="${action}" class="${small ? 'small' : ''}" !${encoding}>
    !${fields}
    <button type="submit" class="${dangerous ? 'danger' : ''}" !${spoken}>${submit}</button>
  </form>`;
}

/** A button that reveals the final one, for irreversible actions: the final one names the resource. */
export function confirmedForm(summary: string, options: FormOptions): string {
  return html`<details class="confirmed">
    <summary>${summary}</summary>
    !${form(options)}
  </details>`;
}

/** A secret, shown once. The button appears with script; without it the text can be selected. */
export function shownOnce(
  label: string,
  secret: string,
  rows = 3,
  hint = say('Copy it now and store it securely. It will not be shown again.'),
): string {
  return html`<div class="secret">
    <label for="secret">${label}</label>
    <div class="row">
      <textarea id="secret" rows="${rows}" readonly spellcheck="false" autocomplete="off">${secret}</textarea>
      <button type="button" data-copies="secret" hidden>${say('Copy')}</button>
    </div>
    <p class="hint">${hint}</p>
  </div>`;
}

/** A command line that works as shown. */
export function command(label: string, line: string): string {
  return html`<div class="secret">
    <label for="command">${label}</label>
    <div class="row">
      <textarea id="command" rows="2" readonly spellcheck="false" autocomplete="off">${line}</textarea>
      <button type="button" data-copies="command" hidden>${say('Copy')}</button>
    </div>
  </div>`;
}

/** An instant in readable form, with the exact time for programs. */
export function instant(iso: string): string {
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}
