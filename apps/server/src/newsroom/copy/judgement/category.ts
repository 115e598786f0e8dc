import type { Category } from '../../../record/index.ts';
import { industryRules } from './industry-rules.ts';
import { modelRules } from './model-rules.ts';
import { productRules } from './product-rules.ts';
import { opinionRules, paperRules, tipRules } from './research-and-opinion-rules.ts';

export interface CategoryInput {
  readonly title: string;
  /** Only its beginning is read: later parts can be about any subject, and third parties may have added them. */
  readonly text: string;
  readonly url: string;
  /** The usual category of the source, from its registry entry. */
  readonly hint: Category | null;
}

export interface CategoryDecision {
  readonly category: Category;
  /** Names of the rules that matched, strongest first. */
  readonly because: readonly string[];
}

const categoryRules = [
  ...paperRules,
  ...tipRules,
  ...opinionRules,
  ...modelRules,
  ...productRules,
  ...industryRules,
];

const leadChars = 260;
const leadWeight = 0.6;
const hintWeight = 1.1;

/** The category with the most weight; a source's hint decides if the rules give little weight. */
export function decideCategory(input: CategoryInput): CategoryDecision {
  const lead = input.text.slice(0, leadChars);
  const votes = new Map<Category, { weight: number; rules: { name: string; weight: number }[] }>();
  const vote = (category: Category, name: string, weight: number): void => {
    const before = votes.get(category) ?? { weight: 0, rules: [] };
    votes.set(category, { weight: before.weight + weight, rules: [...before.rules, { name, weight }] });
  };
  for (const { category, name, weight, where, pattern } of categoryRules) {
    if (where === 'url') {
      if (pattern.test(input.url)) vote(category, name, weight);
    } else if (pattern.test(input.title)) vote(category, name, weight);
    else if (where === 'text' && pattern.test(lead)) vote(category, name, weight * leadWeight);
  }
  if (input.hint !== null) vote(input.hint, 'source', hintWeight);
  const [category, won] = [...votes].reduce<
    [Category, { weight: number; rules: { name: string; weight: number }[] }]
  >((best, one) => (one[1].weight > best[1].weight ? one : best), ['industry', { weight: 0, rules: [] }]);
  const because = won.rules.sort((one, other) => other.weight - one.weight).map(({ name }) => name);
  return { category, because: [...new Set(because)] };
}
