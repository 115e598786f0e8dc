import type { DatabaseSync } from 'node:sqlite';

import { dataviewChunks, foldersNow } from './move-store.ts';

/** A query whose folder was moved. The tool does not change queries: a folder may be spread over several. */
export interface DataviewWarning {
  /** The note with the query, in the knowledge base. */
  readonly path: string;
  /** The folder as the query names it. */
  readonly folder: string;
  /** What to write instead, such as `"Knowledge/Notes/Books"`. */
  readonly now: string;
}

const block = /^[ \t]*(?:```|~~~)[ \t]*dataview(?:js)?\b[^\n]*\n([^]*?)^[ \t]*(?:```|~~~)/gim;
const inline = /`(?:=|\$=)[^`\n]*`/g;
const fromClause = /\bfrom\b((?:(?!\b(?:where|sort|group by|flatten|limit)\b)[^])*)/gi;
const pagesCall = /\bdv\.pages?(?:Paths)?\(\s*(['"`])([^]*?)\1\s*\)/g;
const quoted = /["']([^"'\n]{1,300})["']/g;
const foldersShown = 4;

export function dataviewWarnings(database: DatabaseSync): readonly DataviewWarning[] {
  return dataviewChunks(database).flatMap(({ path, text }) =>
    [...new Set(queriedFolders(text))].flatMap((folder) => {
      const now = foldersNow(database, folder.replace(/\/+$/, ''));
      const isMoved = now.some((one) => one.folder !== folder && !one.folder.startsWith(`${folder}/`));
      if (!isMoved) return [];
      const names = now.slice(0, foldersShown).map((one) => `"${one.folder}"`);
      if (now.length > foldersShown) names.push('…');
      return [{ path, folder, now: names.join(' or ') }];
    }),
  );
}

/** The folders that the queries of a note read, as written. */
export function queriedFolders(text: string): readonly string[] {
  const queries = [...text.matchAll(block)].map(([, body = '']) => body);
  queries.push(...(text.match(inline) ?? []));
  return queries.flatMap((query) => [
    ...[...query.matchAll(fromClause)].flatMap(([, clause = '']) => quotedIn(clause)),
    ...[...query.matchAll(pagesCall)].flatMap(([, , argument = '']) => quotedIn(argument)),
  ]);
}

function quotedIn(clause: string): readonly string[] {
  return [...clause.matchAll(quoted)].map(([, name = '']) => name);
}
