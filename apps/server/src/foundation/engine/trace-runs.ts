import { formatTraceParent, parseTraceParent } from '../tracing/trace-parent.ts';
import type { Tracer } from '../tracing/tracer.ts';

export type TraceStep = <Output>(name: string, work: () => Promise<Output>) => Promise<Output>;

export interface TracedRun {
  readonly workflow: string;
  readonly workflowId: string;
  /** Stored with the run by the traced request, run or step that enqueued it. */
  readonly traceParent: unknown;
}

/** A span for one execution of a run. Without a stored parent the run begins a trace, if it is sampled. */
export async function traceRun<Output>(
  tracer: Tracer | null,
  { workflow, workflowId, traceParent }: TracedRun,
  work: () => Promise<Output>,
): Promise<Output> {
  if (tracer === null) return work();
  const parent = parseTraceParent(traceParent);
  const span =
    parent === null
      ? tracer.startRoot('consumer', workflow)
      : tracer.startChild(parent, 'consumer', workflow);
  if (span === null) return work();
  span.attributes['daybook.workflow.name'] = workflow;
  span.attributes['daybook.workflow.run_id'] = workflowId;
  return endedWith(tracer, span, work);
}

/** A span for each step of a traced run that is executed, and none for a step whose result is stored. */
export function createStepTracing(tracer: Tracer | null, workflow: string, workflowId: string): TraceStep {
  return async (name, work) => {
    const parent = tracer?.current();
    if (tracer === null || parent === undefined) return work();
    const span = tracer.startChild(parent, 'internal', `${workflow} ${name}`);
    span.attributes['daybook.workflow.name'] = workflow;
    span.attributes['daybook.workflow.run_id'] = workflowId;
    span.attributes['daybook.workflow.step'] = name;
    return endedWith(tracer, span, work);
  };
}

async function endedWith<Output>(
  tracer: Tracer,
  span: Parameters<Tracer['end']>[0],
  work: () => Promise<Output>,
): Promise<Output> {
  try {
    const output = await tracer.run(span, work);
    tracer.end(span);
    return output;
  } catch (error) {
    tracer.end(span, error);
    throw error;
  }
}

/** What an enqueued run stores: nothing outside of a traced request or step. */
export function currentTraceParent(tracer: Tracer | null): string | undefined {
  const span = tracer?.current();
  return span === undefined ? undefined : formatTraceParent(span);
}
