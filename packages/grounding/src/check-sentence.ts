import { statementFindings } from './check-statements.ts';
import { valueFindings } from './check-values.ts';
import { dateFollows } from './dates.ts';
import type { Finding } from './finding.ts';
import { unsupportedHanNames } from './han-names.ts';
import { hanCharacter } from './language/han-text.ts';
import { agreement } from './language/quantities.ts';
import type { Quantity } from './language/quantities.ts';
import { unsupportedNames } from './latin-names.ts';
import { passageOf } from './passages.ts';
import { isQuotedFrom } from './quotations.ts';
import type { GroundingSource } from './source.ts';
import { wrongSpeakers } from './speakers.ts';
import type { StatedFacts } from './stated-facts.ts';
import { statedFacts } from './stated-facts.ts';
import { isVersionOf } from './versions.ts';

/** The statements of a sentence that its sources do not support; empty if it may be published. */
export function checkSentence(sentence: string, sources: readonly GroundingSource[]): Finding[] {
  const claim = statedFacts(sentence);
  const findings: Finding[] = [
    ...quotationFindings(claim, sources),
    ...claim.dates
      .filter((date) => !sources.some((source) => dateFollows(date, source.facts.dates, source.published)))
      .map(({ text }) => ({ kind: 'date' as const, text })),
    ...claim.versions
      .filter(
        (version) => !sources.some(({ facts }) => facts.versions.some((one) => isVersionOf(version, one))),
      )
      .map(({ text }) => ({ kind: 'version' as const, text })),
    ...claim.quantities.flatMap((quantity) => quantityFinding(quantity, sources)),
    ...nameFindings(claim, sources),
  ];
  if (sources.length === 0) return findings;
  const passage = passageOf(claim);
  findings.push(...wrongSpeakers(claim, sources).map((text) => ({ kind: 'speaker' as const, text })));
  const isDated = findings.some(({ kind }) => kind === 'date');
  return [
    ...findings,
    ...valueFindings(claim.text, passage, sources),
    ...statementFindings(passage, sources).filter(({ kind }) => kind !== 'period' || !isDated),
  ];
}

function quotationFindings(claim: StatedFacts, sources: readonly GroundingSource[]): Finding[] {
  return claim.quotations
    .filter((quotation) => !sources.some((source) => isQuotedFrom(quotation, source.quotable())))
    .map((text) => ({ kind: 'quotation', text }));
}

function quantityFinding(claimed: Quantity, sources: readonly GroundingSource[]): Finding[] {
  let best: 'unit' | 'no' = 'no';
  for (const { facts } of sources) {
    for (const stated of facts.quantities) {
      const agrees = agreement(claimed, stated);
      if (agrees === 'yes') return [];
      if (agrees === 'unit') best = 'unit';
    }
  }
  return [{ kind: best === 'unit' ? 'unit' : 'number', text: claimed.text }];
}

function nameFindings(claim: StatedFacts, sources: readonly GroundingSource[]): Finding[] {
  const { isTaken } = claim;
  const perSource = sources.map((source) => unsupportedNames(claim.words, source.names(), isTaken));
  // One of the sources must contain the name; several may support a sentence together.
  const [first = claim.words.filter((word) => !isTaken(word)).map(({ text }) => text), ...others] = perSource;
  const latin = first.filter((name) => others.every((names) => names.includes(name)));
  const known = [...new Set(sources.flatMap((source) => source.knownHanNames))];
  const han = unsupportedHanNames(
    claim.text,
    sources.map((source) => source.nameText),
    known,
    !sources.some(({ facts }) => hanCharacter.test(facts.text)),
  );
  return [...latin, ...han].map((text) => ({ kind: 'name', text }));
}
