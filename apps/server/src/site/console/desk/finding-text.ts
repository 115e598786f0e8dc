import { say } from '../../shell/words/say.ts';

/** A finding of the check in the language of the page: what it is about, and the words as they were typed. */
export function findingText(finding: string): string {
  const [, kind = '', text = ''] = /^([a-z]+): (.*)$/su.exec(finding) ?? [];
  if (text === '') return say('The source text is not stored.');
  switch (kind) {
    case 'name':
      return say('Name: {text}', { text });
    case 'number':
      return say('Number: {text}', { text });
    case 'unit':
      return say('Unit: {text}', { text });
    case 'date':
      return say('Date: {text}', { text });
    case 'version':
      return say('Version: {text}', { text });
    case 'quotation':
      return say('Quotation: {text}', { text });
    case 'negation':
      return say('Negation: {text}', { text });
    case 'value':
      return say('Number refers to something else: {text}', { text });
    case 'bound':
      return say('Different limit or share: {text}', { text });
    case 'opposite':
      return say('Opposite meaning: {text}', { text });
    case 'certainty':
      return say('Only planned or expected: {text}', { text });
    case 'period':
      return say('Different time: {text}', { text });
    case 'ordinal':
      return say('Different order: {text}', { text });
    case 'speaker':
      return say('Different speaker: {text}', { text });
    case 'role':
      return say('Different role: {text}', { text });
    default:
      return finding;
  }
}
