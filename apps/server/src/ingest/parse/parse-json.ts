/** Deeper documents cost memory far beyond their size and are no feeds. */
const depthMax = 200;

/** The value of a third-party JSON document; undefined if it is malformed or nested too deeply. */
export function parseJson(text: string): unknown {
  if (nestsDeeperThan(depthMax, text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function nestsDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}
