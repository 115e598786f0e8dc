import { describe, expect, test } from 'vitest';

import { listFormOf } from './list-form.ts';

describe('the list format of a source', () => {
  test('is a feed without options', () => {
    expect(listFormOf({ name: 'Lab' })).toEqual({ kind: 'feed' });
  });

  test('is a page with selectors', () => {
    expect(listFormOf({ 'page-entry': 'article', 'entry-date': 'time@datetime' })).toEqual({
      kind: 'page list',
      rules: { entry: 'article', date: 'time@datetime' },
    });
  });

  test('is a JSON response with paths', () => {
    const values = {
      'json-entries': '',
      'entry-title': 'name',
      'entry-link': 'https://lab.example/{slug}',
      'entry-id': 'id',
    };
    expect(listFormOf(values)).toEqual({
      kind: 'json list',
      rules: { entries: '', title: 'name', link: 'https://lab.example/{slug}', id: 'id' },
    });
  });

  test.each([
    ['both at once', { 'page-entry': 'li', 'json-entries': 'data' }, 'not both'],
    [
      'a JSON answer without a title',
      { 'json-entries': 'data', 'entry-link': 'url' },
      'requires --entry-title',
    ],
    ['parts of entries without entries', { 'entry-title': 'h2' }, 'require --page-entry'],
    ['an id on a page', { 'page-entry': 'li', 'entry-id': 'id' }, 'require --json-entries'],
    ['a rule without end', { 'page-entry': 'li', 'entry-title': 'a'.repeat(501) }, 'longer than 500'],
  ])('%s is refused', (_, values, message) => {
    expect(() => listFormOf(values)).toThrow(message);
  });
});
