import { html } from 'ghtml';

import type { PageContext } from '../page-context.ts';
import { withCode } from '../texts/written-text.ts';
import type { ApiDocument, Parameter, Schema } from './api-document.ts';
import { alternatives, resolved } from './api-document.ts';

/** More fields than these are folded. */
const openFieldsMax = 4;
const patternCharsMax = 40;

interface Shown {
  readonly document: Pick<ApiDocument, 'schemas'>;
  readonly words: PageContext['words']['reference'];
  /** Requests show required fields, responses optional ones. */
  readonly in: 'request' | 'answer';
}

export function parameterList(parameters: readonly Parameter[], shown: Shown): string {
  const rows = parameters.map((parameter) => {
    const schema = resolved(parameter.schema, shown.document);
    const described = { ...schema, ...(parameter.description && { description: parameter.description }) };
    return field(parameter.name, described, parameter.required, shown, shown.words.places[parameter.in]);
  });
  return fieldRows(rows);
}

/** The fields of a schema, or of a list's entries; nested ones inside. */
export function schemaFields(schema: Schema, shown: Shown, openMax = Number.POSITIVE_INFINITY): string {
  const parts = innermost(schema, shown.document);
  return parts
    .filter((one) => fieldCount(one) > 0)
    .map((one) =>
      parts.length === 1 && fieldCount(one) <= openMax ? objectFields(one, shown) : folded(one, shown),
    )
    .join('');
}

function fieldCount({ properties = {} }: Schema): number {
  return Object.keys(properties).length;
}

function objectFields({ properties = {}, required = [] }: Schema, shown: Shown): string {
  return fieldRows(
    Object.entries(properties).map(([name, schema]) =>
      field(name, resolved(schema, shown.document), required.includes(name), shown),
    ),
  );
}

function fieldRows(rows: readonly string[]): string {
  return rows.length === 0
    ? ''
    : html`<ul class="fields">
        !${rows.map((row) => html`<li>!${row}</li>`)}
      </ul>`;
}

function field(name: string, schema: Schema, required: boolean, shown: Shown, place = ''): string {
  const { words } = shown;
  const requests = shown.in === 'request';
  const remark = required === requests ? (requests ? words.required : words.optional) : '';
  return html`<p>
      <code class="field-name">${name}</code>
      <span class="type">${[typeName(schema, shown), place].filter((part) => part !== '').join(', ')}</span>
      !${remark === '' ? '' : html`<strong>${remark}</strong>`}
    </p>
    !${schema.description === undefined ? '' : html`<p>!${withCode(schema.description)}</p>`}
    !${limits(schema, shown)} !${schemaFields(schema, shown, openFieldsMax)}`;
}

function folded(schema: Schema, shown: Shown): string {
  return html`<details>
    <summary>${schema.title ?? ''} ${shown.words.fields(fieldCount(schema))}</summary>
    !${objectFields(schema, shown)}
  </details>`;
}

/** The type of a value; for a list, of its entries. */
function innermost(schema: Schema, document: Shown['document']): readonly Schema[] {
  return alternatives(schema, document).of.flatMap((one) =>
    one.items === undefined ? [one] : innermost(one.items, document),
  );
}

export function typeName(schema: Schema, shown: Shown): string {
  const { words, document } = shown;
  const { of, nullable } = alternatives(schema, document);
  const names = of.map((one) => {
    if (one.items !== undefined) return words.listOf(typeName(resolved(one.items, document), shown));
    if (one.title !== undefined && one.properties !== undefined) return one.title;
    const type = Array.isArray(one.type) ? one.type.filter((name) => name !== 'null') : [one.type ?? 'any'];
    return [type.join(words.or), one.format].filter((part) => part !== undefined).join(', ');
  });
  return [...new Set([...names, ...(nullable ? ['null'] : [])])].join(words.or);
}

function limits(schema: Schema, shown: Shown): string {
  const { words } = shown;
  const [of] = alternatives(schema, shown.document).of;
  if (of === undefined) return '';
  const list = (values: readonly unknown[]): string =>
    values.map((value) => html`<code>${written(value)}</code>`).join(', ');
  const known = schema.default ?? of.default;
  const parts = [
    of.enum === undefined ? '' : `${words.oneOf} ${list(of.enum)}`,
    of.const === undefined ? '' : `${words.always} ${list([of.const])}`,
    known === undefined ? '' : `${words.byDefault} ${list([known])}`,
    range(of.minimum, of.maximum),
    range(of.minLength, of.maxLength, words.characters),
    range(of.minItems, of.maxItems, words.entries),
    of.pattern === undefined || of.pattern.length > patternCharsMax || of.format !== undefined
      ? ''
      : html`<code>${of.pattern}</code>`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : html`<p class="limits">!${parts.join('. ')}</p>`;
}

function range(from: number | undefined, to: number | undefined, what = ''): string {
  const digits = (value: number): string => value.toLocaleString('en');
  const most = to === undefined || to === Number.MAX_SAFE_INTEGER ? null : digits(to);
  if (from === undefined && most === null) return '';
  const bounds =
    from === undefined ? `≤ ${most}` : most === null ? `≥ ${digits(from)}` : `${digits(from)}–${most}`;
  return html`${bounds} ${what}`.trimEnd();
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
