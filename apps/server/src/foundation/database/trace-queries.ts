import type pg from 'pg';

import type { Tracer } from '../tracing/tracer.ts';

/** Makes a connection record a span for each statement of a traced request or run, never its parameters. */
export function traceQueries(client: pg.ClientBase, tracer: Tracer): void {
  const send = client.query.bind(client) as (...parts: unknown[]) => unknown;
  const query = (...parts: unknown[]): unknown => {
    const parent = tracer.current();
    const text = parent === undefined ? null : textOf(parts[0]);
    // Streams are read after their statement has been sent.
    if (parent === undefined || text === null) return send(...parts);
    const name = statementName(text);
    const span = tracer.startChild(parent, 'client', name);
    span.attributes['db.system.name'] = 'postgresql';
    span.attributes['db.query.summary'] = name;
    const callback = parts.at(-1);
    if (typeof callback === 'function') {
      const report = (error: unknown, result: unknown): unknown => {
        tracer.end(span, error ?? undefined);
        return callback(error, result);
      };
      return send(...parts.slice(0, -1), report);
    }
    return endedWith(tracer, span, send(...parts));
  };
  Object.assign(client, { query });
}

function endedWith(tracer: Tracer, span: Parameters<Tracer['end']>[0], sent: unknown): unknown {
  if (!(sent instanceof Promise)) {
    tracer.end(span);
    return sent;
  }
  return sent.then(
    (result: unknown) => {
      tracer.end(span);
      return result;
    },
    (error: unknown) => {
      tracer.end(span, error);
      throw error;
    },
  );
}

function textOf(statement: unknown): string | null {
  if (typeof statement === 'string') return statement;
  const { text, submit } = (statement ?? {}) as { readonly text?: unknown; readonly submit?: unknown };
  return typeof text === 'string' && submit === undefined ? text : null;
}

const prepared = /^\/\* prepared as ([a-z-]+) \*\/ /;
const table = '"?([a-z_]{4,63})"?\\."?([a-z_]{4,63})"?';
const ofTable: Readonly<Record<string, RegExp>> = {
  insert: new RegExp(`\\binto\\s+${table}`, 'i'),
  update: new RegExp(`\\bupdate\\s+${table}`, 'i'),
  delete: new RegExp(`\\bfrom\\s+${table}`, 'i'),
  select: new RegExp(`\\bfrom\\s+${table}`, 'i'),
  with: new RegExp(`\\bfrom\\s+${table}`, 'i'),
};

/** The name of a prepared statement; of others the first keyword and the first table. */
export function statementName(text: string): string {
  const name = prepared.exec(text)?.[1];
  if (name !== undefined) return name;
  const verb = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'query';
  const [, schema, relation] = ofTable[verb]?.exec(text) ?? [];
  return schema === undefined ? verb : `${verb} ${schema}.${relation}`;
}
