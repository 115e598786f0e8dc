import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { dataPath } from '@daybook/evidence';

import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { parseFeed } from '../../../apps/server/src/ingest/parse/parse-feed.ts';
import { nextMatchingDispatch } from './newsroom-stage.ts';
import type { ArticleWording } from './scripted-outlets.ts';

const textCharsMin = 80;

/**
 * Titles and texts for a burst of articles: first the entries of real feed documents, then real titles, where the
 * machine has these data sets, and the rest from the simulated world. All titles differ.
 */
export function burstWordings(root: string, count: number): readonly ArticleWording[] {
  const wordings = new Map<string, ArticleWording>();
  const add = (wording: ArticleWording): boolean => {
    wordings.set(wording.title, wording);
    return wordings.size < count;
  };
  addReal(root, add);
  const nextDispatch = nextMatchingDispatch(() => true);
  while (wordings.size < count) {
    const { title, body } = nextDispatch();
    add({ title, text: body() });
  }
  return [...wordings.values()].slice(0, count);
}

/** `add` returns whether more are needed. */
function addReal(root: string, add: (wording: ArticleWording) => boolean): void {
  const [feeds, replay] = [dataPath(root, 'feeds'), dataPath(root, 'replay/ai-news-34-days.jsonl')];
  if (existsSync(feeds)) for (const wording of feedEntries(feeds)) if (!add(wording)) return;
  const lines = existsSync(replay) ? readFileSync(replay, 'utf8').trim().split('\n') : [];
  for (const line of lines) {
    const { title } = JSON.parse(line) as { readonly title: string };
    if (!add({ title, text: '' })) return;
  }
}

function* feedEntries(folder: string): Generator<ArticleWording> {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const feed = parseFeed({
      bytes: readFileSync(join(file.parentPath, file.name)),
      contentType: null,
      url: 'http://feed.example/',
      receivedAt: systemClock.now(),
    });
    if (!feed.ok) continue;
    for (const { title, content, summary } of feed.value.entries) {
      const text = content.length >= summary.length ? content : summary;
      if (title !== '' && text.length >= textCharsMin) yield { title, text };
    }
  }
}
