import type { GroundingSource } from '@daybook/grounding';
import { checkSentence, readSource } from '@daybook/grounding';

import { labelledRows } from '../../foundation/evaluation/labelled-lines.ts';
import type { Rate } from '../../foundation/evaluation/rate.ts';
import { rateOf } from '../../foundation/evaluation/rate.ts';

/** A sentence with a label; a false one names the true sentence that it was made from. */
interface LabelledClaim {
  readonly id: string;
  readonly class: string;
  readonly language: string;
  readonly crossLanguage?: boolean;
  readonly articles: readonly string[];
  readonly sentence: string;
  readonly true: boolean;
  readonly twin?: string;
  readonly aliases?: readonly (readonly string[])[];
}

interface CitedArticle {
  readonly id: string;
  readonly title?: string;
  readonly text: string;
  readonly publishedAt?: string | null;
}

export interface CheckedClaim {
  readonly claim: LabelledClaim;
  readonly findings: readonly string[];
}

export interface ClaimsEvaluation {
  readonly rates: readonly Rate[];
  readonly missed: readonly CheckedClaim[];
  readonly refused: readonly CheckedClaim[];
}

/**
 * Checks every sentence of a labelled file against the articles that it cites. An error counts as caught only if the true
 * sentence that it was made from passes: a checker that refuses every sentence catches none.
 */
export function evaluateClaims(claimsText: string, articlesText: string): ClaimsEvaluation {
  const articles = new Map(
    labelledRows<CitedArticle>(articlesText, { id: 'text', text: 'text' }).map((one) => [one.id, one]),
  );
  const fields = { id: 'text', class: 'text', sentence: 'text', true: 'flag', articles: 'texts' } as const;
  const checked = labelledRows<LabelledClaim>(claimsText, fields).map((claim) => ({
    claim,
    findings: findingsOf(claim, articles),
  }));
  const passes = new Set(
    checked.filter(({ findings }) => findings.length === 0).map(({ claim }) => claim.id),
  );
  const isCaught = ({ claim, findings }: CheckedClaim): boolean =>
    findings.length > 0 && (claim.twin === undefined || passes.has(claim.twin));
  const errors = checked.filter(({ claim }) => !claim.true);
  const truths = checked.filter(({ claim }) => claim.true);
  return {
    rates: [...caughtRates(errors, isCaught), ...refusedRates(truths)],
    missed: errors.filter((one) => !isCaught(one)),
    refused: truths.filter(({ findings }) => findings.length > 0),
  };
}

function findingsOf(claim: LabelledClaim, articles: ReadonlyMap<string, CitedArticle>): string[] {
  const sources = claim.articles.map((id): GroundingSource => {
    const article = articles.get(id);
    if (article === undefined)
      throw new Error(`${claim.id} cites the article ${id}, which is not in the file`);
    const published = article.publishedAt ? Temporal.PlainDate.from(article.publishedAt.slice(0, 10)) : null;
    const text = [article.title ?? '', article.text].filter((part) => part !== '').join('\n');
    return readSource(text, { published, aliases: claim.aliases ?? [] });
  });
  return checkSentence(claim.sentence, sources).map(({ kind, text }) => `${kind}: ${text}`);
}

function caughtRates(errors: readonly CheckedClaim[], isCaught: (one: CheckedClaim) => boolean): Rate[] {
  const rate = (name: string, some: readonly CheckedClaim[]): Rate =>
    rateOf(name, some.filter(isCaught).length, some.length);
  const classes = Map.groupBy(errors, ({ claim }) => claim.class);
  return [
    rate('errors caught, true twin passes', errors),
    ...languagesOf(errors).map(([name, some]) => rate(`errors caught: ${name}`, some)),
    ...[...classes]
      .sort(([, one], [, other]) => other.length - one.length)
      .map(([name, some]) => rate(`errors caught: ${name}`, some)),
  ];
}

function refusedRates(truths: readonly CheckedClaim[]): Rate[] {
  const rate = (name: string, some: readonly CheckedClaim[]): Rate =>
    rateOf(name, some.filter(({ findings }) => findings.length > 0).length, some.length);
  return [
    rate('true sentences refused', truths),
    ...languagesOf(truths).map(([name, some]) => rate(`true sentences refused: ${name}`, some)),
  ];
}

function languagesOf(checked: readonly CheckedClaim[]): [string, readonly CheckedClaim[]][] {
  return [
    ...Map.groupBy(checked, ({ claim }) =>
      claim.crossLanguage === true ? 'across languages' : `language ${claim.language}`,
    ),
  ];
}
