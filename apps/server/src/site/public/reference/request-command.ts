import type { ApiDocument, Operation } from './api-document.ts';
import { exampleOf } from './example-value.ts';

/** How each credential is sent; the value is in a shell variable, and so in no history. */
const credentialHeaders: Readonly<Record<string, string>> = {
  bearer: 'Authorization: Bearer $ACCESS_TOKEN',
  apiKey: 'X-API-Key: $API_KEY',
  apiToken: 'Authorization: Api-Token $API_TOKEN',
};

/** A shell command that sends an operation's request with its required parameters. */
export function requestCommand(
  { method, path, parameters, body, bytes, credentials }: Operation,
  document: Pick<ApiDocument, 'schemas'>,
  baseUrl: string,
): string {
  const value = (name: string): string => {
    const schema = parameters.find((one) => one.name === name)?.schema ?? {};
    return encodeURIComponent(String(exampleOf(schema, document, name)));
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name));
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }) => `${name}=${value(name)}`)
    .join('&');
  const credential = credentialHeaders[credentials[0] ?? ''];
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${baseUrl}${filled}${query === '' ? '' : `?${query}`}`)}`,
    credential === undefined ? '' : `-H "${credential}"`,
    ...(bytes === null ? [] : [`-H 'Content-Type: ${bytes}'`, '--data-binary @file']),
    ...(body === null
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d ${quoted(JSON.stringify(body.example ?? exampleOf(body.schema, document)))}`,
        ]),
  ];
  return parts.filter((part) => part !== '').join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
