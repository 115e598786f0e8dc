import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Reads spans as fast as they come; with the argument `silent` it never answers.
const isSilent = process.argv[2] === 'silent';
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    if (!isSilent) response.setHeader('content-type', 'application/json').end('{}');
  });
}).listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
