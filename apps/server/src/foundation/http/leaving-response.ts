import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { ServerResponse } from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Answers that ask for their connection to be closed once the process leaves. Decided when the head is written, not when
 * the request came: a slow request that began before must not leave a connection behind that a proxy would use again.
 */
export function leavingResponse(leaving: () => boolean): typeof ServerResponse {
  class LeavingResponse extends ServerResponse {
    override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
      if (leaving()) this.shouldKeepAlive = false;
      return typeof reason === 'string'
        ? super.writeHead(status, reason, headers)
        : super.writeHead(status, reason);
    }
  }
  return LeavingResponse as typeof ServerResponse;
}
