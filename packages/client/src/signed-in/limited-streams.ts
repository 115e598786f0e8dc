import type { AttemptLimit } from '../attempt-limit.ts';

type Body = RequestInit['body'] | null;

/** How long sending a body may take beside waiting for the response, in milliseconds; unknown for a stream. */
export function sendingMs(body: Body, bytesPerSecond: number): number {
  return (sizeOf(body) / bytesPerSecond) * 1000;
}

function sizeOf(body: Body): number {
  if (typeof body === 'string') return body.length;
  if (body instanceof Blob) return body.size;
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? body.byteLength : 0;
}

/** A stream to send: each part must be taken within the response's time. Time that its producer takes does not count. */
export function limitedUpload(
  stream: ReadableStream<Uint8Array>,
  limit: AttemptLimit,
): ReadableStream<Uint8Array> {
  return piecewise(stream, {
    before: () => limit.pause(),
    after: () => limit.restart('the server did not accept the content'),
    end: () => undefined,
    read: (reading) => reading,
  });
}

/** The response, whose content ends by the caller's signal, or where no part of it arrives within the response's time. */
export function limitedDownload(response: Response, limit: AttemptLimit): Response {
  const { body, status, statusText, headers } = response;
  limit.pause();
  if (body === null) {
    limit.end();
    return response;
  }
  const stream = piecewise(body, {
    before: () => limit.restart('the content did not continue'),
    after: () => limit.pause(),
    end: () => limit.end(),
    read: (reading) => limit.within(reading),
  });
  return new Response(stream, { status, statusText, headers });
}

interface Steps {
  readonly before: () => void;
  readonly after: () => void;
  readonly end: () => void;
  readonly read: <T>(reading: Promise<T>) => Promise<T>;
}

/** The same stream; one part is read when one is asked for. */
function piecewise(
  source: ReadableStream<Uint8Array>,
  { before, after, end, read }: Steps,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        before();
        try {
          const { done, value } = await read(reader.read());
          after();
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          reader.cancel(error).catch(() => undefined);
          throw error;
        }
      },
      cancel: (reason) => {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
