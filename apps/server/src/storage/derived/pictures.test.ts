import { deflateSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { pdfOf } from '../../../test/document-files.ts';
import { expectProblem } from '../../../test/http-client.ts';
import { noSandbox } from '../../../test/no-sandbox.ts';
import { createGif, createPng, pngChunk } from '../../../test/pictures.ts';
import type { TestStorage } from '../../../test/storage.ts';
import { startTestStorage } from '../../../test/storage.ts';
import { emptyTrash } from '../trash/empty-trash.ts';
import { verifyStorage } from '../verify-storage.ts';

let stage: TestStorage;
let project: string;
beforeAll(async () => {
  stage = await startTestStorage();
  project = (await stage.newProject()).id;
});
afterAll(() => stage.stop());

let made = 0;
const newFile = async (bytes: Buffer, type: string): Promise<string> => {
  const { id } = await stage.newFile(project, `file ${(made += 1)}`, bytes, `mediaType=${type}`);
  await stage.inspectAll();
  await stage.deriveAll();
  return id;
};
const pictureOf = (id: string, headers = stage.owner) =>
  stage.send('GET', `/api/v1/files/${id}/picture`, headers);
/** Width and height of a JPEG file. */
function sizeOf(jpeg: Buffer): readonly [number, number] {
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
}
const rows = async (): Promise<number> =>
  Number(
    (await stage.database.asSuperuser('SELECT count(*)::int AS rows FROM storage.content_picture'))[0]?.[
      'rows'
    ],
  );
/** With transparency: four channels. */
function transparentPng(width: number, height: number): Buffer {
  const plain = createPng({ width, height });
  const header = Buffer.from(plain.subarray(16, 29));
  header[9] = 6;
  const pixels = deflateSync(Buffer.alloc((width * 4 + 1) * height, 1));
  const start = plain.subarray(0, 8);
  return Buffer.concat([
    start,
    pngChunk('IHDR', header),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

describe.skipIf(noSandbox !== null)('the small picture of a file', () => {
  test('is drawn of PNG pictures with and without transparency, of JPEG and GIF pictures, and of the first page of a PDF', async () => {
    const png = await newFile(createPng({ width: 800, height: 400 }), 'image/png');
    const drawn = await pictureOf(png);
    expect([drawn.status, drawn.headers['content-type']]).toEqual([200, 'image/jpeg']);
    expect(sizeOf(drawn.body)).toEqual([320, 160]);
    const jpeg = await newFile(drawn.body, 'image/jpeg');
    expect((await pictureOf(jpeg)).status).toBe(200);
    expect((await pictureOf(await newFile(transparentPng(60, 30), 'image/png'))).status).toBe(200);
    const palette = Buffer.alloc(768, 200);
    const gif = createGif({ width: 80, height: 20, indexAt: (x) => x, palette });
    const small = await pictureOf(await newFile(gif, 'image/gif'));
    expect([small.status, sizeOf(small.body)]).toEqual([200, [320, 80]]);
    const pdf = await pictureOf(await newFile(pdfOf('first page', 'second page'), 'application/pdf'));
    expect([pdf.status, Math.max(...sizeOf(pdf.body))]).toEqual([200, 320]);
    expect(pdf.headers['content-security-policy']).toContain('sandbox');
  });

  test('404: of other files, of damaged ones, and for callers who cannot read the file', async () => {
    expectProblem(await pictureOf(await newFile(Buffer.from('text'), 'text/plain')), 404, 'not_found');
    const damaged = createPng({ width: 800, height: 400 }).subarray(0, 30);
    expectProblem(await pictureOf(await newFile(damaged, 'image/png')), 404, 'not_found');
    const png = await newFile(createPng({ width: 40, height: 40 }), 'image/png');
    const guest = await stage.acme.addMember('guest');
    for (const headers of [guest.headers, stage.stranger])
      expectProblem(await pictureOf(png, headers), 404, 'not_found');
  });

  test('counts toward the quota of the organization once, and is deleted with the last file that has the content', async () => {
    const before = await rows();
    const png = await newFile(createPng({ width: 64, height: 32 }), 'image/png');
    expect(await rows()).toBe(before + 1);
    const other = (await stage.newProject()).id;
    const copy = await stage.send('POST', `/api/v1/files/${png}/copy`, stage.owner, { projectId: other });
    const copied = String(copy.json()['id']);
    expect((await pictureOf(copied)).status).toBe(200);
    const findings = await verifyStorage(stage.upkeep);
    expect(findings.flatMap(({ offenders }) => offenders)).toEqual([]);
    for (const id of [png, copied]) {
      expect(await rows()).toBe(before + 1);
      await stage.send('DELETE', `/api/v1/files/${id}`, stage.owner);
      await stage.send('POST', `/api/v1/files/${id}/purge`, stage.owner);
    }
    await emptyTrash(stage.upkeep);
    expect(await rows()).toBe(before);
  });

  test('409 for content that the scanner has found infected', async () => {
    const png = await newFile(createPng({ width: 90, height: 90 }), 'image/png');
    await stage.database.asSuperuser(
      `UPDATE storage.blob SET scan_state = 'infected' FROM storage.version
       WHERE version.blob_key = blob.key AND file_id = $1`,
      [png],
    );
    expectProblem(await pictureOf(png), 409, 'infected');
  });
});
