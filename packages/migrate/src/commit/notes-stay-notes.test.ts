import { writeFileSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

async function committed(...flags: readonly string[]): Promise<readonly string[]> {
  await place.run(['scan', '--source', place.notes, ...flags]);
  await place.run(['approve', '--approve-all']);
  return Object.keys(place.knowledge()).sort();
}

async function idOf(source: string): Promise<string> {
  const { stdout } = await place.run(['status', '--list', '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; source: string });
  return lines.find((line) => line.source === source)?.id ?? '';
}

const sections = (...words: readonly string[]): string =>
  words
    .map((word, at) => `## Part ${at}\n\n${word} in a sentence that is long enough to be a topic.\n`)
    .join('\n');

describe('a note stays one note', () => {
  it('a note of one topic stays whole, for any number of sections', async () => {
    place.write('notes/Tea.md', `# Tea\n\n${sections(...Array.from({ length: 19 }, () => 'Ideas 80'))}`);
    expect(await committed()).toEqual(['Knowledge/Ideas/Tea.md']);
  });

  it('a note stays whole if its parts have another topic only with low confidence', async () => {
    place.write('notes/Tea.md', `# Tea\n\n${sections('Ideas 80', 'GOALS 60', 'HEALTH 50')}`);
    expect(await committed()).toEqual(['Knowledge/Ideas/Tea.md']);
  });

  it('a note stays whole if only one part of it belongs to a list', async () => {
    const text = `# Tea\n\n${sections('Ideas 80', 'Ideas 80', 'GOALS 90', 'Ideas 80', 'Ideas 70')}`;
    place.write('notes/Tea.md', text);
    expect(await committed()).toEqual(['Knowledge/Ideas/Tea.md']);
  });

  it('a note is cut if its sections belong to different lists; the rest stays together', async () => {
    const parts = ['Ideas 80', 'GOALS 90', 'GOALS 90', 'BOOKS 90'];
    place.write('notes/Life.md', `# Life\n\n${sections(...parts)}`);
    expect(await committed()).toEqual([
      'Foundation/GOALS.md',
      'Knowledge/Ideas/Life.md',
      'Preferences/BOOKS.md',
    ]);
    const rest = place.read('knowledge/Knowledge/Ideas/Life.md');
    expect([0, 1, 2, 3].filter((part) => rest.includes(`Part ${part}`))).toEqual([0]);
  });

  it('a note stays whole if its sections belong to more than three targets', async () => {
    const text = sections('GOALS 80', 'BOOKS 80', 'WISDOM 80', 'SPARKS 90');
    place.write('notes/Life.md', `# Life\n\n${text}`);
    expect(await place.json(['scan', '--source', place.notes])).toMatchObject({ chunks: 1 });
  });

  it('a note about three lists becomes three chunks', async () => {
    place.write('notes/Life.md', `# Life\n\n${sections('GOALS 80', 'GOALS 81', 'WISDOM 80', 'SPARKS 90')}`);
    expect(await place.json(['scan', '--source', place.notes])).toMatchObject({ chunks: 3 });
  });

  it('--whole keeps a note whole, --sections cuts it', async () => {
    place.write('notes/Life.md', `# Life\n\n${sections('GOALS 80', 'WISDOM 80', 'SPARKS 90')}`);
    expect(await place.json(['scan', '--source', place.notes, '--whole', '--dry-run'])).toMatchObject({
      chunks: 1,
    });
    expect(await place.json(['scan', '--source', place.notes, '--sections', '--dry-run'])).toMatchObject({
      chunks: 3,
    });
    expect((await place.run(['scan', '--source', place.notes, '--whole', '--sections'])).code).toBe(2);
  });
});

describe('the folders of whole notes', () => {
  it('a note keeps its folder and its name, and a journal entry goes to its year', async () => {
    place.write('notes/Garden/Beds/README.md', 'NOTE 80 about the beds\n');
    place.write('notes/Daily/2021-03-15.md', 'JOURNAL 80 rain\n');
    place.write('notes/Daily/today.md', '---\ndate: 2019-05-01\n---\nJOURNAL 80 sun\n');
    place.write('notes/Daily/log.md', '# 1 May 2020\n\nJOURNAL 80 snow\n');
    expect(await committed()).toEqual([
      'Journal/2019/today.md',
      'Journal/2020/log.md',
      'Journal/2021/2021-03-15.md',
      'Knowledge/Notes/Garden/Beds/README.md',
    ]);
    expect(place.read('knowledge/Journal/2021/2021-03-15.md')).toContain('type: "journal"');
    await place.run(['undo']);
    expect(place.knowledge()).toEqual({});
  });

  it('notes with equal text in different folders are not duplicates, but a second copy of one note is', async () => {
    place.write('notes/2021-03-15.md', 'JOURNAL 80\n');
    place.write('notes/2021-03-16.md', 'JOURNAL 80\n');
    place.write('knowledge/Journal/2021-03-16.md', 'JOURNAL 80\n');
    await place.run(['scan', '--source', place.notes]);
    expect(await place.json(['approve', '--approve-target', 'journal'])).toMatchObject({
      total: 1,
      waiting: [{ source: '2021-03-16.md', reason: 'duplicate' }],
    });
  });

  it('links between notes in different folders lead to the new places', async () => {
    place.write('notes/A/Plan.md', 'NOTE 80 see [[Other]], [[B/Plan]] and [text](../B/Other.md)\n');
    place.write('notes/B/Plan.md', 'NOTE 80\n');
    place.write('notes/B/Other.md', 'JOURNAL 80 [back](../A/Plan.md)\n');
    place.write('notes/B/2020-01-02.md', 'JOURNAL 80\n');
    await committed();
    expect(place.read('knowledge/Knowledge/Notes/A/Plan.md')).toMatch(
      /see \[\[Other\]\], \[\[Knowledge\/Notes\/B\/Plan\|Plan\]\] and \[text\]\(..\/..\/..\/Journal\/\d{4}\/Other.md\)/,
    );
  });

  it('an existing knowledge base with such folders is recognised and used', async () => {
    place.write('knowledge/KNOWLEDGE/notes/old.md', 'x\n');
    place.write('knowledge/journal/2020/2020-01-01.md', 'x\n');
    place.write('notes/a.md', 'NOTE 80\n');
    place.write('notes/2020-01-02.md', 'JOURNAL 80\n');
    expect(await committed()).toEqual([
      'KNOWLEDGE/notes/a.md',
      'KNOWLEDGE/notes/old.md',
      'journal/2020/2020-01-01.md',
      'journal/2020/2020-01-02.md',
    ]);
  });
});

it('a journal of one year stays one note', async () => {
  place.write('notes/Diary.txt', '2019-01-13\nJOURNAL 80 rain\n\n2019-02-14\nJOURNAL 80 sun\n');
  expect(await committed()).toEqual(['Journal/2019/Diary.md']);
});

it('in a journal of several years every entry is a chunk, whole, and named after the journal and its date', async () => {
  const day = (date: string): string =>
    `${date}\n${'Ideas 80 and a long day. '.repeat(20)}\n\n${'More. '.repeat(60)}\n\n`;
  place.write('notes/Diary.txt', ['2019年1月13日 星期日', '1/17/20', '20210128'].map(day).join(''));
  expect(await committed()).toEqual([
    'Knowledge/Ideas/Diary – 1-17-20.md',
    'Knowledge/Ideas/Diary – 2019年1月13日 星期日.md',
    'Knowledge/Ideas/Diary – 20210128.md',
  ]);
});

it('people and companies keep their names, and two of one name get their folder as a suffix', async () => {
  place.write('notes/Work/Anna Kowalska.md', 'People 80 met at work\n');
  place.write('notes/Family/Anna Kowalska.md', 'People 80 my cousin\n');
  place.write('notes/ACME GmbH.md', 'Companies 80\n');
  expect(await committed()).toEqual([
    'Knowledge/Companies/ACME GmbH.md',
    'Knowledge/People/Anna Kowalska (Work).md',
    'Knowledge/People/Anna Kowalska.md',
  ]);
});

const front =
  '---\ntype: book\nauthor: "[[Herbert]]"\nrating: 5 # of 5\ntags: [sf, dune]\nsource: https://example.org\n---\n';

describe('front matter', () => {
  it('front matter of a whole note is unchanged, with missing fields added', async () => {
    place.write('notes/Dune.md', `${front}Ideas 80 sand\n`);
    await committed();
    expect(place.read('knowledge/Knowledge/Ideas/Dune.md')).toMatch(
      /^---\ntype: book\nauthor: "\[\[Herbert\]\]"\nrating: 5 # of 5\ntags: \[sf, dune\]\nsource: https:\/\/example.org\ntitle: "Dune"\nmigrated_from: "Dune.md"\ncreated: "[^"]+"\nmodified: "[^"]+"\nmigrated: "[^"]+"\n---\n\n<!--/,
    );
  });

  it('front matter of a note in a shared file is a list under its heading', async () => {
    place.write('notes/Dune.md', `${front}BOOKS 80 sand\n`);
    await committed();
    expect(place.read('knowledge/Preferences/BOOKS.md')).toMatch(
      /-->\n## Dune\n\n- type: book\n- author: \[\[Herbert\]\]\n- rating: 5\n- tags: #sf, #dune\n- source: https:\/\/example.org\n\nBOOKS 80 sand\n$/,
    );
  });

  const only = '---\ncategory: Ideas 80\nby: "[[Ann]]"\ncreated: 2019-05-01\n---\n';

  it('a note of properties alone keeps them as properties, and its links follow their notes', async () => {
    place.write('notes/Dune.md', only);
    place.write('notes/Ann.md', 'unknown\n');
    expect(await committed()).toEqual(['Knowledge/Ideas/Dune.md']);
    const text = place.read('knowledge/Knowledge/Ideas/Dune.md');
    expect(text).toMatch(
      /^---\ncategory: Ideas 80\nby: "\[\[Ann\]\]"\ncreated: 2019-05-01\ntype: "idea"\n[^]*?\n---\n\n<!--.*-->\n$/,
    );
    expect(text.match(/^created/gm)).toHaveLength(1);
    await place.run(['approve', '--modify', await idOf('Ann.md'), '--target', 'WISDOM']);
    expect(place.read('knowledge/Knowledge/Ideas/Dune.md')).toContain('\nby: "[[WISDOM#Ann|Ann]]"\n');
    await place.run(['undo', '--all']);
    expect(place.knowledge()).toEqual({});
  });

  it('a note of properties alone is a list in a shared file, and its links follow their notes', async () => {
    place.write('notes/Dune.md', only.replace('Ideas 80', 'BOOKS 80'));
    place.write('notes/Ann.md', 'unknown\n');
    await committed();
    const written = (link: string): string =>
      `-->\n## Dune\n\n- category: BOOKS 80\n- by: ${link}\n- created: 2019-05-01\n`;
    expect(place.read('knowledge/Preferences/BOOKS.md')).toContain(written('[[Ann]]'));
    await place.run(['approve', '--modify', await idOf('Ann.md'), '--target', 'WISDOM']);
    expect(place.read('knowledge/Preferences/BOOKS.md')).toContain(written('[[WISDOM#Ann|Ann]]'));
    await place.run(['undo', '--all']);
    expect(place.knowledge()).toEqual({});
  });

  it('a note of properties alone in a shared file loses no name without a value, no comment and no digit', async () => {
    place.write('notes/a.md', '---\nabout: BOOKS 80\nvia:\n---\n');
    place.write('notes/b.md', '---\nabout: BOOKS 81\nisbn: 0201 # first\n---\n');
    await committed();
    const books = place.read('knowledge/Preferences/BOOKS.md');
    expect(books).toContain('## a\n\n- about: BOOKS 80\n- via:\n');
    expect(books).toContain('## b\n\n````yaml\nabout: BOOKS 81\nisbn: 0201 # first\n````\n');
  });

  it('the same note of properties is a duplicate of the committed one', async () => {
    place.write('knowledge/Knowledge/Notes/Dune.md', only.replace('Ideas 80', 'NOTE 80'));
    place.write('notes/Dune.md', only.replace('Ideas 80', 'NOTE 80'));
    await place.run(['scan', '--source', place.notes]);
    expect(await place.json(['approve', '--approve-all'])).toMatchObject({
      total: 0,
      waiting: [{ reason: 'duplicate' }],
    });
  });

  it('front matter that is not YAML becomes text', async () => {
    place.write('notes/Template.md', '---\n{{date}}: [\n---\nIdeas 80\n');
    await committed();
    expect(place.read('knowledge/Knowledge/Ideas/Template.md')).toContain(
      '````yaml\n{{date}}: [\n````\n\nIdeas 80',
    );
  });
});

describe('the title of a note in a shared file', () => {
  it('is added above the heading of a part, and links lead to it', async () => {
    place.write('notes/The Trial.md', `${front}## Quotes\n\nBOOKS 80\n\n## Plot\n\nA trial.\n`);
    place.write('notes/Links.md', '# Links\n\nBOOKS 80\n');
    place.write('notes/Dune.md', '# Dune, the novel\n\nBOOKS 80\n');
    place.write('notes/a.md', 'Ideas 80 [[The Trial]] [[The Trial#Plot]] [[Dune]]\n');
    await committed();
    const books = place.read('knowledge/Preferences/BOOKS.md');
    expect(books).toMatch(/-->\n# The Trial\n\n- type: book\n[^]*?\n\n## Quotes\n\nBOOKS 80\n\n## Plot\n/);
    expect(books).toMatch(/-->\n# Dune, the novel\n\nBOOKS 80\n/);
    expect(books.match(/^# Links$/gm)).toHaveLength(1);
    expect(place.read('knowledge/Knowledge/Ideas/a.md')).toContain(
      '[[BOOKS#The Trial|The Trial]] [[BOOKS#Plot|The Trial]] [[BOOKS#Dune, the novel|Dune]]',
    );
    await place.run(['undo', '--all']);
    expect(place.knowledge()).toEqual({});
  });
});

describe('links', () => {
  it('links point to the new places of the notes, in their original form', async () => {
    place.write('notes/People/Anna.md', 'People 80\n');
    place.write('notes/Aims/Run far.md', 'GOALS 80\n');
    place.write(
      'notes/Start.md',
      'Ideas 80: [[Anna]], [[People/Anna|her]], [[Run far]], [run](Aims/Run%20far.md), [a](People/Anna.md "x"), `[[Anna]]`, [web](https://example.org).\n',
    );
    await committed();
    expect(place.read('knowledge/Knowledge/Ideas/Start.md')).toContain(
      'Ideas 80: [[Anna]], [[Anna|her]], [[GOALS#Run far|Run far]], [run](../../Foundation/GOALS.md#run-far), [a](../People/Anna.md "x"), `[[Anna]]`, [web](https://example.org).\n',
    );
  });

  it('links to notes that are committed later are written then, and undone with them', async () => {
    place.write('notes/Anna.md', 'unknown\n');
    place.write('notes/Start.md', 'GOALS 80: see [her](Anna.md) and [[Nobody]].\n');
    await committed();
    const before = place.knowledge();
    expect(before['Foundation/GOALS.md']).toContain('see [her](Anna.md)');
    const status = await place.json(['status']);
    expect(status['links']).toEqual([
      { source: 'Start.md', raw: '[[Nobody]]', state: 'missing' },
      { source: 'Start.md', raw: '[her](Anna.md)', state: 'waiting' },
    ]);
    expect(place.read('knowledge/.migration/report.md')).toContain(
      '## Links to notes that are not committed yet\n\n- `Start.md`: `[her](Anna.md)`\n\n## Links to files that were not scanned (unchanged)\n\n- `Start.md`: `[[Nobody]]`\n',
    );
    await place.run(['approve', '--modify', await idOf('Anna.md'), '--target', 'People']);
    expect(place.read('knowledge/Foundation/GOALS.md')).toContain('see [her](../Knowledge/People/Anna.md)');
    await place.run(['undo']);
    expect(place.knowledge()).toEqual(before);
    await place.run(['undo']);
    expect(place.knowledge()).toEqual({});
  });

  it('links in text that the user has edited are not changed', async () => {
    place.write('notes/Anna.md', 'unknown\n');
    place.write('notes/Start.md', 'Ideas 80: see [her](Anna.md).\n');
    await committed();
    const path = `${place.root}/Knowledge/Ideas/Start.md`;
    const edited = place.read('knowledge/Knowledge/Ideas/Start.md').replace('see', 'look at');
    writeFileSync(path, edited);
    await place.run(['approve', '--modify', await idOf('Anna.md'), '--target', 'People']);
    expect(place.read('knowledge/Knowledge/Ideas/Start.md')).toBe(edited);
  });
});

describe('attachments', () => {
  it('attachments are copied once, byte for byte, and removed with the last note that refers to them', async () => {
    const picture = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 256));
    place.write('notes/img/pic.png', picture);
    place.write('notes/a.md', 'Ideas 80 ![[pic.png]]\n');
    place.write('notes/b.md', 'GOALS 80 ![p](img/pic.png)\n');
    place.write('notes/unused.pdf', 'x');
    expect(await committed()).toEqual(['Attachments/pic.png', 'Foundation/GOALS.md', 'Knowledge/Ideas/a.md']);
    expect(place.knowledge()['Attachments/pic.png']).toBe(picture.toString('latin1'));
    expect(place.read('knowledge/Foundation/GOALS.md')).toContain('![p](../Attachments/pic.png)');
    expect(place.read('knowledge/Knowledge/Ideas/a.md')).toContain('![[pic.png]]');
    await place.run(['undo', '--all']);
    expect(place.knowledge()).toEqual({});
  });

  it('attachments of one name and different content get different names, and existing files are not changed', async () => {
    place.write('knowledge/Attachments/pic.png', 'mine');
    place.write('notes/1/pic.png', 'one');
    place.write('notes/2/pic.png', 'two');
    place.write('notes/1/a.md', 'Ideas 80 one ![](pic.png)\n');
    place.write('notes/2/b.md', 'Ideas 80 ![](pic.png)\n');
    await committed();
    const knowledge = place.knowledge();
    expect([
      knowledge['Attachments/pic.png'],
      knowledge['Attachments/pic (2).png'],
      knowledge['Attachments/pic (3).png'],
    ]).toEqual(['mine', 'one', 'two']);
    expect(knowledge['Knowledge/Ideas/b.md']).toContain('![](../../Attachments/pic%20(3).png)');
    await place.run(['undo']);
    expect(place.knowledge()).toEqual({ 'Attachments/pic.png': 'mine' });
  });
});
