import { statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { zipOf } from '../../test/zip-file.ts';
import { journalMarkdown } from './apple-journal.ts';
import { notionMarkdown } from './notion-page.ts';
import { parseCsv } from './notion-table.ts';
import { orgMarkdown } from './org-markdown.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

const id = (digit: string): string => digit.repeat(32);
const page = (title: string, body: string, header = ''): string =>
  `<html><head><title>${title}</title><style>p { color: red }</style></head><body><article id="${id('a')}" class="page sans"><header><h1 class="page-title">${title}</h1>${header}</header><div class="page-body">${body}</div></article></body></html>`;

describe('a workspace of Notion', () => {
  it('has links between pages after their ids are removed, and databases as tables', async () => {
    const table = 'Tasks, open,Done\n"A ""b""",Yes\n';
    place.write(
      'export.zip',
      zipOf(
        {
          name: `Home ${id('1')}.html`,
          content: page('Home', `<p>NOTE 80 <a href="Home%20${id('1')}/Sub%20${id('2')}.html">Sub</a></p>`),
        },
        {
          name: `Home ${id('1')}/Sub ${id('2')}.html`,
          content: page('Sub', '<p>NOTE 80 <img src="p.png"/></p>'),
        },
        { name: `Home ${id('1')}/p.png`, content: Buffer.from([1, 0]) },
        { name: `NOTE 80 ${id('3')}.csv`, content: '\ufeffName,Done\r\n"A, ""b""",Yes\r\n' },
        { name: `NOTE 80 ${id('3')}_all.csv`, content: '\ufeffName,Done,More\r\n"A, ""b""",Yes,1\r\n' },
        { name: `NOTE 80 ${id('3')}/A b ${id('4')}.md`, content: 'NOTE 80 row\n' },
        { name: 'plain.csv', content: table },
      ),
    );
    const answer = await place.json(['scan', '--source', join(place.folder, 'export.zip')]);
    expect(answer).toMatchObject({ files: 4 });
    await place.run(['approve', '--approve-all']);
    const knowledge = place.knowledge();
    expect(Object.keys(knowledge).sort()).toEqual([
      'Attachments/p.png',
      'Knowledge/Notes/Home.md',
      'Knowledge/Notes/Home/Sub.md',
      'Knowledge/Notes/NOTE 80.md',
      'Knowledge/Notes/NOTE 80/A b.md',
    ]);
    expect(knowledge['Knowledge/Notes/Home.md']).toContain('NOTE 80 [Sub](Home/Sub.md)');
    expect(knowledge['Knowledge/Notes/NOTE 80.md']).toContain(
      '| Name | Done | More |\n| --- | --- | --- |\n| [A, "b"](NOTE%2080/A%20b.md) | Yes | 1 |',
    );
  });

  it('keeps the properties, check lists and formulas of a page', () => {
    const row = (kind: string, name: string, value: string): string =>
      `<tr class="property-row property-row-${kind}"><th>${name}</th><td>${value}</td></tr>`;
    const header = `<table class="properties"><tbody>${row('number', 'Price', '$1')}${row('multi_select', 'Tags', '<span>a b</span><span>c</span>')}${row('last_edited_time', 'Edited', '@May 8, 2025 8:45 PM')}</tbody></table>`;
    const body =
      '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>Done</span></li></ul><ul class="to-do-list"><li><div class="checkbox checkbox-off"></div> <span>Open</span></li></ul>' +
      '<p>x <span class="katex"><math><mi>y</mi><annotation encoding="application/x-tex">y^2</annotation></math><span aria-hidden="true">y2</span></span></p>';
    const note = notionMarkdown(page('Row', body, header));
    expect(note?.markdown).toContain(
      'Price: "$1"\ntags: ["a b","c"]\nmodified: "2025-05-08T20:45"\n---\n\n# Row\n\n',
    );
    expect(note?.markdown).toContain('- [x]  Done\n- [ ]  Open\n\nx $y^2$\n');
    expect(note?.modifiedSeconds).toBe(1_746_737_100);
  });

  it('has tables that end inside quotes left as files', () => {
    expect(parseCsv('a,"b\n')).toBeNull();
    expect(parseCsv('a,\n"c\nd",e')).toEqual([
      ['a', ''],
      ['c\nd', 'e'],
    ]);
  });
});

describe('an entry of Apple Journal', () => {
  it('is a journal note with its date, pictures and attached facts', () => {
    const source =
      '<html><body><div class="pageContainer"><div class="pageHeader">Sunday, 3 November 2024</div><div class="assetGrid"><div class="gridItem"><div>Mom</div><img src="../Resources/a.png"/></div></div><div class="title">A day</div><div class="bodyText"><p>Words.</p></div></div></body></html>';
    const note = journalMarkdown(source, 'entry.html');
    expect(note.markdown).toBe(
      '---\ntitle: "A day"\ntype: "journal"\ndate: "2024-11-03"\n---\n\nSunday, 3 November 2024\n\nMom  \n![](../Resources/a.png)\n\n# A day\n\nWords.\n',
    );
    expect(note.modifiedSeconds).toBe(1_730_592_000);
  });
});

describe('a file of Org mode', () => {
  const source = [
    '#+TITLE: Plan',
    '#+FILETAGS: :a:b:',
    '',
    '* TODO Call /Ann/ :phone:',
    'SCHEDULED: <2024-05-01 Wed>',
    'See [[https://example.org][the *page*]] and [[file:p.png]], =a*b*=.',
    '- [X] one',
    '#+begin_src js',
    '* not a heading',
    '#+end_src',
    '| a | b |',
    '|---+---|',
    '| 1 | 2 |',
    '# a comment',
  ].join('\n');

  it('becomes Markdown with its headings, tasks, links, tables and code', () => {
    expect(orgMarkdown(source.replace('* not', ' * not'), false).markdown).toBe(
      [
        '---\ntitle: "Plan"\ntags: ["a","b"]\n---\n',
        '# TODO Call *Ann* #phone\n',
        'SCHEDULED: <2024-05-01 Wed>',
        'See [the *page*](https://example.org) and ![](p.png), `a*b*`.',
        '- [x] one',
        '```js\n* not a heading\n```',
        '| a | b |\n| --- | --- |\n| 1 | 2 |',
        '<!-- a comment -->\n',
      ].join('\n'),
    );
  });

  it('of an outliner becomes an outline with the ids of its blocks', () => {
    const outline = '** DONE One\n:PROPERTIES:\n:id: 60ab-1\n:card: yes\n:END:\n*** Two\ntext';
    expect(orgMarkdown(outline, true).markdown).toBe(
      '- [x] One ^60ab-1\n    card:: yes\n    - Two\n        text\n',
    );
  });

  it('is scanned with the date that it states', async () => {
    place.write('notes/a.org', '#+DATE: <2020-05-17 Sun>\nNOTE 80\n');
    await place.json(['scan', '--source', place.notes]);
    await place.run(['approve', '--approve-all']);
    expect(statSync(join(place.root, 'Knowledge/Notes/a.md')).mtimeMs / 1000).toBe(1_589_673_600);
  });
});
