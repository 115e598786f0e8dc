import type { Story, StoryReference } from '../stories/story-schema.ts';
import { itemLines } from './item-markdown.ts';
import { markdownDocument, plainText, untrusted, untrustedNote } from './markdown-text.ts';

export function writeStory(story: Story): string {
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

function digestLines({ text, updatedAt, contradictions }: NonNullable<Story['digest']>): string[] {
  return [
    '',
    `Digest of ${plainText(updatedAt)}: ${plainText(text)}`,
    ...(contradictions.length === 0 ? [] : ['', 'Contradictions:', '']),
    ...contradictions.map(({ statement }) => `- ${plainText(statement)}`),
  ];
}

function referenceLines(label: string, references: readonly StoryReference[]): string[] {
  if (references.length === 0) return [];
  const lines = references.map(
    ({ publicId, title, relation }) => `- ${publicId}: ${plainText(title)} (${plainText(relation)})`,
  );
  return ['', label, '', ...lines];
}
