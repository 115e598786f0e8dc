import type { SourceSettings } from '../../ingest/index.ts';
import type { SourcesInput } from './sources-input.ts';

const ruleCharsMax = 500;

/** The format of the list: a feed, unless options give selectors or paths for its entries. */
export function listFormOf(values: SourcesInput['values']): SourceSettings['form'] {
  const page = values['page-entry'];
  const json = values['json-entries'];
  if (page !== undefined && json !== undefined)
    throw new Error('Use --page-entry for a page or --json-entries for a JSON response, not both.');
  const rules = {
    ...rule(values, 'entry-title', 'title'),
    ...rule(values, 'entry-link', 'link'),
    ...rule(values, 'entry-date', 'date'),
    ...rule(values, 'entry-summary', 'summary'),
  };
  const ofJson = { ...rule(values, 'entry-id', 'id'), ...rule(values, 'entry-content', 'content') };
  if (json !== undefined) {
    const { title, link } = rules;
    if (title === undefined || link === undefined)
      throw new Error('--json-entries requires --entry-title and --entry-link.');
    return { kind: 'json list', rules: { ...rules, ...ofJson, entries: json, title, link } };
  }
  if (Object.keys(ofJson).length > 0)
    throw new Error('--entry-id and --entry-content require --json-entries.');
  if (page !== undefined) return { kind: 'page list', rules: { ...rules, entry: page } };
  if (Object.keys(rules).length > 0)
    throw new Error('--entry-… options require --page-entry or --json-entries.');
  return { kind: 'feed' };
}

function rule<Name extends string>(
  values: SourcesInput['values'],
  option: keyof SourcesInput['values'],
  name: Name,
): Partial<Record<Name, string>> {
  const value = values[option];
  if (typeof value !== 'string') return {};
  if (value.length > ruleCharsMax) throw new Error(`--${option} is longer than ${ruleCharsMax} characters`);
  return { [name]: value } as Partial<Record<Name, string>>;
}
