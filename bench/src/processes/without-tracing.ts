import { registerHooks } from 'node:module';

// Loaded before a server, replaces all modules that trace: the server then has no code for traces at all.
const replaced: Readonly<Record<string, string>> = {
  'tracing/start-tracing.ts': 'export const startTracing = async () => null;',
  'tracing/tracing-metrics.ts': 'export const registerTracingMetrics = () => {};',
  'http/trace-requests.ts': 'export const traceRequests = () => {}, nameTracedRoutes = () => {};',
  'database/trace-queries.ts': 'export const traceQueries = () => {};',
};

registerHooks({
  load: (url, context, next) => {
    const source = Object.entries(replaced).find(([file]) => url.endsWith(`/foundation/${file}`))?.[1];
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
