import type { Brand } from '../../foundation/brand.ts';
import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { PatternFault } from './pattern.ts';
import { anyRest, anySegment, resourceCharsMax, resourceSegmentsMax, wildcardFault } from './pattern.ts';

declare const concrete: unique symbol;

/** `/organizations/<key>/<kind>/<id>…`, any segment after the key a wildcard. */
export type ResourcePattern = Brand<
  { readonly text: string; readonly segments: readonly string[] },
  'ResourcePattern'
>;

/** One resource, by its path. Also a pattern that matches only itself. */
export type Resource = ResourcePattern & { readonly [concrete]: true };

const root = 'organizations';
const prefix = `/${root}/`;
const plainSegment = /^[A-Za-z0-9._~-]+$/;

export function parseResourcePattern(text: string): Result<ResourcePattern, PatternFault> {
  if (text.length > resourceCharsMax) return refused('too-long');
  if (!text.startsWith(prefix)) return refused('wrong-start');
  const segments = text.slice(1).split('/');
  const [, organization = ''] = segments;
  if (organization === '') return refused('too-few-segments');
  if (organization.includes(anySegment)) return refused('wildcard-organization');
  if (segments.length > resourceSegmentsMax) return refused('too-many-segments');
  const fault = wildcardFault(segments) ?? (segments.every(isWellWritten) ? null : 'bad-segment');
  return fault === null ? accepted({ text, segments } as unknown as ResourcePattern) : refused(fault);
}

/** From parsed segments. */
export function resourceOfSegments(segments: readonly string[]): ResourcePattern {
  return { text: `/${segments.join('/')}`, segments } as unknown as ResourcePattern;
}

export function organizationOf(resource: ResourcePattern): string {
  return resource.segments[1] ?? '';
}

/** Names may contain anything: they are escaped, so that none is read as a wildcard or as two segments. */
export function resourceOf(organization: string, ...path: readonly string[]): Resource {
  const segments = [root];
  let text = `/${root}`;
  for (const name of [organization, ...path]) {
    const segment = escapeSegment(name);
    if (segment === '') throw new RangeError('a segment of a resource is empty');
    segments.push(segment);
    text += `/${segment}`;
  }
  return { text, segments } as unknown as Resource;
}

function escapeSegment(name: string): string {
  if (isDots(name)) return '%2E'.repeat(name.length);
  if (plainSegment.test(name)) return name;
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** In a URL they mean this directory and its parent, so no resource has such a name. */
function isDots(name: string): boolean {
  return name === '.' || name === '..';
}

/** Only the spelling of `escapeSegment`: two spellings of one resource would not match each other. */
function isWellWritten(segment: string): boolean {
  if (segment === anySegment || segment === anyRest) return true;
  if (plainSegment.test(segment)) return !isDots(segment);
  try {
    const name = decodeURIComponent(segment);
    return segment !== '' && !isDots(name) && escapeSegment(name) === segment;
  } catch {
    return false;
  }
}
