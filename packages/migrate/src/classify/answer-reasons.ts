import type { ClassifierModel, Ranked } from './classifier-model.ts';
import type { Feature, Lexicons } from './note-features.ts';

const reasonsMax = 4;
const contributionsMax = 12;
const comparedAnswersMax = 6;
const leastShare = 0.08;

/** How a shape reads to a person. A shape that is not here decides too little to be named. */
const shapeWords: Readonly<Record<string, string>> = {
  list: 'is a list',
  links: 'collects links',
  tasks: 'has boxes to tick',
  question: 'asks questions',
  quotation: 'quotes someone',
  attribution: 'names who said it',
  'first-person': 'speaks of the writer',
  you: 'speaks to a reader',
  we: 'speaks of a group',
  instruction: 'reads as instructions',
  obligation: 'says what must or must not be done',
  wish: 'says what the writer wants',
  opinion: 'states an opinion',
  love: 'says what the writer likes',
  every: 'speaks of a habit',
  'clock-time': 'gives times of the day',
  'year-in-brackets': 'gives years in brackets',
  'money-sign': 'gives sums of money',
  rating: 'gives a rating',
  measure: 'gives amounts with units',
  duration: 'gives durations',
  code: 'contains code',
  'by-person': 'names who a work is by',
  'person-name': 'names people',
  definition: 'defines something',
  'third-person': 'speaks of someone else',
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
      return `the heading says ${quoted}`;
    case 'topic':
      return `speaks of ${descriptions.get(rest) ?? rest}: ${quoted}`;
    case 'word':
    case 'pair':
      return `says ${quoted}`;
    case 'shape':
      return rest.startsWith('numbered-')
        ? `has entries numbered ${rest.slice(9)}1, ${rest.slice(9)}2 …`
        : (shapeWords[rest] ?? null);
    default:
      return null;
  }
}
