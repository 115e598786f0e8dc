import type { CheckedQuotes, Quote } from '@daybook/grounding/quotes';
import { checkQuotes } from '@daybook/grounding/quotes';

import { CliError } from './cli-host.ts';
import { printable } from './terminal-text.ts';

/** A sentence of a digest with what its quotations say; null for a sentence without quotations. */
export interface CheckedSentence {
  readonly text: string;
  readonly quotes: readonly Quote[];
  readonly findings: CheckedQuotes['findings'] | null;
  readonly facts: CheckedQuotes['facts'];
}

/** Checks every sentence of the proven digests of a story against its quotations, without the server. */
export function checkDigests(kind: string, body: unknown): readonly CheckedSentence[] {
  if (kind !== 'story') throw new CliError('usage', 'only a story has a digest');
  const { digest, otherDigest } = (body ?? {}) as Record<string, unknown>;
  const sentences = [digest, otherDigest].flatMap(sentencesOf);
  if (sentences.length === 0) throw new CliError('notFound', 'the story has no digest');
  return sentences.map(({ text, quotes }) =>
    quotes.length === 0
      ? { text, quotes, findings: null, facts: [] }
      : { text, quotes, ...checkQuotes(text, quotes) },
  );
}

/** The proof is of a server that is not trusted. */
function sentencesOf(
  digest: unknown,
): readonly { readonly text: string; readonly quotes: readonly Quote[] }[] {
  const { sentences } = (digest ?? {}) as { readonly sentences?: unknown };
  if (!Array.isArray(sentences)) return [];
  return sentences.map((sentence: unknown) => {
    const { text, quotes } = (sentence ?? {}) as Record<string, unknown>;
    return { text: String(text), quotes: Array.isArray(quotes) ? quotes.map(quoteOf) : [] };
  });
}

function quoteOf(quote: unknown): Quote {
  const { spans, sourceName } = (quote ?? {}) as Record<string, unknown>;
  return { spans: Array.isArray(spans) ? spans.map(String) : [], sourceName: String(sourceName) };
}

/** Each sentence with its quotations, and behind each of these the facts that it contains. */
export function digestLines(sentences: readonly CheckedSentence[]): readonly string[] {
  return sentences.flatMap(({ text, quotes, findings, facts }) => [
    '',
    `${stateOf(findings)}: ${printable(text)}`,
    ...quotes.flatMap(({ spans, sourceName }, at) => {
      const found = facts.filter((fact) => fact.quotes.includes(at)).map((fact) => fact.text);
      return [
        ...spans.map((span) => `  “${printable(span)}” — ${printable(sourceName)}`),
        ...(found.length === 0 ? [] : [`    contains ${found.map(printable).join(', ')}`]),
      ];
    }),
    ...(findings ?? []).map((finding) => `  not in the quotations: ${printable(finding.text)}`),
  ]);
}

function stateOf(findings: CheckedSentence['findings']): string {
  if (findings === null) return 'Without quotations';
  return findings.length === 0 ? 'Supported' : 'Not supported';
}
