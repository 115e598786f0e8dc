import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

const picture = Buffer.from([1, 2, 0, 3]);
const pictureHash = createHash('md5').update(picture).digest('hex');

const enexNote = (title: string, content: string, more = ''): string =>
  `<note><title>${title}</title><content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x"><en-note>${content}</en-note>]]></content>${more}</note>`;
const enex = (...notes: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<en-export version="10">${notes.join('\n')}</en-export>`;
const scan = (name: string): Promise<Record<string, unknown>> =>
  place.json(['scan', '--source', join(place.folder, name)]);
const approve = async (): Promise<Record<string, string>> => {
  await place.run(['approve', '--approve-all']);
  return place.knowledge();
};
const bodyOf = (text = ''): string => text.slice(text.indexOf('-->\n\n') + 5).trim();

describe('an export of Evernote', () => {
  it('becomes notes with their dates, tags and other fields', async () => {
    const more =
      '<created>20200517T101112Z</created><updated>20210518T000000Z</updated><tag>garden</tag><note-attributes><author>Ann</author></note-attributes>';
    place.write('Work.enex', enex(enexNote('Plan: A', '<div>NOTE 80</div>', more)));
    expect(await scan('Work.enex')).toMatchObject({ files: 1, added: 1 });
    expect(await scan('Work.enex')).toMatchObject({ files: 1, added: 0 });
    const note = (await approve())['Knowledge/Notes/Work/Plan - A.md'] ?? '';
    expect(note).toContain('title: "Plan: A"\ntags: ["garden"]\ncreated: "2020-05-17T10:11:12Z"\n');
    expect(note).toContain('modified: "2021-05-18T00:00:00Z"\nevernote: {"author":"Ann"}\n');
    const { mtimeMs } = statSync(join(place.root, 'Knowledge/Notes/Work/Plan - A.md'));
    expect(mtimeMs / 1000).toBe(1_621_296_000);
  });

  it('keeps lists, tasks, tables, code and emphasis', async () => {
    const content =
      '<div>NOTE 80 <b>bold</b> a_b *c*</div><div><br/></div><ul><li>One</li><ul><li>Two</li></ul></ul><div><en-todo checked="true"/>Done</div>' +
      '<table><tr><td>a|b</td><td><div>c</div><div>d</div></td></tr><tr><td>1</td></tr></table>' +
      '<div style="--en-codeblock:true;--en-codeblockLanguage:c"><div>int a;</div><div>&nbsp; b = `x`;</div></div>';
    place.write('Work.enex', enex(enexNote('Shapes', content)));
    await scan('Work.enex');
    expect(bodyOf((await approve())['Knowledge/Notes/Work/Shapes.md'])).toBe(
      [
        'NOTE 80 **bold** a_b \\*c\\*',
        '- One\n    - Two',
        '- [x] Done',
        '| a\\|b | c<br>d |\n| --- | --- |\n| 1 |  |',
        '```c\nint a;\n  b = `x`;\n```',
      ].join('\n\n'),
    );
  });

  it('keeps attachments and links them where the note shows them, or at its end', async () => {
    const resource = (name: string, data: Buffer): string =>
      `<resource><data encoding="base64">${data.toString('base64')}\n</data><mime>image/png</mime><resource-attributes><file-name>${name}</file-name></resource-attributes></resource>`;
    const notes = enexNote(
      'Pictures',
      `NOTE 80 <en-media hash="${pictureHash}" type="image/png"/>`,
      resource('../a/p.png', picture) + resource('q.png', Buffer.from([9])),
    );
    place.write('Work.enex', enex(notes));
    await scan('Work.enex');
    const knowledge = await approve();
    expect(readFileSync(join(place.root, 'Attachments/p.png'))).toEqual(picture);
    expect(knowledge['Knowledge/Notes/Work/Pictures.md']).toContain(
      'NOTE 80 ![../a/p.png](../../../Attachments/p.png)\n\n![q.png](../../../Attachments/q.png)\n',
    );
  });

  it('lists encrypted text, and copies it with the note', async () => {
    place.write('Work.enex', enex(enexNote('Secret', 'NOTE 80 <en-crypt hint="pet">AAAA</en-crypt>')));
    const { listed } = await scan('Work.enex');
    expect(listed).toContainEqual({
      name: 'Work.enex/.files/Secret encrypted.encrypted',
      status: 'encrypted',
      detail: 'encrypted text of Secret.md',
    });
    expect((await approve())['Attachments/Secret encrypted.encrypted']).toBe('hint: pet\n\nAAAA\n');
  });

  it('links notes to each other by their titles, also those of another notebook', async () => {
    const link = '<a href="evernote:///view/1/s1/a/a/">Target: one</a>';
    place.write('notes/A.enex', enex(enexNote('From', `NOTE 80 ${link}`)));
    place.write('notes/B.enex', enex(enexNote('Target: one', 'NOTE 80 two')));
    await place.json(['scan', '--source', place.notes]);
    const knowledge = await approve();
    expect(bodyOf(knowledge['Knowledge/Notes/A/From.md'])).toBe('NOTE 80 [[Target - one|Target: one]]');
    expect(knowledge['Knowledge/Notes/A/From.md']).toContain('"evernote:///view/1/s1/a/a/"');
  });

  it('lists a note as deleted if a newer export of the same name does not contain it', async () => {
    place.write('Work.enex', enex(enexNote('One', 'NOTE 80 a'), enexNote('Two', 'NOTE 80 b')));
    await scan('Work.enex');
    place.write('Work.enex', enex(enexNote('One', 'NOTE 80 a')));
    const { listed } = await scan('Work.enex');
    expect(listed).toContainEqual({ name: 'Work.enex/Two.md', status: 'gone', detail: '' });
  });

  it('leaves nothing behind in a dry run', async () => {
    place.write('Work.enex', enex(enexNote('One', 'NOTE 80 a')));
    await place.json(['scan', '--dry-run', '--source', join(place.folder, 'Work.enex')]);
    expect(existsSync(place.root)).toBe(false);
  });
});

describe('a damaged or hostile export of Evernote', () => {
  it('that is truncated yields the notes before the end, and the rest is listed', async () => {
    const whole = enex(enexNote('One', 'NOTE 80 a'), enexNote('Two', 'NOTE 80 long text'));
    place.write('Work.enex', whole.slice(0, whole.indexOf('long text') + 4));
    const answer = await scan('Work.enex');
    expect(answer).toMatchObject({ files: 2 });
    expect(JSON.stringify(answer['listed'])).toContain('ends inside a note');
    expect(bodyOf((await approve())['Knowledge/Notes/Work/Two.md'])).toBe('NOTE 80 long');
  });

  it('expands no entities of its document type', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "${'x'.repeat(100)}"><!ENTITY b "&a;&a;&a;">]>`;
    place.write('Work.enex', `${bomb}${enex(enexNote('One', 'NOTE 80 &b;'))}`);
    expect(await scan('Work.enex')).toMatchObject({ files: 1 });
    expect(bodyOf((await approve())['Knowledge/Notes/Work/One.md'])).toBe('NOTE 80 \\&b;');
  });

  it('with elements nested too deeply keeps the text of that note as a file', async () => {
    const deep = `${'<div>'.repeat(5000)}NOTE 80 deep`;
    place.write('Work.enex', enex(enexNote('Deep', deep), enexNote('Two', 'NOTE 80 b')));
    const answer = await scan('Work.enex');
    expect(answer).toMatchObject({ files: 2 });
    expect(JSON.stringify(answer['listed'])).toContain('nested too deeply');
    await place.run(['approve', '--approve-all']);
    expect((await approve())['Knowledge/Notes/Work/Two.md']).toContain('NOTE 80 b');
  });

  it('that is nested too deeply itself is refused as a whole, and other files are read', async () => {
    place.write('notes/Work.enex', '<a>'.repeat(1000));
    place.write('notes/other.md', 'NOTE 80\n');
    const answer = await place.json(['scan', '--source', place.notes]);
    expect(answer).toMatchObject({ files: 1 });
    expect(JSON.stringify(answer['listed'])).toContain('the elements of the export are nested too deeply');
  });

  it('keeps text outside of notes as a listed remainder', async () => {
    place.write('Work.enex', enex('stray words', enexNote('One', 'NOTE 80 a')));
    const { listed } = await scan('Work.enex');
    expect(JSON.stringify(listed)).toContain('text outside of notes');
  });
});
