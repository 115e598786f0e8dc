import { markdownDocument, untrustedNote } from '@daybook/mcp/markdown';

import { mcpPath, skillPath } from '../addresses.ts';
import type { AgentGuideDeps } from '../agent-index/agent-addresses.ts';
import { agentAddresses } from '../agent-index/agent-addresses.ts';

function addressLines(deps: AgentGuideDeps): string {
  return agentAddresses(deps)
    .map(
      ({ title, purpose, href, refreshSeconds }) =>
        `- [${title}](${href}): ${purpose} Fresh for ${refreshSeconds} s.`,
    )
    .join('\n');
}

export function writeGuide(deps: AgentGuideDeps): string {
  const { baseUrl, storyLayer } = deps;
  const grouped = storyLayer ? ', grouped into stories' : '';
  return markdownDocument('Daybook for agents', [
    `AI-industry news${grouped} and compiled into daily, weekly and monthly reports. Read-only; no account or key required.`,
    addressLines(deps),
    [
      '- Start with the daily report for "what is new", with search for a question, with hot topics for "what matters now".',
      ...(storyLayer ? ['- Take story ids from the documents; never invent one.'] : []),
      '- A date, week or month without a report returns 404.',
      '- Link the original of every item you report.',
      '- Send `If-None-Match`; on 429 and 503 wait `Retry-After` seconds.',
    ].join('\n'),
    untrustedNote,
    `The same content as tools, over the Model Context Protocol: ${baseUrl}${mcpPath} (Streamable HTTP, no key)`,
    `As an Agent Skill, for agents that read this often: ${baseUrl}${skillPath}`,
    `The same content as JSON: ${baseUrl}/openapi-v1.json`,
  ]);
}

/** https://llmstxt.org: a title, a summary in a quotation, lists of links. */
export function writeLlmsText(deps: AgentGuideDeps): string {
  const { baseUrl, storyLayer } = deps;
  const stories = storyLayer ? ', stories' : '';
  return markdownDocument('Daybook', [
    `> AI-industry news: items, hot topics${stories}, daily, weekly and monthly reports. Anonymous, read-only.`,
    untrustedNote,
    '## Markdown for agents',
    addressLines(deps),
    '## API',
    [
      `- [MCP](${baseUrl}${mcpPath}): the same content as tools, resources and prompts; Streamable HTTP, no key`,
      `- [Skill](${baseUrl}${skillPath}): how to use all of this, as an Agent Skill`,
      `- [OpenAPI](${baseUrl}/openapi-v1.json): the JSON API, version 4.0.0`,
      `- [Reference](${baseUrl}/docs): the same for people`,
      `- [Terms](${baseUrl}/terms)`,
    ].join('\n'),
  ]);
}
