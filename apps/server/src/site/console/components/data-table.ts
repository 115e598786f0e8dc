import { html } from 'ghtml';

import { scripts } from '../../shell/assets.ts';
import type { InterfaceLanguage } from '../../shell/words/words.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { IconName } from './icons.ts';
import { icon } from './icons.ts';
import type { EmptyState } from './parts.ts';
import { emptyState } from './parts.ts';

/** On phones: the first line, its state, a line below, or not at all. */
export type ColumnPlace = 'main' | 'state' | 'also' | 'low' | 'end';

export interface Column<Row> {
  readonly label: string;
  /** HTML, escaped already. */
  readonly cell: (row: Row) => string;
  readonly place?: ColumnPlace;
  /** The address of the list in the order of this column. */
  readonly sortHref?: string;
  readonly sorted?: 'ascending' | 'descending';
}

/** A link, or a form with one button. */
export interface MenuItem {
  readonly label: string;
  readonly icon: IconName;
  readonly href?: string;
  readonly action?: string;
  /** HTML: hidden fields of the form. */
  readonly fields?: string;
  /** The last of the menu, after a rule. */
  readonly isDangerous?: boolean;
}

export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly chosen: string;
}

export interface DataTable<Row> {
  /** Spoken, not shown. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Of a row, for its check box and its menu. */
  readonly nameOf?: (row: Row) => string;
  readonly menu?: (row: Row) => readonly MenuItem[];
  readonly search?: {
    readonly label: string;
    readonly query: string | undefined;
    readonly action?: string;
    readonly name?: string;
  };
  readonly filters?: readonly Filter[];
  /** HTML of further fields of the search. */
  readonly fields?: string;
  readonly selection?: {
    readonly name: string;
    readonly valueOf: (row: Row) => string;
    readonly buttons: readonly {
      readonly label: string;
      readonly action: string;
      readonly isDangerous?: boolean;
      /** Of the keyboard, on the pages of the desk. */
      readonly key?: string;
    }[];
  };
  readonly pagination?: {
    readonly hasMore: boolean;
    readonly nextCursor: string | null;
    /** Of the other parameters of the address. */
    readonly query?: Readonly<Record<string, string>>;
    readonly parameter?: string;
    readonly label?: string;
    readonly isFirst?: boolean;
  };
  readonly empty: EmptyState;
}

/** Columns of rows that are written as cells: the first names the row. */
export function cellColumns(
  labels: readonly string[],
  places: readonly (ColumnPlace | undefined)[] = [],
): readonly Column<readonly string[]>[] {
  return labels.map((label, index) => ({
    label,
    place: places[index] ?? (index === 0 ? 'main' : 'also'),
    cell: (row) => row[index] ?? '',
  }));
}

/** The one table of the console: search, filters, order, selection, row menus, pages, and its empty states. */
export function dataTable<Row>(language: InterfaceLanguage, table: DataTable<Row>): string {
  const isSought =
    (table.search?.query ?? '') !== '' || (table.filters ?? []).some(({ chosen }) => chosen !== '');
  const tools = table.rows.length > 0 || isSought ? toolbar(language, table) : '';
  if (table.rows.length === 0)
    return html`!${tools}
      <div class="card">!${emptyState(table.empty)}</div>`;
  const list = html`<div class="card">!${grid(language, table)} !${pager(language, table)}</div>`;
  return html`!${tools} !${table.selection === undefined ? list : selecting(language, table, list)}`;
}

function toolbar<Row>(
  language: InterfaceLanguage,
  { search, filters = [], fields = '' }: DataTable<Row>,
): string {
  if (search === undefined && filters.length === 0) return '';
  const words = wordsOf(language).console;
  const name = search?.name ?? 'query';
  return html`<form
    method="get"
    class="filters toolbar"
    role="search"
    !${search?.action === undefined ? '' : html`action="${search.action}"`}
  >
    !${
      search === undefined
        ? ''
        : html`<div class="find">
            !${icon('search')}
            <input
              type="search"
              name="${name}"
              value="${search.query ?? ''}"
              maxlength="200"
              aria-label="${search.label}"
              placeholder="${search.label}"
            />
          </div>`
    }
    !${filters.map(
      (filter) =>
        html`<select
          name="${filter.name}"
          aria-label="${filter.label}"
          class="${filter.chosen === '' ? '' : 'set'}"
        >
          !${filter.options.map(
            ({ value, label }) =>
              html`<option value="${value}" !${value === filter.chosen ? 'selected' : ''}>${label}</option>`,
          )}
        </select>`,
    )}
    !${fields}
    <button type="submit">${filters.length === 0 ? words.find : words.apply}</button>
  </form>`;
}

function grid<Row>(language: InterfaceLanguage, table: DataTable<Row>): string {
  const { caption, columns, rows, selection, menu } = table;
  const words = wordsOf(language).console;
  return html`<table>
    <caption class="hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        !${
          selection === undefined
            ? ''
            : html`<th class="pick">
                <input type="checkbox" aria-label="${words.selectAll}" hidden />
              </th>`
        }
        !${columns.map(headCell)}
        !${menu === undefined ? '' : html`<th class="act"><span class="hidden">${words.more}</span></th>`}
      </tr>
    </thead>
    <tbody>
      !${rows.map((row, index) => bodyRow(language, table, row, index))}
    </tbody>
  </table>`;
}

function headCell<Row>({ label, place, sortHref, sorted }: Column<Row>): string {
  const text =
    sortHref === undefined
      ? html`${label}`
      : html`<a href="${sortHref}">${label}!${sorted === undefined ? '' : icon('down')}</a>`;
  return html`<th
    scope="col"
    class="${place ?? ''}"
    !${sorted === undefined ? '' : html`aria-sort="${sorted}"`}
  >
    !${text}
  </th>`;
}

function bodyRow<Row>(language: InterfaceLanguage, table: DataTable<Row>, row: Row, index: number): string {
  const { columns, selection, menu, nameOf = () => '' } = table;
  const words = wordsOf(language).console;
  return html`<tr data-entry>
    !${
      selection === undefined
        ? ''
        : html`<td class="pick">
            <input
              type="checkbox"
              form="selection"
              name="${selection.name}"
              value="${selection.valueOf(row)}"
              aria-label="${words.select(nameOf(row))}"
            />
          </td>`
    }
    !${columns.map(
      ({ label, cell, place }) => html`<td data-column="${label}" class="${place ?? ''}">!${cell(row)}</td>`,
    )}
    !${menu === undefined ? '' : html`<td class="act">!${rowMenu(words.actionsFor(nameOf(row)), `row-${index}`, menu(row))}</td>`}
  </tr>`;
}

/** Opens beside its button; the dangerous action is the last, after a rule. */
export function rowMenu(label: string, id: string, items: readonly MenuItem[]): string {
  if (items.length === 0) return '';
  return html`<button type="button" class="btn quiet icon sm" popovertarget="${id}" aria-label="${label}">
      !${icon('more')}
    </button>
    <div class="menu" id="${id}" popover>!${items.map(menuEntry)}</div>`;
}

function menuEntry({ label, icon: name, href, action, fields = '', isDangerous = false }: MenuItem): string {
  const kind = isDangerous ? 'danger' : '';
  const entry =
    href === undefined
      ? html`<form method="post" action="${action ?? ''}" class="small">
          !${fields}<button type="submit" class="${kind}">!${icon(name)}${label}</button>
        </form>`
      : html`<a href="${href}" class="${kind}">!${icon(name)}${label}</a>`;
  return html`!${isDangerous ? html`<hr />` : ''} !${entry}`;
}

function selecting<Row>(language: InterfaceLanguage, { selection }: DataTable<Row>, list: string): string {
  const words = wordsOf(language).console;
  // Beside the table, not around it: rows may contain forms of their own.
  return html`<div data-selects>
    <form method="post" id="selection" hidden></form>
    !${list}
    <div class="selected" role="region" aria-label="${words.selected}">
      <span><strong></strong> ${words.selected}</span>
      !${(selection?.buttons ?? []).map(
        ({ label, action, isDangerous = false, key }) =>
          html`<button
            type="submit"
            form="selection"
            formaction="${action}"
            class="${isDangerous ? 'danger' : ''}"
            !${key === undefined ? '' : html`data-key="${key}"`}
          >
            ${label}
          </button>`,
      )}
    </div>
    <script src="${scripts.selection.path}" defer></script>
  </div>`;
}

function pager<Row>(language: InterfaceLanguage, { pagination }: DataTable<Row>): string {
  if (pagination === undefined) return '';
  const words = wordsOf(language).console;
  const {
    hasMore,
    nextCursor,
    query = {},
    parameter = 'cursor',
    label = words.next,
    isFirst = true,
  } = pagination;
  if (isFirst && (!hasMore || nextCursor === null)) return '';
  const address = (more: Readonly<Record<string, string>>): string =>
    `?${new URLSearchParams({ ...query, ...more }).toString()}`;
  return html`<footer>
    <nav class="right" aria-label="${words.pages}">
      !${isFirst ? '' : html`<a class="btn sm" href="${address({})}">${words.first}</a>`}
      !${hasMore && nextCursor !== null ? html`<a class="btn sm" href="${address({ [parameter]: nextCursor })}">${label}</a>` : ''}
    </nav>
  </footer>`;
}
