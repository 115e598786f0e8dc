import { agentAddresses } from '../agent-index/agent-addresses.ts';
import { markdownDocument, untrustedNote } from './markdown-text.ts';

function addressLines(baseUrl: string): string {
  return agentAddresses(baseUrl)
    .map(
      ({ title, purpose, href, refreshSeconds }) =>
        `- [${title}](${href}): ${purpose} Fresh for ${refreshSeconds} s.`,
    )
    .join('\n');
}

export function writeGuide(baseUrl: string): string {
  return markdownDocument('Daybook for agents', [
    'AI-industry news, grouped into stories and compiled into daily, weekly and monthly reports. Anonymous and read-only; no key.',
    addressLines(baseUrl),
    [
      '- Start with the daily report for "what is new", with search for a question, with hot topics for "what matters now".',
      '- Ids of stories stand in the documents; never make one up. A date, week or month without a report answers 404.',
      '- Link the original of whatever you report.',
      '- Send `If-None-Match`; on 429 and 503 wait `Retry-After` seconds.',
    ].join('\n'),
    untrustedNote,
    `The same as JSON: ${baseUrl}/openapi-v1.json`,
  ]);
}

/** https://llmstxt.org: a title, a summary in a quotation, lists of links. */
export function writeLlmsText(baseUrl: string): string {
  return markdownDocument('Daybook', [
    '> AI-industry news: items, hot topics, stories, daily, weekly and monthly reports. Anonymous, read-only.',
    untrustedNote,
    '## Markdown for agents',
    addressLines(baseUrl),
    '## API',
    [
      `- [OpenAPI](${baseUrl}/openapi-v1.json): the JSON API, version 4.0.0`,
      `- [Reference](${baseUrl}/docs): the same, for people`,
      `- [Terms](${baseUrl}/terms)`,
    ].join('\n'),
  ]);
}
