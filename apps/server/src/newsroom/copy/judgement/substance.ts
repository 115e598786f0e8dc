import { factsOf } from '@daybook/grounding';

/** The amount of information in an item, 0 to 1: concrete facts add, teasers and fillers subtract. */
export function substanceOf(title: string, text: string): number {
  const facts = factsOf(title);
  const count = (kind: string): number => facts.filter((fact) => fact.kind === kind).length;
  const concrete = Math.min(
    1,
    0.45 * count('quantity') + 0.45 * count('version') + 0.2 * count('name') + 0.2 * count('date'),
  );
  const said = eventful.test(title) ? 0.25 : 0;
  const measured = evidence.test(title) ? 0.2 : 0;
  const length = Math.min(1, text.length / 1500) * 0.2;
  const against = fillers.reduce((sum, [form, weight]) => sum + (form.test(title) ? weight : 0), 0);
  return clamp(0.3 + concrete * 0.35 + said + measured + length - against);
}

/** Verbs of events. */
const eventful =
  /\b(?:releas(?:es|ed)|launch(?:es|ed)|introduc(?:es|ing)|unveil(?:s|ed)|announc(?:es|ed)|rais(?:es|ed)|acquir(?:es|ed)|sue[sd]|bans?|cuts?|upgrades?|surg(?:es|ed)|reaches|hits|rises|reports?|open[- ]?sources?|signs?|fires?|leaves|joins?|tests?|designates?|refuses?|wins?|loses?|disproves?|breaking|beats?)\b|发布|推出|开源|上线|收购|融资|起诉|裁员|降价|突破|宣布|获批|达成/iu;
/** A claim with a measurement or a method. */
const evidence =
  /\b(?:benchmark(?:s|ing)?|\w+bench|evaluat(?:ion|ing)|large-scale|empirical|state-of-the-art|framework|architecture|system|optimization|policy)\b|基准|评测|实测|技术报告/iu;
/** Phrases that promise more than they state, and their deduction. */
const fillers: readonly (readonly [RegExp, number])[] = [
  [/\?$|？$/u, 0.1],
  [/^(?:here[’']s|this is|meet|why|what|how|are you|is |do you|the \d+|\d+ )/iu, 0.1],
  [/\b(?:you|your)\b|你|您/iu, 0.1],
  [
    /\b(?:podcast|newsletter|weekly|roundup|round-up|in brief|episode|part \d|series|digest|import ai|last week)\b|早报|周报|日报|盘点|速览|一周/iu,
    0.25,
  ],
  [
    /\b(?:top \d+|best|ultimate|complete|mastering|roadmap|certification|career|tips?|checklist|questions to ask)\b/iu,
    0.2,
  ],
  [
    /\b(?:manifold|stochastic|hardness of approximation|differential equations?|convex|orbifolds?|kernels? methods?|asymptotic|quantum algorithm|single-species|cosmic-ray)\b/iu,
    0.2,
  ],
  [/^\[|^title:/iu, 0.3],
  [/\bi (?:built|tried|made|checked|used)\b|^my\b/iu, 0.1],
];

function clamp(value: number): number {
  return Math.max(0, Math.min(1, value));
}
