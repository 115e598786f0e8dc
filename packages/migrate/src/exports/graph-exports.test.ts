import { readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { tarOf } from '../../test/tar-file.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

const scan = (name: string): Promise<Record<string, unknown>> =>
  place.json(['scan', '--source', join(place.folder, name)]);
const approve = async (): Promise<Record<string, string>> => {
  await place.run(['approve', '--approve-all']);
  return place.knowledge();
};
const id = (digit: string): string => digit.repeat(32);
const item = (
  digit: string,
  type: number,
  content: string,
  more: Record<string, string> = {},
): [string, string] => {
  const properties = {
    id: id(digit),
    user_created_time: '2020-05-17T00:00:00.000Z',
    user_updated_time: '2021-05-18T00:00:00.000Z',
    ...more,
    type_: String(type),
  };
  const lines = Object.entries(properties).map(([name, value]) => `${name}: ${value}`);
  return [`${id(digit)}.md`, `${content}\n\n${lines.join('\n')}`];
};
const joplin = new Map<string, string>([
  item('1', 1, `First\n\nNOTE 80 [two](:/${id('2')}) ![p](:/${id('5')})`, { parent_id: id('4') }),
  item('2', 1, 'Second\n\nNOTE 80 two', { parent_id: id('3'), author: 'Ann', is_todo: '0' }),
  item('3', 2, 'Outer', { parent_id: '' }),
  item('4', 2, 'Inner: one', { parent_id: id('3') }),
  item('5', 4, 'p.png', { file_extension: 'png' }),
  item('6', 5, 'garden'),
  item('7', 6, '', { note_id: id('1'), tag_id: id('6') }),
  [`resources/${id('5')}.png`, '\u0001\u0000'],
]);
const expected = {
  files: [
    'Attachments/p.png',
    'Knowledge/Notes/Outer/Inner - one/First.md',
    'Knowledge/Notes/Outer/Second.md',
  ],
  text: 'NOTE 80 [two](../Second.md) ![p](../../../../Attachments/p.png)',
};

describe('an export of Joplin', () => {
  it.each(['a folder', 'a JEX file'])(
    'as %s keeps notebooks, tags, dates, links and attachments',
    async (form) => {
      const isFolder = form === 'a folder';
      for (const [name, text] of joplin) if (isFolder) place.write(`notes/${name}`, text);
      const files = Array.from(joplin, ([name, content]) => ({ name, content }));
      if (!isFolder) place.write('notes.jex', tarOf(...files));
      expect(await scan(isFolder ? 'notes' : 'notes.jex')).toMatchObject({ files: 2, added: 2 });
      expect(await scan(isFolder ? 'notes' : 'notes.jex')).toMatchObject({ files: 2, added: 0 });
      const knowledge = await approve();
      expect(Object.keys(knowledge).sort()).toEqual(expected.files);
      const [, first = '', second = ''] = expected.files;
      expect(knowledge[first]).toContain(expected.text);
      expect(knowledge[first]).toContain(
        'notebook: "Outer / Inner: one"\ntags: ["garden"]\ncreated: "2020-05-17T00:00:00.000Z"\n',
      );
      expect(knowledge[second]).toContain('"author":"Ann"');
      expect(statSync(join(place.root, second)).mtimeMs / 1000).toBe(1_621_296_000);
    },
  );

  it('in a hostile archive writes no links and nothing outside', async () => {
    const [name, content] = item('1', 1, 'One\n\nNOTE 80');
    const archive = tarOf(
      { name: '../../escape.md', content },
      { name: '/absolute.md', content },
      { name: 'link.md', content: '', type: '2' },
      { name: 'hard.md', content: '', type: '1' },
      { name: 'device', content: '', type: '3' },
      { name, content },
      { name, content },
    );
    place.write('notes.jex', archive);
    const answer = await scan('notes.jex');
    expect(answer).toMatchObject({ files: 1 });
    const listed = (answer['listed'] as { status: string }[]).map(({ status }) => status).sort();
    expect(listed).toEqual([
      'converted',
      'link',
      'link',
      'special file',
      'unreadable',
      'unreadable',
      'unreadable',
    ]);
    expect(readdirSync(place.folder).sort()).toEqual(['knowledge', 'notes.jex']);
  });

  it('copies no file that its attachments name outside of the export', async () => {
    place.write('secret.txt', 'NOT PART OF THE EXPORT');
    const outside = `/${'../'.repeat(40)}${join(place.folder, 'secret.txt').slice(1)}`;
    const items = [
      item('1', 1, `First\n\nNOTE 80 ![a](:/${id('5')}) ![b](:/${id('6')})`),
      item('5', 4, 'a.txt', { file_extension: outside }),
      item('6', 4, 'b.txt', { file_extension: 'txt' }),
    ];
    for (const [name, text] of items) place.write(`notes/${name}`, text);
    place.write('notes/resources/.keep', '');
    symlinkSync(join(place.folder, 'secret.txt'), join(place.folder, `notes/resources/${id('6')}.txt`));
    symlinkSync(join(place.folder, 'secret.txt'), join(place.folder, `notes/${id('7')}.md`));
    place.write(
      'notes.jex',
      tarOf(
        { name: `resources/${id('8')}`, content: '' },
        ...items.map(([name, content]) => ({ name, content })),
      ),
    );
    for (const name of ['notes', 'notes.jex']) await scan(name);
    expect(JSON.stringify(await approve())).not.toContain('NOT PART OF THE EXPORT');
  });

  it.each([
    ['that states a larger file than it has', tarOf({ name: 'a.md', content: 'x', size: 10_000_000 })],
    ['of zeros', Buffer.alloc(4096)],
    ['that is text', Buffer.from('x'.repeat(2000))],
  ])('in an archive %s is refused', async (_, archive) => {
    place.write('notes.jex', archive);
    const answer = await scan('notes.jex');
    expect(answer).toMatchObject({ files: 0, listed: [{ name: 'notes.jex', status: 'unreadable' }] });
  });
});

describe('a graph of Roam', () => {
  const graph = [
    {
      title: 'Garden/plan',
      uid: 'page-1',
      'create-time': 1_589_673_600_000,
      'edit-time': 1_621_296_000_000,
      children: [
        { string: 'NOTE 80 {{[[TODO]]}} see ((block_two)) and [[January 1st, 2021]]', uid: 'block-one' },
        { string: '{{[[embed]]: ((block_two))}}', uid: 'embed-1' },
      ],
    },
    {
      title: 'January 1st, 2021',
      uid: '01-01-2021',
      children: [
        {
          string: 'JOURNAL 80 [[Garden/plan]]',
          uid: 'day-1',
          children: [{ string: 'second `((block-one))` ^^x^^', uid: 'block_two', 'edit-time': 1 }],
        },
      ],
    },
  ];

  it('keeps the outline, block references, dates and daily notes', async () => {
    place.write('graph.json', JSON.stringify(graph));
    expect(await scan('graph.json')).toMatchObject({ files: 2 });
    const knowledge = await approve();
    expect(Object.keys(knowledge).sort()).toEqual([
      'Journal/2021/2021-01-01.md',
      'Knowledge/Notes/Garden-plan.md',
    ]);
    expect(knowledge['Knowledge/Notes/Garden-plan.md']).toContain(
      '- NOTE 80 [ ] see [[2021-01-01#^block-two|second ((block-one)) x]] and [[2021-01-01|January 1st, 2021]] ^block-one\n- ![[2021-01-01#^block-two]]\n',
    );
    expect(knowledge['Journal/2021/2021-01-01.md']).toContain(
      '- JOURNAL 80 [[Garden-plan|Garden/plan]]\n    - second `((block-one))` ==x== ^block-two',
    );
    expect(statSync(join(place.root, 'Knowledge/Notes/Garden-plan.md')).mtimeMs / 1000).toBe(1_621_296_000);
  });

  it('with very deep blocks lists the rest, and a damaged one is refused', async () => {
    const deep = `{"string":"x","uid":"u","children":[`.repeat(3000);
    place.write('deep.json', `[{"title":"Deep","uid":"p","children":[${deep}${']}'.repeat(3000)}]}]`);
    const answer = await scan('deep.json');
    expect(answer).toMatchObject({ files: 1 });
    expect(JSON.stringify(answer['listed'])).toContain('Roam.remainder');
    place.write('cut.json', JSON.stringify(graph).slice(0, -20));
    expect(await scan('cut.json')).toMatchObject({ files: 0, listed: [{ status: 'unreadable' }] });
  });
});
