import type { Story, StoryDigest, StoryReference } from '@daybook/client/types';

import type { ItemLine } from './item-markdown.ts';
import { itemLines } from './item-markdown.ts';
import { markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';

type StoryFacts = Pick<
  Story,
  'publicId' | 'title' | 'status' | 'reportCount' | 'sourceCount' | 'firstReportAt' | 'latestAt'
>;

export interface StoryMarkdownInput extends StoryFacts {
  readonly digest: {
    readonly text: string;
    readonly updatedAt: string;
    readonly contradictions: readonly Pick<StoryDigest['contradictions'][number], 'statement'>[];
  } | null;
  readonly reports: readonly ItemLine[];
  readonly storyline: readonly Reference[];
  readonly related: readonly Reference[];
}

type Reference = Pick<StoryReference, 'publicId' | 'title' | 'relation'>;

export function writeStory(story: StoryMarkdownInput): string {
  const { digest } = story;
  return markdownDocument('Story', [
    `Id ${story.publicId}; ${story.status}; ${story.reportCount} reports by ${story.sourceCount} sources, ${story.firstReportAt} to ${story.latestAt}.`,
    untrustedNote,
    untrusted([
      `**${plainText(story.title)}**`,
      ...(digest === null ? [] : digestLines(digest)),
      '',
      'Reports, newest first:',
      '',
      ...story.reports.flatMap(itemLines),
      ...referenceLines('Same storyline:', story.storyline),
      ...referenceLines('Related:', story.related),
    ]),
  ]);
}

function digestLines({
  text,
  updatedAt,
  contradictions,
}: NonNullable<StoryMarkdownInput['digest']>): string[] {
  return [
    '',
    `Digest of ${plainText(updatedAt)}: ${plainText(text)}`,
    ...(contradictions.length === 0 ? [] : ['', 'Contradictions:', '']),
    ...contradictions.map(({ statement }) => `- ${plainText(statement)}`),
  ];
}

function referenceLines(label: string, references: readonly Reference[]): string[] {
  if (references.length === 0) return [];
  const lines = references.map(
    ({ publicId, title, relation }) => `- ${publicId}: ${plainText(title)} (${plainText(relation)})`,
  );
  return ['', label, '', ...lines];
}
