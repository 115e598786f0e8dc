import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { send } from '../../../apps/server/test/accounts-stage.ts';

/** A folder for the files of a stage, and the settings that name it. */
export function fileStorage(): {
  readonly settings: Readonly<Record<string, string>>;
  readonly remove: () => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-prove-views-'));
  return {
    settings: { DAYBOOK_STORAGE_FOLDER: folder },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Fills a project by forms as a browser does; returns the addresses of the pages of its files. */
export async function fillFiles(
  port: number,
  organization: string,
  cookie: string,
): Promise<readonly string[]> {
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  const home = `/platform/${organization}`;
  const sent = async (path: string, form: Readonly<Record<string, string>> = {}): Promise<string> =>
    String((await send(port, path, { form, headers })).headers.location);
  const project = await sent(`${home}/projects`, { name: 'Field notes' });
  const gone = await sent(`${home}/projects`, { name: 'Deleted plans' });
  await sent(`${gone}/remove`);
  const folder = await sent(`${project}/folders`, { name: 'Drafts' });
  const old = await sent(`${project}/folders`, { name: 'Old' });
  await sent(`${old}/remove`);
  await sent(`${project}/quota`, { megabytes: '100' });
  return [
    `${home}/projects`,
    project,
    folder,
    `${project}/trash`,
    `${project}/share`,
    `${project}/search?name=d`,
    `${home}/deleted-projects`,
    `${home}/quotas`,
    `${home}/shared`,
  ];
}
