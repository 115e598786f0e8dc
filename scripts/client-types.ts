import { readdir, readFile, writeFile } from 'node:fs/promises';

import type { JSONSchema } from 'json-schema-to-typescript';
import { compile } from 'json-schema-to-typescript';

// Writes the types and the table of operations of @daybook/client, and the schemas of @daybook/mcp, from the committed
// description of the news API.
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JSONSchema;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JSONSchema }>> }>
  >;
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JSONSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

const head = '/* Written by `npm run client:types` from docs/openapi-v1.json. */\n';

/** The output schemas of the tools of @daybook/mcp, with all their references. */
const toolSchemas = [
  'ChangesResponse',
  'Correction',
  'HotTopicsResponse',
  'Item',
  'ReportFlash',
  'ReportSection',
  'Story',
];

/**
 * The schemas themselves, for programs that validate; a reference points to `$defs` of the including schema. Without
 * formats, which are notes for readers: a validator that knows them would refuse a publisher's unusual address.
 */
export function newsSchemas({ components }: Description): string {
  const taken = new Map<string, unknown>();
  const take = (name: string): void => {
    if (taken.has(name)) return;
    const text = JSON.stringify(components.schemas[name] ?? {});
    const refer = (key: string, value: unknown): unknown =>
      key === 'format'
        ? undefined
        : key === '$ref'
          ? String(value).replace('#/components/schemas/', '#/$defs/')
          : value;
    taken.set(name, JSON.parse(text, refer));
    for (const [, other = ''] of text.matchAll(/#\/components\/schemas\/(\w+)/g)) take(other);
  };
  for (const name of toolSchemas) take(name);
  const sorted = Object.fromEntries([...taken].sort(([a], [b]) => a.localeCompare(b)));
  return `${head}\nexport const newsSchemas = ${JSON.stringify(sorted, null, 2)};\n`;
}

export async function newsTypes(description: Description): Promise<string> {
  const operations = operationsOf(description);
  const schema: JSONSchema = {
    title: 'NewsOperations',
    type: 'object',
    additionalProperties: false,
    required: operations.map(({ name }) => name),
    properties: Object.fromEntries(operations.map(({ name, schema: one }) => [name, one])),
    components: { schemas: description.components.schemas },
    $defs: { Problem: description.components.schemas['Problem'] ?? {} },
  };
  const types = await compile(schema, 'NewsOperations', {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  const lines = operations.map(({ name, path }) => `  ${name}: '${path}',`);
  return `${head}\n${types}\nexport const newsOperations = {\n${lines.join('\n')}\n} as const satisfies Record<keyof NewsOperations, string>;\n`;
}

/** The skill of the repository, for programs that serve it without the repository. */
export async function skillFiles(): Promise<string> {
  const folder = new URL('../skills/daybook/', import.meta.url);
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.md')).sort();
  const files: Record<string, string> = {};
  for (const name of names) files[name] = await readFile(new URL(name, folder), 'utf8');
  return `/* Written by \`npm run client:types\` from skills/daybook. */\n\nexport const skillFiles: Readonly<Record<string, string>> = ${JSON.stringify(files, null, 2)};\n`;
}

function operationsOf({ paths, components }: Description): readonly {
  readonly name: string;
  readonly path: string;
  readonly schema: JSONSchema;
}[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const parameters = (get.parameters ?? [])
      .map((one) => ('$ref' in one ? components.parameters[one.$ref.split('/').at(-1) ?? ''] : one))
      .filter((one) => one !== undefined)
      .filter((one) => one.in !== 'header');
    const [content] = Object.values(get.responses['200']?.content ?? {});
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
      required: ['params', 'data'],
      properties: { params, data: content?.schema ?? {} },
    };
    return [{ name: camelCase(get.operationId), path, schema }];
  });
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

if (process.argv[1] === import.meta.filename) {
  const description = JSON.parse(
    await readFile(new URL('../docs/openapi-v1.json', import.meta.url), 'utf8'),
  ) as Description;
  const generated = (path: string): URL => new URL(`../packages/${path}`, import.meta.url);
  await writeFile(generated('client/src/generated/news-api.ts'), await newsTypes(description));
  await writeFile(generated('mcp/src/generated/news-schemas.ts'), newsSchemas(description));
  await writeFile(generated('mcp/src/generated/skill-files.ts'), await skillFiles());
}
