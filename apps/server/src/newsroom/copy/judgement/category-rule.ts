import type { Category } from '../../../record/index.ts';

export interface CategoryRule {
  readonly category: Category;
  /** Shown as the explanation of a decision. */
  readonly name: string;
  readonly weight: number;
  /** `title`: the title alone; `text`: title, or at a lower weight the beginning of the text; `url`: the address. */
  readonly where: 'title' | 'text' | 'url';
  readonly pattern: RegExp;
}

/** Patterns are joined with `|`; a list reads better than one long line. English ones match whole words. */
export function rule(
  category: Category,
  name: string,
  weight: number,
  where: CategoryRule['where'],
  patterns: {
    readonly en?: readonly string[];
    readonly zh?: readonly string[];
    readonly raw?: readonly string[];
  },
): CategoryRule {
  const { en = [], zh = [], raw = [] } = patterns;
  const words = en.length === 0 ? [] : [String.raw`\b(?:${en.join('|')})(?!\p{L})`];
  return { category, name, weight, where, pattern: new RegExp([...words, ...zh, ...raw].join('|'), 'iu') };
}
