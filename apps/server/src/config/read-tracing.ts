import type { TracingSettings } from '../foundation/tracing/tracing-settings.ts';
import type { Environment } from './env.ts';

/** By the names and defaults of the OpenTelemetry specification. Null: no traces, and no code of them is loaded. */
export function readTracing(environment: Environment): TracingSettings | null {
  const endpoint = environment.baseUrl('OTEL_EXPORTER_OTLP_ENDPOINT', '');
  const headers = readHeaders(environment);
  const serviceName = environment.text('OTEL_SERVICE_NAME', 'daybook');
  const samplers = ['parentbased_always_on', 'parentbased_traceidratio'] as const;
  const sampler = environment.oneOf('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on');
  const ratio = environment.fraction('OTEL_TRACES_SAMPLER_ARG', 1);
  if (endpoint === '') return null;
  return { endpoint, headers, serviceName, ratio: sampler === 'parentbased_always_on' ? 1 : ratio };
}

/** `name=value` with commas between them, values percent-encoded; never repeated in an error message. */
function readHeaders(environment: Environment): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const entry of environment.list('OTEL_EXPORTER_OTLP_HEADERS')) {
    const [, name = '', value = ''] = /^([\w-]+)\s*=\s*([\x21-\x7e]+)$/.exec(entry) ?? [];
    const decoded = decode(value);
    if (name === '' || decoded === null)
      environment.complain(
        'OTEL_EXPORTER_OTLP_HEADERS must be a comma-separated list of name=value, percent-encoded',
      );
    else headers[name] = decoded;
  }
  return headers;
}

function decode(value: string): string | null {
  try {
    const decoded = decodeURIComponent(value);
    return /^[\x20-\x7e]+$/.test(decoded) ? decoded : null;
  } catch {
    return null;
  }
}
