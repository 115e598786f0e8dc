/**
 * What no name may hold, inside the brackets of a regular expression: control characters, characters that show nothing
 * or turn the direction of what follows (bidi controls), and whatever ends a line.
 */
const unreadable = '\\p{C}\\p{Zl}\\p{Zp}';

/** For the schema of a name: nothing unreadable, and no blanks at its ends. */
export const readableNamePattern = `^[^\\s${unreadable}](?:[^${unreadable}]*[^\\s${unreadable}])?$`;

/** The same where blanks at the ends are taken away afterwards. */
export const untrimmedNamePattern = `^ *${readableNamePattern.slice(1, -1)} *$`;

const readableName = new RegExp(readableNamePattern, 'u');

export function isReadableName(text: string): boolean {
  return readableName.test(text);
}
