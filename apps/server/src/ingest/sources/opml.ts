import { generateOpml, parseOpml } from 'feedsmith';

import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { SourceSettings } from './source.ts';
import { feedAddressOf, settingsFor } from './source.ts';

export interface OpmlContents {
  readonly sources: readonly SourceSettings[];
  /** Addresses of outlines that cannot be requested. */
  readonly unusable: readonly string[];
}

interface Outline {
  readonly text?: string | undefined;
  readonly title?: string | undefined;
  readonly xmlUrl?: string | undefined;
  readonly htmlUrl?: string | undefined;
  readonly language?: string | undefined;
  readonly outlines?: readonly Outline[] | undefined;
}

const charsMax = 10_000_000;
const outlinesMax = 100_000;

/** Reads the feeds of an OPML file; folders are ignored. */
export function readOpml(text: string): Result<OpmlContents, 'not OPML'> {
  const sources: SourceSettings[] = [];
  const unusable: string[] = [];
  let outlines: readonly Outline[];
  try {
    outlines = parseOpml(text.slice(0, charsMax)).body?.outlines ?? [];
  } catch {
    return refused('not OPML');
  }
  // Folders can be nested; a list instead of recursion bounds both depth and number.
  const waiting = [...outlines];
  for (let seen = 0; waiting.length > 0 && seen < outlinesMax; seen += 1) {
    const outline = waiting.shift();
    if (outline === undefined) break;
    waiting.push(...(outline.outlines ?? []));
    if (outline.xmlUrl === undefined) continue;
    const address = feedAddressOf(outline.xmlUrl);
    if (address === null) unusable.push(outline.xmlUrl.slice(0, 200));
    else sources.push(settingsOf(outline, address));
  }
  return accepted({ sources, unusable });
}

function settingsOf({ title, text, htmlUrl, language }: Outline, address: URL): SourceSettings {
  const name = [title, text].map((one) => one?.trim()).find((one) => one !== undefined && one !== '');
  return settingsFor(address, {
    ...(name !== undefined && { name }),
    homepageUrl: htmlUrl === undefined ? null : (feedAddressOf(htmlUrl)?.href ?? null),
    language: /^[a-z]{2,3}(?:-[\w-]{1,20})?$/iu.test(language ?? '') ? (language ?? null) : null,
  });
}

export interface OpmlExport {
  readonly opml: string;
  readonly feeds: number;
  /** Names of the sources whose lists are pages or JSON, which feed readers cannot read. */
  readonly leftOut: readonly string[];
}

export function writeOpml(sources: readonly SourceSettings[]): OpmlExport {
  const feeds = sources.filter(({ form }) => form.kind === 'feed');
  const leftOut = sources.filter(({ form }) => form.kind !== 'feed').map(({ name }) => name);
  const opml = generateOpml({
    head: { title: 'Sources of this Daybook' },
    body: {
      outlines: feeds.map(({ name, feedUrl, homepageUrl, language }) => ({
        type: 'rss',
        text: name,
        title: name,
        xmlUrl: feedUrl,
        ...(homepageUrl !== null && { htmlUrl: homepageUrl }),
        ...(language !== null && { language }),
      })),
    },
  });
  return { opml, feeds: feeds.length, leftOut };
}
