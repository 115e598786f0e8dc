/** Features of the form of a text, apart from its words. */
export interface ShapeFeature {
  readonly name: string;
  readonly value: number;
}

interface ShapePattern {
  readonly name: string;
  readonly pattern: RegExp;
  /** Matches that make the feature count fully. */
  readonly full: number;
}

const imperative =
  /(?:^|[.!;]\s+)(?:[-*+]|\d+[.)])?\s*(?:\*\*)?(?:never|always|do not|don't|use|avoid|prefer|ensure|write|run|keep|follow|check|add|create|return|respond|answer|ask|make sure|implement|include|read|when|before|only|explain|provide|commit|test|handle|update|verify)\b/gim;

/** Each pattern is linear: no nested repetition, bounded spans. */
const patterns: readonly ShapePattern[] = [
  { name: 'list', pattern: /^\s*(?:[-*+]|\d+[.)])\s/gm, full: 4 },
  { name: 'links', pattern: /https?:\/\//g, full: 3 },
  { name: 'wikilinks', pattern: /\[\[/g, full: 3 },
  { name: 'tasks', pattern: /^\s*[-*+] \[[ xX]\]/gm, full: 2 },
  { name: 'question', pattern: /\?(?=\s|$)/gm, full: 2 },
  { name: 'quotation', pattern: /^>|[“”]|(?:^|\s)"[A-Z][^"\n]{12,300}"/gm, full: 2 },
  { name: 'attribution', pattern: /(?:^|\s)[—–-]\s?[A-Z][a-z]+ [A-Z][a-z]+\s*$/gm, full: 1 },
  { name: 'first-person', pattern: /\b(?:I|I'm|I've|I'll|I'd|I’m|my|me|myself)\b/g, full: 4 },
  { name: 'we', pattern: /\b(?:we|our|us)\b/gi, full: 3 },
  { name: 'you', pattern: /\b(?:you|your|yourself|you're)\b/gi, full: 3 },
  { name: 'instruction', pattern: imperative, full: 3 },
  { name: 'obligation', pattern: /\b(?:must|should|never|always|do not|required|ensure)\b/gi, full: 3 },
  {
    name: 'wish',
    pattern: /\b(?:I want|want to|I will|aim to|hope to|plan to|would like|by 20\d\d)\b/gi,
    full: 2,
  },
  {
    name: 'opinion',
    pattern: /\b(?:I think|I believe|I feel|in my opinion|imo|I find|seems to me)\b/gi,
    full: 1,
  },
  { name: 'love', pattern: /\b(?:love|loved|favou?rite|enjoyed|really like|like to|fan of)\b/gi, full: 2 },
  {
    name: 'every',
    pattern:
      /\b(?:every|each) (?:\w+ )?(?:day|week|month|morning|evening|night|year|quarter|monday|friday|sunday|saturday)/gi,
    full: 1,
  },
  { name: 'clock-time', pattern: /\b\d{1,2}(?::\d\d ?(?:am|pm)?|\s?(?:am|pm))\b/gi, full: 2 },
  { name: 'iso-date', pattern: /\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b|\b\d{1,2}\/\d{1,2}\/\d{2,4}\b/g, full: 2 },
  { name: 'year-in-brackets', pattern: /\((?:19|20)\d\d\)/g, full: 2 },
  { name: 'money-sign', pattern: /[$€£¥₹]\s?\d|\b\d+\s?(?:usd|eur|euros?|dollars?|k\/year)\b/gi, full: 2 },
  { name: 'percent', pattern: /\d\s?%/g, full: 2 },
  { name: 'rating', pattern: /[★☆⭐]|\b\d(?:\.\d)?\/(?:5|10)\b/g, full: 1 },
  {
    name: 'measure',
    pattern: /\b\d+(?:[.,]\d+)?\s?(?:g|kg|ml|mg|l|tbsp|tsp|cups?|oz|lbs?|km|kcal|reps|sets|bpm)\b/gi,
    full: 2,
  },
  { name: 'duration', pattern: /\b\d+\s?(?:min|mins|minutes|hours?|hrs?|h|days|weeks|months)\b/gi, full: 2 },
  {
    name: 'code',
    pattern: /`[^`\n]+`|```|\b[a-z]+[A-Z]\w+\b|\b\w+\.(?:ts|js|py|go|rs|md|json|sh|tsx)\b/g,
    full: 3,
  },
  { name: 'by-person', pattern: /\bby [A-Z][\p{L}.]+ [A-Z]/gu, full: 2 },
  { name: 'person-name', pattern: /\b[A-Z][a-z]+ [A-Z][a-z]+\b/g, full: 3 },
  { name: 'name-pairs', pattern: /^\s*[-*+]\s.{2,60} [-–—] .+$/gm, full: 3 },
  { name: 'key-value', pattern: /^\s*[-*+]?\s*\**[A-Za-z][\w ]{1,24}\**:\**(?:\s|$)/gm, full: 3 },
  { name: 'heading-mark', pattern: /^#{1,6}\s/gm, full: 2 },
  { name: 'third-person', pattern: /\b(?:he|she|his|her|him)\b/gi, full: 2 },
  { name: 'definition', pattern: /\b(?:is an?|is the|refers to|is when|is called|means that)\b/gi, full: 2 },
  { name: 'exclaim', pattern: /!/g, full: 2 },
];

/** Ids as people number them in a personal file: G1: a goal, C0: a challenge. */
const numberedId = /(?:^|\s|\*)(MO|[MGPSCNBWF])\d{1,2}\s?[:.–-]/;

export function shapeFeatures(text: string): readonly ShapeFeature[] {
  const features: ShapeFeature[] = [];
  for (const { name, pattern, full } of patterns) {
    const count = occurrences(text, pattern, full);
    if (count > 0) features.push({ name, value: count / full });
  }
  const id = numberedId.exec(text)?.[1];
  if (id !== undefined) features.push({ name: `numbered-${id}`, value: 1 });
  features.push({ name: `length-${lengthName(text)}`, value: 1 });
  return features;
}

function occurrences(text: string, pattern: RegExp, most: number): number {
  pattern.lastIndex = 0;
  let count = 0;
  while (count < most && pattern.exec(text) !== null) count += 1;
  return count;
}

function lengthName(text: string): string {
  if (text.length < 40) return 'line';
  if (text.length < 140) return 'short';
  return text.length < 400 ? 'paragraph' : 'page';
}
