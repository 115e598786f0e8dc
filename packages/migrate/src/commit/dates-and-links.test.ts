import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

const seconds = 1_400_000_000;
function write(path: string, text: string): void {
  place.write(`notes/${path}`, text);
  utimesSync(join(place.notes, path), seconds, seconds);
}
async function commit(): Promise<void> {
  await place.run(['scan', '--source', place.notes]);
  await place.run(['approve', '--approve-all']);
}
const timeOf = (path: string): number => Math.round(statSync(join(place.root, path)).mtimeMs / 1000);

describe('the dates of a note', () => {
  it('stay in its properties and as the time of its file', async () => {
    write('a.md', 'NOTE 80\n');
    await commit();
    const text = place.read('knowledge/Knowledge/Notes/a.md');
    expect(text).toContain('created: "2014-05-13T16:53:20.000Z"\nmodified: "2014-05-13T16:53:20.000Z"');
    expect(timeOf('Knowledge/Notes/a.md')).toBe(seconds);
  });

  it('that it states itself are not stated again', async () => {
    write('a.md', '---\nDate Created: 2010-01-01\nupdated: 2011-01-01\n---\nNOTE 80\n');
    await commit();
    expect(place.read('knowledge/Knowledge/Notes/a.md')).not.toMatch(/^(?:created|modified): /m);
  });

  it('do not change when a link in it is rewritten later', async () => {
    write('a.md', 'NOTE 80 [there](b.md)\n');
    write('b.md', 'GOALS 80\n');
    await place.run(['scan', '--source', place.notes]);
    await place.run(['approve', '--approve-target', 'NOTE']);
    await place.run(['approve', '--approve-target', 'GOALS']);
    expect(place.read('knowledge/Knowledge/Notes/a.md')).toContain('[there](../../Foundation/GOALS.md#b)');
    expect(timeOf('Knowledge/Notes/a.md')).toBe(seconds);
  });
});

describe('links', () => {
  it('to headings, blocks and from tables keep their place, their label and their bar', async () => {
    write('Book.md', '# Book\n\n## Part one\n\nBOOKS 80 words ^block-1\n');
    const links = '[[Book#Part one]] [[Book#^block-1]] [[Book]]\n\n| a |\n|---|\n| [[Book\\|alias]] |\n';
    write('a.md', `NOTE 80 ${links}`);
    await commit();
    const text = place.read('knowledge/Knowledge/Notes/a.md');
    expect(text).toContain('[[BOOKS#Part one|Book]] [[BOOKS#^block-1|Book]] [[BOOKS#Book|Book]]');
    expect(text).toContain('| [[BOOKS#Book\\|alias]] |');
  });

  it('in the texts of properties are rewritten, other brackets are not', async () => {
    write('Book.md', 'BOOKS 80\n');
    write('a.md', '---\nabout: "[[Book]]"\nlist: [[Book]]\n---\nNOTE 80\n');
    await commit();
    const text = place.read('knowledge/Knowledge/Notes/a.md');
    expect(text).toContain('about: "[[BOOKS#Book|Book]]"\nlist: [[Book]]');
  });

  it('to a heading that is itself a link lead to its text', async () => {
    write('Book.md', '# [A mind](https://example.org/x)\n\nBOOKS 80\n');
    write('a.md', 'NOTE 80 [[Book]] and [it](Book.md)\n');
    await commit();
    const text = place.read('knowledge/Knowledge/Notes/a.md');
    expect(text).toContain('[[BOOKS#A mind|Book]] and [it](../../Preferences/BOOKS.md#a-mind)');
  });
});
