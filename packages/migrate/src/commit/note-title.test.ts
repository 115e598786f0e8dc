import { describe, expect, it } from 'vitest';

import { noteFileName, noteTitle, scriptName } from './note-title.ts';

const note = (source: string, headings: readonly string[] = [], text = 'Words.'): string =>
  noteTitle({ source, headings, text, part: 'note', kind: 'note' });
const section = (source: string, headings: readonly string[]): string =>
  noteTitle({ source, headings, text: 'Words.', part: 'section', kind: 'note' });

describe('a whole note is called', () => {
  it('after its file', () => {
    expect(note('People/Anna Kowalska.md', ['Some heading'])).toBe('Anna Kowalska');
    expect(note('日记/读书笔记.md')).toBe('读书笔记');
    expect(note('2019-01-13.md')).toBe('2019-01-13');
    expect(note('Tea 0123456789abcdef0123456789abcdef.md')).toBe('Tea');
  });

  it('after its heading or first words if the file name is not a title', () => {
    expect(note('Untitled 3.md', ['Kettle'])).toBe('Kettle');
    expect(note('README.md', [], 'My [tea](https://tea.example) list')).toBe('My tea list');
    expect(note('README.md', [], '\n- [ ] Water first, then leaves\nmore')).toBe('Water first, then leaves');
    expect(note('22.md', ['17'], '...')).toBe('Untitled');
  });
});

describe('a part of a note is called', () => {
  it('after its heading if that is meaningful, else after the note and the heading', () => {
    expect(section('January.md', ['Month', 'Wild garlic'])).toBe('Wild garlic');
    expect(section('January.md', ['22'])).toBe('January – 22');
    expect(section('Running.md', ['Notes'])).toBe('Running – Notes');
    expect(section('Diary.md', ['2019年1月13日 星期日'])).toBe('Diary – 2019年1月13日 星期日');
    expect(section('Diary.md', [])).toBe('Diary');
  });
});

it.each([
  ['Dune: Part One', 'Dune - Part One'],
  ['a/b\\c|d', 'a-b-c-d'],
  ['../../etc/passwd', 'etc-passwd'],
  ['what? "why" <how> *', 'what why how'],
  ['con', 'con note'],
  ['...', 'Untitled'],
  ['-rf', 'rf'],
  ['ends. ', 'ends'],
  ['\u202eevil\u0007', 'evil'],
  ['思'.repeat(100), '思'.repeat(60)],
])('%j becomes the file name %j', (title, name) => {
  expect(noteFileName(title)).toBe(name);
});

it('a script has a name without spaces', () => {
  expect(scriptName('RULES.md — Never force-push (team)')).toBe('rules-never-force-push-team');
  expect(scriptName('规则 1')).toBe('规则-1');
  expect(scriptName('!')).toBe('rule');
});
