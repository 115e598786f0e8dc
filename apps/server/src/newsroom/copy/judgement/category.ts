import type { Category } from '../../../record/index.ts';
import type { CategoryRule } from './category-rule.ts';
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

/** A rule that matched, and what it counts. */
export type CategoryVote = Pick<CategoryRule, 'category' | 'name' | 'weight'>;

/** The category with the most weight; a source's hint decides if the rules give little weight. */
export function decideCategory(input: CategoryInput): CategoryDecision {
  return chooseCategory(matchRules(input), input.hint);
}

export function matchRules({ title, text, url }: Omit<CategoryInput, 'hint'>): readonly CategoryVote[] {
  const lead = text.slice(0, leadChars);
  return categoryRules.flatMap(({ category, name, weight, where, pattern }) => {
    if (pattern.test(where === 'url' ? url : title)) return [{ category, name, weight }];
    const isInLead = where === 'text' && pattern.test(lead);
    return isInLead ? [{ category, name, weight: weight * leadWeight }] : [];
  });
}

export function chooseCategory(matched: readonly CategoryVote[], hint: Category | null): CategoryDecision {
  const votes =
    hint === null ? matched : [...matched, { category: hint, name: 'source', weight: hintWeight }];
  const sumOf = (some: readonly CategoryVote[]): number => some.reduce((sum, { weight }) => sum + weight, 0);
  const [category, won] = [...Map.groupBy(votes, (vote) => vote.category)].reduce<
    [Category, readonly CategoryVote[]]
  >((best, one) => (sumOf(one[1]) > sumOf(best[1]) ? one : best), ['industry', []]);
  const because = won.toSorted((one, other) => other.weight - one.weight).map(({ name }) => name);
  return { category, because: [...new Set(because)] };
}
