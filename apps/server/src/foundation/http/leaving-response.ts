import type { OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { ServerResponse } from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Responses that carry `Connection: close` once the process drains. Decided when the head is written, not when the
 * request arrived: a slow earlier request must not leave a connection open that a proxy would reuse.
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
