import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';
import { zip64Of, zipOf } from '../../test/zip-file.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

const scan = (name = 'export.zip'): Promise<Record<string, unknown>> =>
  place.json(['scan', '--source', join(place.folder, name)]);

describe('an archive', () => {
  it('an archive is scanned like a folder, with its attachments and times, and once for the same content', async () => {
    const files = [
      { name: 'Daily/2020-05-17.md', content: 'JOURNAL 80 ![[p.png]]\n' },
      { name: 'Daily/p.png', content: Buffer.from([1, 0, 2]) },
    ];
    place.write('export.zip', zipOf(...files));
    expect(await scan()).toMatchObject({ files: 1, added: 1 });
    expect(await scan()).toMatchObject({ files: 1, added: 0 });
    await place.run(['approve', '--approve-all']);
    expect(Object.keys(place.knowledge()).sort()).toEqual([
      'Attachments/p.png',
      'Journal/2020/2020-05-17.md',
    ]);
    const { mtimeMs } = statSync(join(place.root, 'Journal/2020/2020-05-17.md'));
    expect(mtimeMs / 1000).toBe(1_589_673_600);
  });

  it('an archive with ZIP64 records is scanned like others, and a wrong record is refused', async () => {
    const files = [
      { name: 'a.md', content: 'NOTE 80 a\n' },
      { name: 'b/c.md', content: 'NOTE 80 c\n' },
    ];
    const archive = zip64Of(...files);
    place.write('export.zip', archive);
    expect(await scan()).toMatchObject({ files: 2, added: 2, listed: [] });
    archive.writeBigUInt64LE(2n ** 60n, archive.length - 22 - 76 + 48);
    place.write('export.zip', archive);
    const { code, stderr } = await place.run(['scan', '--source', join(place.folder, 'export.zip')]);
    expect([code, stderr]).toEqual([1, 'the directory of the archive is damaged\n']);
  });

  it('an archive in an archive is unpacked, and names of exports lose their ids', async () => {
    const id = 'a'.repeat(32);
    const inner = zipOf({ name: `Work ${id}/Plan ${id}.md`, content: 'NOTE 80\n' });
    place.write('export.zip', zipOf({ name: 'Export-1-Part-1.zip', content: inner }));
    await scan();
    await place.run(['approve', '--approve-all']);
    expect(Object.keys(place.knowledge())).toEqual(['Knowledge/Notes/Work/Plan.md']);
  });

  it('an archive of text bundles gives notes with the names of the bundles', async () => {
    const bundle = 'Backup.bear2bk/My note.textbundle';
    const files = [
      { name: `${bundle}/text.md`, content: 'NOTE 80 ![](assets/a.png)\n' },
      { name: `${bundle}/assets/a.png`, content: Buffer.from([1, 0]) },
    ];
    place.write('backup.bear2bk', zipOf(...files));
    await scan('backup.bear2bk');
    await place.run(['approve', '--approve-all']);
    expect(Object.keys(place.knowledge()).sort()).toEqual([
      'Attachments/a.png',
      'Knowledge/Notes/My note.md',
    ]);
  });
});

describe('a hostile archive', () => {
  it('a hostile archive cannot write outside its folder, make links or hide damaged and encrypted files', async () => {
    const content = 'NOTE 80\n';
    const files = [
      { name: '../../escape.md', content },
      { name: '/absolute.md', content },
      { name: '..\\windows.md', content },
      { name: 'C:/drive.md', content },
      { name: 'link.md', content: '/etc/passwd', isLink: true as const },
      { name: 'locked.md', content, isEncrypted: true as const },
      { name: 'damaged.md', content, crc: 1 },
      { name: 'larger.md', content: content.repeat(1000), size: 10 },
      { name: 'good.md', content },
      { name: 'good.md', content },
    ];
    place.write('export.zip', zipOf(...files));
    const answer = await scan();
    expect(answer).toMatchObject({ files: 1, added: 1 });
    const listed = (answer['listed'] as { name: string }[]).map(({ name }) => name).sort();
    expect(listed).toHaveLength(9);
    expect(readdirSync(place.folder).sort()).toEqual(['export.zip', 'knowledge']);
    expect(readdirSync(place.root)).toEqual(['.migration']);
  });

  it.each(['...zip', '..zip', '.zip', 'a/...zip'])(
    'an archive named %s in an archive is unpacked in its own folder',
    async (name) => {
      const innermost = zipOf({ name: 'planted.md', content: 'NOTE 80 planted\n' });
      const inner = zipOf({ name, content: innermost });
      place.write('export.zip', zipOf({ name, content: inner }));
      expect(await scan()).toMatchObject({ files: 1, added: 1 });
      const outside = readdirSync(join(place.root, '.migration'), { recursive: true, encoding: 'utf8' });
      const planted = outside.filter((path) => path.endsWith('planted.md'));
      expect(planted).toHaveLength(1);
      expect(planted[0]).toMatch(/^unpacked\/[0-9a-f]{16}\/.+\/planted\.md$/);
    },
  );

  it('an archive that grows too much is refused as a whole and leaves no file', async () => {
    const zeros = Buffer.alloc(30 * 1024 * 1024);
    place.write('export.zip', zipOf({ name: 'a.md', content: zeros }, { name: 'b.md', content: zeros }));
    const { code, stderr } = await place.run(['scan', '--source', join(place.folder, 'export.zip')]);
    expect([code, stderr]).toEqual([1, 'the archive is too large when unpacked\n']);
    expect(readdirSync(join(place.root, '.migration/unpacked'))).toEqual([]);
  });

  it.each(['', 'no archive', 'PK\u0005\u0006'])('that is damaged (%j) is named as such', async (content) => {
    place.write('export.zip', content);
    const { code, stderr } = await place.run(['scan', '--source', join(place.folder, 'export.zip')]);
    expect(code).toBe(1);
    expect(stderr).toContain('not a zip archive');
  });
});
