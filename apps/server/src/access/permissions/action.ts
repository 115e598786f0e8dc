import type { Brand } from '../../foundation/brand.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { PatternFault } from './pattern.ts';
import { actionCharsMax, anyRest, anySegment, wildcardFault } from './pattern.ts';

declare const concrete: unique symbol;

/** `Daybook.<Area>/<Resource>[/<field>]/<verb>`, any of the four a wildcard. */
export type ActionPattern = Brand<
  { readonly text: string; readonly segments: readonly string[] },
  'ActionPattern'
>;

/** A single action. Also a pattern that matches only itself. */
export type Action = ActionPattern & { readonly [concrete]: true };

const product = 'Daybook.';
const pascalCase = /^[A-Z][A-Za-z0-9]*$/;
const snakeCase = /^[a-z][a-z0-9_]*$/;

export function parseActionPattern(text: string): Result<ActionPattern, PatternFault> {
  if (text.length > actionCharsMax) return refused('too-long');
  if (!text.startsWith(product)) return refused('wrong-start');
  const segments = text.slice(product.length).split('/');
  const fault = wildcardFault(segments) ?? shapeFault(segments);
  return fault === null ? accepted({ text, segments } as unknown as ActionPattern) : refused(fault);
}

function shapeFault(segments: readonly string[]): PatternFault | null {
  const open = segments.at(-1) === anyRest;
  if (segments.length > 4) return 'too-many-segments';
  // After area, resource and field only the verb can follow: one spelling for each meaning.
  if (open && segments.length === 4) return 'misplaced-rest';
  if (!open && segments.length < 3) return 'too-few-segments';
  const well = segments.every(
    (segment, index) =>
      segment === anySegment ||
      segment === anyRest ||
      (index < 2 ? pascalCase.test(segment) : snakeCase.test(segment)),
  );
  return well ? null : 'bad-segment';
}

/** From parsed segments. */
export function actionOfSegments(segments: readonly string[]): ActionPattern {
  return { text: product + segments.join('/'), segments } as unknown as ActionPattern;
}

/** For actions in code: an invalid one throws. */
export function defineAction(text: string): Action {
  const parsed = parseActionPattern(text);
  if (!parsed.ok || text.includes(anySegment)) throw new RangeError(`${text} is not an action`);
  return parsed.value as Action;
}
