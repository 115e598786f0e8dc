import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import type { Expectations } from './assertion.ts';
import { feedparserExpectations, feedparserHeaders } from './feedparser-expectations.ts';
import { gofeedExpectations } from './gofeed-expectations.ts';

export interface FeedFile {
  /** Path below the folder of all documents. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  /** As the document would be reached. */
  readonly url: string;
  readonly expectations: Expectations;
}

const none: Expectations = { assertions: [], exclusions: [] };

export function* readFeedFiles(folder: string): Generator<FeedFile> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    yield feedFile(folder, path);
  }
}

function feedFile(folder: string, absolute: string): FeedFile {
  const path = relative(folder, absolute);
  const bytes = readFileSync(absolute);
  const plain = { path, bytes, contentType: null, url: `http://127.0.0.1:8097/${path}` };
  if (path.startsWith('feedparser/')) {
    const headers = feedparserHeaders(bytes);
    return {
      ...plain,
      contentType: headers.get('content-type') ?? null,
      url: webAddress(headers.get('content-location'), plain.url),
      expectations: feedparserExpectations(path, bytes),
    };
  }
  if (!path.startsWith('gofeed/')) return { ...plain, expectations: none };
  const json = absolute.replace(/\.(?:xml|json)$/u, absolute.endsWith('.json') ? '_expected.json' : '.json');
  const hasExpectation = json !== absolute && existsSync(json);
  return {
    ...plain,
    expectations: hasExpectation ? gofeedExpectations(path, readFileSync(json, 'utf8')) : none,
  };
}

function webAddress(location: string | undefined, url: string): string {
  const resolved = URL.parse(location ?? '', url);
  return resolved?.protocol === 'http:' ? resolved.href : url;
}
