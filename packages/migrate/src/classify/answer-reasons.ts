import type { ClassifierModel, Ranked } from './classifier-model.ts';
import type { Feature, Lexicons } from './note-features.ts';

const reasonsMax = 4;
const contributionsMax = 12;
const comparedAnswersMax = 6;
const leastShare = 0.08;

/** The reason that a shape gives. Shapes with little weight have no entry. */
const shapeWords: Readonly<Record<string, string>> = {
  list: 'is a list',
  links: 'collects links',
  tasks: 'has check boxes',
  question: 'asks questions',
  quotation: 'contains a quotation',
  attribution: 'names the speaker',
  'first-person': 'is about the writer',
  you: 'addresses the reader',
  we: 'is about a group',
  instruction: 'reads as instructions',
  obligation: 'states obligations',
  wish: 'states a wish',
  opinion: 'states an opinion',
  love: 'states a preference',
  every: 'describes a habit',
  'clock-time': 'contains times of day',
  'year-in-brackets': 'contains years in brackets',
  'money-sign': 'contains amounts of money',
  rating: 'contains a rating',
  measure: 'contains amounts with units',
  duration: 'contains durations',
  code: 'contains code',
  'by-person': 'names the author of a work',
  'person-name': 'names people',
  definition: 'contains a definition',
  'third-person': 'is about another person',
  'length-line': 'is very short',
};

/** What made the first answer likelier than the others, strongest first. */
export function reasons(
  model: ClassifierModel,
  features: readonly Feature[],
  ranked: readonly Ranked[],
  { topics }: Lexicons,
): readonly string[] {
  const first = ranked[0]?.index ?? 0;
  const contributions: { readonly feature: Feature; readonly weight: number }[] = [];
  let total = 0;
  for (const feature of features) {
    const row = model.weights.get(feature.name);
    const weight = row === undefined ? 0 : feature.value * ((row[first] ?? 0) - average(row, ranked));
    if (weight <= 0) continue;
    total += weight;
    contributions.push({ feature, weight });
  }
  contributions.sort((left, right) => right.weight - left.weight);
  const byText = new Map<string, number>();
  for (const { feature, weight } of contributions.slice(0, contributionsMax)) {
    const words = sentence(feature, topics.descriptions);
    if (words !== null) byText.set(words, (byText.get(words) ?? 0) + weight);
  }
  const strongest = [...byText].sort((left, right) => right[1] - left[1]);
  const named = strongest.filter(([, weight], index) => index === 0 || weight >= leastShare * total);
  return named.slice(0, reasonsMax).map(([words]) => words);
}

/** Against the other likely answers, each as much as it is likely. */
function average(row: Float64Array, ranked: readonly Ranked[]): number {
  let sum = 0;
  let share = 0;
  for (let place = 1; place < comparedAnswersMax; place += 1) {
    const other = ranked[place];
    if (other === undefined) break;
    sum += (row[other.index] ?? 0) * other.probability;
    share += other.probability;
  }
  return share === 0 ? 0 : sum / share;
}

function sentence({ name, evidence }: Feature, descriptions: ReadonlyMap<string, string>): string | null {
  const space = name.indexOf(' ');
  const kind = name.slice(0, space);
  const rest = name.slice(space + 1);
  const quoted = evidence.map((raw) => `'${raw}'`).join(', ');
  switch (kind) {
    case 'title-is':
    case 'title-says':
    case 'title-word':
    case 'title-topic':
      return `the heading contains ${quoted}`;
    case 'topic':
      return `mentions ${descriptions.get(rest) ?? rest}: ${quoted}`;
    case 'word':
    case 'pair':
      return `contains ${quoted}`;
    case 'shape':
      return rest.startsWith('numbered-')
        ? `has entries numbered ${rest.slice(9)}1, ${rest.slice(9)}2 …`
        : (shapeWords[rest] ?? null);
    default:
      return null;
  }
}
