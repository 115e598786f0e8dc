/** The rules of one robots.txt for one crawler (RFC 9309). */
export interface RobotsRules {
  readonly allows: (pathAndQuery: string) => boolean;
}

interface Rule {
  readonly isAllowed: boolean;
  readonly pattern: string;
}

export const everythingAllowed: RobotsRules = { allows: () => true };

/** RFC 9309 section 2.5: at least 500 KiB must be parsed. */
const charsMax = 512_000;
/** Total length of the stored rules per origin, because many origins are cached. */
const ruleCharsMax = 100_000;

/** The group that names the crawler, else the one for all; several groups of one name count as one. */
export function parseRobots(text: string, productToken: string): RobotsRules {
  const own: Rule[] = [];
  const general: Rule[] = [];
  let isOwnNamed = false;
  let agents: string[] = [];
  let isInRules = false;
  let ruleChars = 0;
  for (const line of text.slice(0, charsMax).split(/\r\n|\r|\n/u)) {
    const match = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/u.exec(line);
    const field = match?.[1]?.toLowerCase();
    const value = match?.[2]?.trim() ?? '';
    if (field === 'user-agent') {
      if (isInRules) agents = [];
      isInRules = false;
      agents.push(value.toLowerCase());
      isOwnNamed ||= namesUs(value, productToken);
    } else if (field === 'allow' || field === 'disallow') {
      isInRules = true;
      // An empty pattern matches nothing: `Disallow:` allows everything.
      if (value === '' || ruleChars + value.length > ruleCharsMax) continue;
      ruleChars += value.length;
      const rule = { isAllowed: field === 'allow', pattern: normalPath(value) };
      if (agents.some((agent) => namesUs(agent, productToken))) own.push(rule);
      if (agents.includes('*')) general.push(rule);
    }
  }
  const rules = isOwnNamed ? own : general;
  return { allows: (path) => isAllowed(rules, normalPath(path)) };
}

/** `Daybook/1.0` names Daybook; `Daybook-News` does not. */
function namesUs(agent: string, productToken: string): boolean {
  return /^[A-Za-z_-]*/u.exec(agent.trim())?.[0].toLowerCase() === productToken.toLowerCase();
}

/** The longest pattern that matches decides; of two as long, the one that allows. */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  if (path === '/robots.txt') return true;
  let best: Rule | null = null;
  for (const rule of rules) {
    if (best !== null && rule.pattern.length < best.pattern.length) continue;
    if (best !== null && rule.pattern.length === best.pattern.length && !rule.isAllowed) continue;
    if (matches(rule.pattern, path)) best = rule;
  }
  return best?.isAllowed ?? true;
}

/** `*` matches any text, a final `$` the end. Linear: each piece is searched once, from left to right. */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$');
  const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...others] = pieces;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isAnchored ? others.pop() : undefined;
  for (const piece of others) {
    const found = path.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  if (!isAnchored) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}

/** Escapes are compared in one form. */
function normalPath(path: string): string {
  return path
    .replaceAll(/%[0-9a-f]{2}/giu, (escape) => escape.toUpperCase())
    .replaceAll(/[^\u0021-\u007e]+/gu, (characters) => encodeURIComponent(characters.toWellFormed()));
}
