import { readdir, readFile, writeFile } from 'node:fs/promises';

import type { JSONSchema } from 'json-schema-to-typescript';
import { compile } from 'json-schema-to-typescript';

// Writes the types and the tables of operations of @daybook/client from the committed API descriptions, and the skill of
// @daybook/mcp.
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JSONSchema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: JSONSchema }>>;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Content;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Readonly<Record<string, Content>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JSONSchema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
  };
}

const headOf = (file: string): string => `/* Written by \`npm run client:types\` from docs/${file}. */\n`;

/** Of the news API, whose operations only read. */
export async function newsTypes(description: Description): Promise<string> {
  const operations = operationsOf(description, ['get']);
  const types = await typesOf(description, 'NewsOperations', operations);
  const lines = operations.map(({ name, path }) => `  ${name}: '${path}',`);
  return `${headOf('openapi-v1.json')}\n${types}\nexport const newsOperations = {\n${lines.join('\n')}\n} as const satisfies Record<keyof NewsOperations, string>;\n`;
}

/** The APIs of signed-in callers, each an entry point of its own. */
export const signedInApis = ['accounts', 'platform', 'storage', 'watch'] as const;

export async function signedInTypes(api: string, description: Description): Promise<string> {
  const title = `${api.charAt(0).toUpperCase()}${api.slice(1)}Operations`;
  const operations = operationsOf(description, ['get', 'post', 'put', 'patch', 'delete']);
  const types = await typesOf(description, title, operations);
  const lines = operations.map(
    ({ name, method, path, isContent }) =>
      `  ${name}: '${method.toUpperCase()} ${path}${isContent ? ' content' : ''}',`,
  );
  return `${headOf(`openapi-${api}.json`)}\n${types}\nexport const ${api}Operations = {\n${lines.join('\n')}\n} as const satisfies Record<keyof ${title}, string>;\n`;
}

async function typesOf(
  description: Description,
  title: string,
  operations: ReturnType<typeof operationsOf>,
): Promise<string> {
  const schema: JSONSchema = {
    title,
    type: 'object',
    additionalProperties: false,
    required: operations.map(({ name }) => name),
    properties: Object.fromEntries(operations.map(({ name, schema: one }) => [name, one])),
    components: { schemas: description.components.schemas },
    $defs: { Problem: description.components.schemas['Problem'] ?? {} },
  };
  return compile(schema, title, {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 110 },
  });
}

/** The skill of the repository, for programs that serve it without the repository. */
export async function skillFiles(): Promise<string> {
  const folder = new URL('../skills/daybook/', import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  const files: Record<string, string> = {};
  for (const name of names) files[name] = await readFile(new URL(name, folder), 'utf8');
  return `/* Written by \`npm run client:types\` from skills/daybook. */\n\nexport const skillFiles: Readonly<Record<string, string>> = ${JSON.stringify(files, null, 2)};\n`;
}

interface ListedOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly schema: JSONSchema;
  /** Returns other content than JSON. */
  readonly isContent: boolean;
}

function operationsOf(
  { paths, components }: Description,
  methods: readonly string[],
): readonly ListedOperation[] {
  const listed = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  );
  return listed.flatMap(({ path, method, operation }) => {
    if (!methods.includes(method)) return [];
    const parameters = (operation.parameters ?? [])
      .map((one) => ('$ref' in one ? components.parameters?.[one.$ref.split('/').at(-1) ?? ''] : one))
      .filter((one) => one !== undefined)
      .filter((one) => one.in !== 'header');
    const answer = successOf(operation);
    const isRead = methods.length === 1;
    const params: JSONSchema = {
      type: 'object',
      additionalProperties: false,
      required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
      properties: Object.fromEntries(
        parameters.map(({ name, schema, description }) => [name, { ...schema, description }]),
      ),
    };
    const schema: JSONSchema = {
      type: 'object',
      additionalProperties: false,
      required: ['params', 'data', ...(operation.requestBody === undefined ? [] : ['body'])],
      properties: {
        params,
        ...(operation.requestBody === undefined
          ? {}
          : { body: contentSchema(operation.requestBody, sentBody) }),
        data: isRead ? (firstContent(answer)?.schema ?? {}) : contentSchema(answer, 'Response'),
      },
    };
    const isContent = isOther(answer);
    return [{ name: camelCase(operation.operationId), method, path, schema, isContent }];
  });
}

/** The success of an operation; where it has several, the one in JSON, which a client gets unless it asks for another. */
function successOf({ responses }: Operation): Content | undefined {
  const found = Object.entries(responses).flatMap(([status, one]) => (status.startsWith('2') ? [one] : []));
  return found.find((one) => one.content !== undefined && !isOther(one)) ?? found[0];
}

function isOther(content: Content | undefined): boolean {
  const [type] = Object.keys(content?.content ?? {});
  return type !== undefined && !type.includes('json');
}

function firstContent(content: Content | undefined): { readonly schema?: JSONSchema } | undefined {
  return Object.values(content?.content ?? {})[0];
}

const sentBody = "NonNullable<RequestInit['body']>";

/** Null without content; a type of the platform for content that is not JSON. */
function contentSchema(content: Content | undefined, binary: string): JSONSchema {
  if (firstContent(content) === undefined) return { type: 'null' };
  return isOther(content) ? { tsType: binary } : (firstContent(content)?.schema ?? {});
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

if (process.argv[1] === import.meta.filename) {
  const read = async (file: string): Promise<Description> =>
    JSON.parse(await readFile(new URL(`../docs/${file}`, import.meta.url), 'utf8')) as Description;
  const generated = (path: string): URL => new URL(`../packages/${path}`, import.meta.url);
  const news = await newsTypes(await read('openapi-v1.json'));
  await writeFile(generated('client/src/generated/news-api.ts'), news);
  for (const api of signedInApis) {
    const types = await signedInTypes(api, await read(`openapi-${api}.json`));
    await writeFile(generated(`client/src/generated/${api}-api.ts`), types);
  }
  await writeFile(generated('mcp/src/generated/skill-files.ts'), await skillFiles());
}
