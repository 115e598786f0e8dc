import type { Entry, FoundFile, Project, SignedInAnswer, StorageClient } from '@daybook/client/storage';

import { withoutEmpty } from './compact-data.ts';
import { outlineFiles, outlineFileText } from './markdown/outline.ts';
import type { McpNews, NewsAnswer } from './news.ts';
import { NewsRefused, refusalOf } from './news.ts';

interface Paged {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ListQuery extends Paged {
  readonly project?: string;
  readonly folder?: string;
}

export interface SearchQuery extends Paged {
  readonly q: string;
  readonly in?: 'text' | 'names';
  readonly project?: string;
}

const limitDefault = 20;
/** Of a search by name in all projects: each project is a request. */
const projectsMax = 50;
/** About 5,000 tokens. */
const textCharsMax = 20_000;

/** The projects, or what is in one of them or in a folder of it. */
export async function answerWithFileList(
  news: McpNews,
  { project, folder, limit = limitDefault, cursor }: ListQuery,
): Promise<NewsAnswer> {
  const client = filesOf(news);
  const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
  if (project === undefined) {
    if (folder !== undefined)
      throw new NewsRefused('invalid_request', 'Also pass the project of the folder.');
    const { data, pagination } = done(await client.listProjects({ ...page, sort: 'name' }));
    return listAnswer('Projects', data.map(projectEntry), nextOf(pagination));
  }
  const place = folder === undefined ? {} : { folderId: folder };
  const { data, pagination } = done(await client.listChildren({ project, ...place, ...page, sort: 'name' }));
  return listAnswer('Folders and files', data.map(fileEntry), nextOf(pagination));
}

/** Files by words of their text, or folders and files by parts of their names. */
export async function answerWithFileSearch(
  news: McpNews,
  { q, in: where = 'text', project, limit = limitDefault, cursor }: SearchQuery,
): Promise<NewsAnswer> {
  const client = filesOf(news);
  const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
  if (where === 'text') {
    const within = project === undefined ? {} : { projectId: project };
    const { data, pagination } = done(await client.searchTexts({ q, ...within, ...page }));
    return listAnswer('Files found by text', data.map(fileEntry), nextOf(pagination));
  }
  if (project !== undefined) {
    const { data, pagination } = done(await client.searchByName({ project, name: q, ...page }));
    return listAnswer('Found by name', data.map(fileEntry), nextOf(pagination));
  }
  return listAnswer('Found by name', await searchAllNames(client, q, limit), null);
}

async function searchAllNames(
  client: StorageClient,
  name: string,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  const { data: projects } = done(await client.listProjects({ limit: projectsMax }));
  for (const { id: project } of projects) {
    const left = limit - found.length;
    if (left <= 0) break;
    const { data } = done(await client.searchByName({ project, name, limit: left }));
    found.push(...data.map(fileEntry));
  }
  return found;
}

/** A part of the text of a file. */
export async function answerWithFileText(
  news: McpNews,
  { id, from = 0 }: { readonly id: string; readonly from?: number },
): Promise<NewsAnswer> {
  const client = filesOf(news);
  const { name } = done(await client.readFile({ id }));
  const { state, text, truncated } = done(await client.readText({ id }));
  if (state === 'pending')
    throw new NewsRefused('pending', 'A worker has not read this file yet. Try again in a minute.');
  if (text === null) throw new NewsRefused('no_text', 'This file has no text that can be read.');
  const end = endOfPart(text, from);
  const part = text.slice(from, end);
  const nextFrom = end < text.length ? end : null;
  const notes = [
    ...(nextFrom === null ? [] : [`Next part: from ${nextFrom}.`]),
    ...(nextFrom === null && truncated ? ['The file has more text than is stored.'] : []),
  ];
  const outline = outlineFileText(name, part, notes);
  return { data: { id, name, text: part, nextFrom }, outline, markdown: outline, freshForMs: 0 };
}

/** Not between the halves of a character. */
function endOfPart(text: string, from: number): number {
  const end = Math.min(text.length, from + textCharsMax);
  const isInside = /^[\udc00-\udfff]$/.test(text.charAt(end));
  return isInside ? end - 1 : end;
}

function filesOf({ files }: McpNews): StorageClient {
  if (files === undefined) throw new NewsRefused('not_offered', 'This server does not offer files.');
  return files;
}

function done<T>(answer: SignedInAnswer<T>): T {
  if (!answer.ok) throw refusalOf(answer);
  return answer.data;
}

function nextOf({
  hasMore,
  nextCursor,
}: {
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}): string | null {
  return hasMore ? nextCursor : null;
}

function projectEntry({ id, name, updatedAt }: Project): Record<string, unknown> {
  return { id, kind: 'project', name, updatedAt };
}

function fileEntry(entry: Entry | FoundFile): Record<string, unknown> {
  const { id, kind, name, projectId, folderId, size, updatedAt } = entry;
  const passages = 'passages' in entry ? entry.passages : undefined;
  return withoutEmpty({ id, kind, name, projectId, folderId, size, updatedAt, passages });
}

function listAnswer(
  title: string,
  entries: readonly Record<string, unknown>[],
  nextCursor: string | null,
): NewsAnswer {
  const notes = nextCursor === null ? [] : [`Next page: cursor \`${nextCursor}\`.`];
  const outline = outlineFiles(title, entries as unknown as Parameters<typeof outlineFiles>[1], notes);
  return { data: { entries, nextCursor }, outline, markdown: outline, freshForMs: 0 };
}
