export { writeChanges } from './changes-markdown.ts';
export { writeHotTopics, writeItems } from './item-markdown.ts';
export { markdownDocument, untrustedNote } from './markdown-text.ts';
export { writeReport } from './report-markdown.ts';
export { writeStory } from './story-markdown.ts';
