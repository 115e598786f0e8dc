import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type pg from 'pg';

const mark = /^\/\* prepared as ([a-z-]+) \*\/ /;

/**
 * Prefix of a statement that is sent often and whose text never changes: where the connection allows it,
 * PostgreSQL then plans it once, which for a complex statement costs more than running it.
 */
export function preparedAs(name: string): RawBuilder<never> {
  return sql.raw(`/* prepared as ${name} */ `);
}

/** The same for a built query in which only parameters change. */
export function preparedQuery<Row>(name: string, query: Expression<Row>): RawBuilder<Row> {
  return sql<Row>`${preparedAs(name)}${query}`;
}

/** Makes a connection prepare the marked statements. */
export function preparingMarked(client: pg.PoolClient): void {
  const send = client.query.bind(client) as (...parts: unknown[]) => unknown;
  const query = (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
    const name = typeof text === 'string' ? mark.exec(text)?.[1] : undefined;
    return name === undefined ? send(text, values, ...rest) : send({ name, text, values }, ...rest);
  };
  Object.assign(client, { query });
}
