/** A parameter that cannot be used as received; the validator reports it by name. */
export class BadParameter {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

const parametersMax = 50;

/** Reads a query string without guessing: a repeated or malformed parameter is marked, never repaired. */
export function parseQueryString(text: string): Record<string, string | BadParameter> {
  const parameters: Record<string, string | BadParameter> = Object.create(null) as Record<
    string,
    string | BadParameter
  >;
  if (text === '') return parameters;
  const pairs = text.split('&');
  if (pairs.length > parametersMax)
    return { '': new BadParameter(`has more than ${parametersMax} parameters`) };
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    if (name === undefined)
      parameters['?'] = new BadParameter('contains a parameter name that is not valid percent-encoded UTF-8');
    else if (name in parameters) parameters[name] = new BadParameter('must be sent only once');
    else if (value === undefined) parameters[name] = new BadParameter('is not valid percent-encoded UTF-8');
    else parameters[name] = value;
  }
  return parameters;
}

function decode(text: string): string | undefined {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
