import { Type } from 'typebox';

import { fromTimestamptz } from '../../foundation/database/timestamptz.ts';
import { notFound } from '../../foundation/http/http-problems.ts';
import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { ProblemError } from '../../foundation/problem.ts';
import type { RecordReader } from '../../record/index.ts';
import { recordCacheTags } from '../../record/index.ts';
import { apiPath } from '../addresses.ts';
import { formatInstant, jsonBody } from '../json-body.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';
import { archiveMonthsExample, ArchiveMonthsSchema } from './archive-schema.ts';

interface ArchiveFilesDeps {
  readonly record: RecordReader;
  readonly baseUrl: string;
}

/** Each completed month as a file. */
export function archiveFileRoutes(
  tools: NewsRouteTools,
  { record, baseUrl }: ArchiveFilesDeps,
): readonly RouteDeclaration[] {
  return [
    defineNewsRoute(tools, {
      path: `${apiPath}/archive/months`,
      operationId: 'listArchiveMonths',
      tag: 'archive',
      summary: 'List the files of completed months, newest first.',
      description:
        'Each file has the selected items that were received in a month of Asia/Shanghai, as JSON Lines compressed with Zstandard. When an item is withdrawn or changed, the file of its month is removed immediately and regenerated within a minute; until then, the month is not listed.',
      ok: { description: 'All files.', schema: ArchiveMonthsSchema, example: archiveMonthsExample },
      freshness: 'minute',
      resource: () => ({
        key: 'archive months',
        cacheTags: [recordCacheTags.selected],
        build: async () => {
          const months = (await record.archiveFiles()).map(({ month, items, bytes, sha256, writtenAt }) => ({
            month,
            count: items,
            bytes,
            sha256: sha256.toString('hex'),
            writtenAt: formatInstant(fromTimestamptz(writtenAt)),
            file: `${baseUrl}${archiveFilePath(month)}`,
          }));
          return jsonBody(JSON.stringify({ schemaVersion: 1, count: months.length, months }));
        },
      }),
    }),
    defineNewsRoute(tools, {
      path: archiveFilePath('{month}'),
      operationId: 'getArchiveFile',
      tag: 'archive',
      summary: 'Get the selected items of a month.',
      description: 'One item per line, oldest first, in the form of the snapshot.',
      params: Type.Object({
        month: Type.String({ pattern: String.raw`^\d{4}-\d{2}$`, description: 'Month, such as 2026-10.' }),
      }),
      ok: {
        description: 'JSON Lines, compressed with Zstandard.',
        schema: Type.String(),
        example: '',
        contentType: 'application/zstd',
      },
      problems: [notFound],
      freshness: 'five-minutes',
      resource: ({ params: { month } }) => ({
        key: `archive file ${month}`,
        cacheTags: [recordCacheTags.selected],
        build: async () => {
          const body = await record.archiveFile(month);
          if (body === null)
            throw new ProblemError(notFound, 'This month has no file, or it is being regenerated.');
          return { status: 200, contentType: 'application/zstd', body, isCompressed: true };
        },
      }),
    }),
  ];
}

function archiveFilePath(month: string): string {
  return `/archive/${month}.jsonl.zst`;
}
