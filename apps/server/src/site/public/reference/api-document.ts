/** A description of routes, as the site shows it and as programs read it at `path`. */
export interface DescribedApi {
  /** Last segment of its page, `/docs/{name}`. */
  readonly name: 'news' | 'accounts' | 'platform' | 'storage' | 'watch';
  readonly path: string;
  readonly describe: () => Readonly<Record<string, unknown>>;
}

/** The part of JSON Schema that the declarations use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Reference {
  readonly $ref: string;
}

export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Partial<MediaType>>> };
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly security?: readonly SecurityRequirement[];
}

export interface Operation extends Omit<DocumentedOperation, 'parameters' | 'requestBody' | 'security'> {
  readonly method: string;
  readonly path: string;
  /** Its own; those of every operation are `ApiDocument.everywhere`. */
  readonly parameters: readonly Parameter[];
  readonly body: MediaType | null;
  /** Media type of a body that is bytes without a form. */
  readonly bytes: string | null;
  /** Names of schemes, any of which is enough. */
  readonly credentials: readonly string[];
}

export interface Tag {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface ApiDocument {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly Tag[];
  /** Parameters that every operation takes. */
  readonly everywhere: readonly Parameter[];
  readonly credentials: Readonly<Record<string, { readonly description: string }>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly securitySchemes?: ApiDocument['credentials'];
  };
}

/** An OpenAPI document arranged for reading: by tag, with common parts described once. */
export function readApiDocument({ describe }: DescribedApi): ApiDocument {
  const { info, paths, tags, components } = describe() as unknown as OpenApi;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, declared]) => readOperation(method, path, declared)),
  );
  const described = new Map(tags.map(({ name, description }) => [name, description]));
  const byTag = Map.groupBy(operations, (operation) => operation.tags[0] ?? '');
  const names = [...new Set([...described.keys(), ...byTag.keys()])];
  return {
    ...info,
    tags: names.map((name) => ({
      name,
      description: described.get(name) ?? '',
      operations: byTag.get(name) ?? [],
    })),
    everywhere: Object.values(components.parameters ?? {}),
    credentials: components.securitySchemes ?? {},
    schemas: components.schemas,
  };
}

function readOperation(method: string, path: string, declared: DocumentedOperation): Operation {
  const { parameters, requestBody, security, ...rest } = declared;
  const [contentType, media] = Object.entries(requestBody?.content ?? {})[0] ?? [null];
  return {
    ...rest,
    method: method.toUpperCase(),
    path,
    parameters: parameters.filter((one): one is Parameter => !('$ref' in one)),
    body: media?.schema === undefined ? null : { ...media, schema: media.schema },
    bytes: media?.schema === undefined ? contentType : null,
    credentials: (security ?? []).flatMap((requirement) => Object.keys(requirement)),
  };
}

/** Resolves a reference to its schema. */
export function resolved(schema: Schema, { schemas }: Pick<ApiDocument, 'schemas'>): Schema {
  const { $ref, ...rest } = schema;
  return $ref === undefined ? schema : { ...schemas[$ref.slice($ref.lastIndexOf('/') + 1)], ...rest };
}

/** The type of a value without null, and whether it is nullable. */
export function alternatives(
  schema: Schema,
  document: Pick<ApiDocument, 'schemas'>,
): { readonly of: readonly Schema[]; readonly nullable: boolean } {
  const whole = resolved(schema, document);
  const of = (whole.anyOf ?? [whole]).map((one) => resolved(one, document));
  const nullable = of.some(({ type }) => type === 'null' || (Array.isArray(type) && type.includes('null')));
  return { of: of.filter(({ type }) => type !== 'null'), nullable };
}
