import { describe, expect, it } from 'vitest';

import type { Classification, NoteContext } from '../classify/classification.ts';
import { classifyNote } from './classify-note.ts';

const prose = 'A few sentences about nothing in particular, which go on for a while and name no list at all.';

function noteAt(path: string, text = prose, context: Partial<NoteContext> = {}): Classification {
  const note = { properties: null, tags: [], folder: { notes: 1, dated: 0 }, ...context };
  return classifyNote({ headings: [], text, path, note });
}
const typed = (properties: Record<string, unknown>, path = 'Notes/x.md'): string =>
  noteAt(path, prose, { properties }).target;

describe('the properties of a note decide before its words', () => {
  it.each([
    [{ type: 'person' }, 'People'],
    [{ Type: 'Person' }, 'People'],
    [{ categories: ['[[Books]]'] }, 'BOOKS'],
    [{ category: 'companies' }, 'Companies'],
    [{ type: ['[[Apps]]'], categories: ['[[Companies]]', '[[Apps]]'] }, 'Companies'],
    [{ categories: ['[[Clippings]]', '[[Recipes]]'] }, 'NOTE'],
    [{ type: 'meeting' }, 'NOTE'],
    [{ type: 'daily-note' }, 'JOURNAL'],
    [{ director: 'Scott', year: 1982 }, 'MOVIES'],
    [{ isbn: '123' }, 'BOOKS'],
    [{ source: 'https://example.org', author: 'A' }, 'Research'],
  ])('%j is %s', (properties, target) => {
    expect(typed(properties)).toBe(target);
  });

  it('also as fields of Dataview and as tags', () => {
    expect(noteAt('x.md', `type:: [[Person]]\n\n${prose}`).target).toBe('People');
    expect(noteAt('x.md', `#book #to-read\n\n${prose}`)).toMatchObject({ target: 'BOOKS', basis: 'tag' });
    expect(noteAt('x.md', prose, { tags: ['friends', 'habits'] }).target).toBe('NOTE');
  });

  it('of a note that consists of them alone', () => {
    expect(noteAt('Dune.md', '---\ncategories:\n  - "[[Books]]"\n---\n').target).toBe('BOOKS');
  });
});

describe('names and folders', () => {
  it.each([
    ['Daily/2023-09-30.md', 'JOURNAL'],
    ['2021_03_15.md', 'JOURNAL'],
    ['looking-back/2018/2018-may.md', 'JOURNAL'],
    ['Diary/2018.md', 'JOURNAL'],
    ['Journal/2020-01-02 A walk.md', 'JOURNAL'],
    ['newsletter/2024_05.md', 'NOTE'],
    ['2018.md', 'NOTE'],
    ['Meetings/2023-09-12.md', 'NOTE'],
    ['2023-09-12 Meeting with Ann.md', 'NOTE'],
    ['Templates/Person.md', 'NOTE'],
    ['Project template.md', 'NOTE'],
    ['docs/README.md', 'NOTE'],
    ['People/Ada Lovelace.md', 'People'],
    ['People/People.md', 'NOTE'],
    ['02 - Books/Dune.md', 'BOOKS'],
    ['music/production.md', 'NOTE'],
    ['日记/2020年3月.md', 'JOURNAL'],
    ['work/startups.md', 'NOTE'],
    ['contacts.md', 'NOTE'],
  ])('%s goes to %s', (path, target) => {
    expect(noteAt(path).target).toBe(target);
  });

  it('a month is a journal entry where the folder has the habit of dates', () => {
    expect(noteAt('log/2024-05.md', prose, { folder: { notes: 10, dated: 9 } }).target).toBe('JOURNAL');
    expect(noteAt('log/2024-05.md', prose, { folder: { notes: 10, dated: 2 } }).target).toBe('NOTE');
  });
});

describe('the form of a note', () => {
  it('a page that only embeds a view is not classified by what it shows', () => {
    expect(noteAt('Categories/Books.md', '![[Books.base]]\n')).toMatchObject({
      target: 'NOTE',
      basis: 'view',
    });
  });

  it('an empty form is a template', () => {
    expect(noteAt('x.md', '# {{title}}\n\nAuthor:\nRating:\n').basis).toBe('template');
  });

  it('notes about code and lists of links are research', () => {
    const code = '# Database cursors\n\n```sql\ndeclare c cursor for select 1;\nfetch c;\nclose c;\n```\n';
    expect(noteAt('cursor.md', code)).toMatchObject({ target: 'Research', basis: 'technical' });
    const links = '- [One](https://a.example)\n- [Two](https://b.example)\n- [Three](https://c.example)\n';
    expect(noteAt('agents.md'.replace('s', ''), links).target).toBe('Research');
  });
});

describe('rules for agents', () => {
  it.each(['cursor', 'prompt', 'agent', 'llm'])('the word %s makes no note a rule', (word) => {
    const text = `Always use a ${word} when you must read a large table. Never forget to close it. Prefer the ${word} to a list, and ensure that it is tested.`;
    expect(noteAt(`${word}.md`, text).target).not.toBe('AI_RULES');
  });

  it('a note that instructs an assistant is one, and is never trusted without a question', () => {
    const text =
      'You are an expert assistant. Always answer briefly. Never run commands without asking. The assistant must write tests first. Do not use emojis. Prefer TypeScript.';
    const { target, confidence } = noteAt('style.md', text);
    expect(target).toBe('AI_RULES');
    expect(confidence).toBeLessThan(0.7);
  });
});

it('a short and clear statement goes to its list, but a question is asked first', () => {
  const { target, basis, confidence } = noteAt(
    'n1.md',
    'My goal for 2027: I want to run a marathon by October and finish my degree.',
  );
  expect([target, basis]).toEqual(['GOALS', 'words']);
  expect(confidence).toBeLessThan(0.7);
});

it('a section of a note is classified by its words', () => {
  const answer = classifyNote({
    headings: ['Books'],
    text: '- Middlemarch\n- The Trial',
    path: 'Daily/2020-01-01.md',
  });
  expect(answer).toMatchObject({ target: 'BOOKS' });
});
