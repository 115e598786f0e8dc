/** Matches one whole segment. */
export const anySegment = '*';
/** Matches, at the end, one segment or more: all that follow. */
export const anyRest = '**';

/** An error in an action or resource. Messages are for its author. */
export type PatternFault =
  | 'too-long'
  | 'wrong-start'
  | 'too-few-segments'
  | 'too-many-segments'
  | 'partial-wildcard'
  | 'misplaced-rest'
  | 'wildcard-organization'
  | 'foreign-organization'
  | 'bad-segment';

export const actionCharsMax = 200;
export const resourceCharsMax = 500;
export const resourceSegmentsMax = 8;

export const faultMessages: Readonly<Record<'action' | 'resource', Readonly<Record<PatternFault, string>>>> =
  {
    action: {
      'too-long': `has more than ${actionCharsMax} characters`,
      'wrong-start': 'must begin with Daybook.',
      'too-few-segments': 'must contain an area, a resource and a verb; end with ** to match all of them',
      'too-many-segments': 'contains more than an area, a resource, a field and a verb',
      'partial-wildcard': 'must use * for a whole segment',
      'misplaced-rest':
        'can contain ** only at the end, and not in place of the verb after a field; use * there',
      'wildcard-organization': 'must not contain an organization',
      'foreign-organization': 'must not contain an organization',
      'bad-segment':
        'must be Daybook.<Area>/<Resource>[/<field>]/<verb>, areas and resources in PascalCase, fields and verbs in snake_case',
    },
    resource: {
      'too-long': `has more than ${resourceCharsMax} characters`,
      'wrong-start': 'must begin with /organizations/',
      'too-few-segments': 'must contain an organization',
      'too-many-segments': `has more than ${resourceSegmentsMax} segments`,
      'partial-wildcard': 'must use * for a whole segment',
      'misplaced-rest': 'can contain ** only at the end',
      'wildcard-organization': 'must contain the key of one organization, not a wildcard',
      'foreign-organization': 'belongs to another organization',
      'bad-segment':
        'contains a segment that is empty, . or .., or that contains characters other than letters, digits, - . _ ~ and canonical %XX',
    },
  };

/** Faults that actions and resources share. */
export function wildcardFault(segments: readonly string[]): PatternFault | null {
  for (const [index, segment] of segments.entries()) {
    if (segment === anyRest) {
      if (index < segments.length - 1) return 'misplaced-rest';
    } else if (segment !== anySegment && segment.includes(anySegment)) return 'partial-wildcard';
  }
  return null;
}
