import { expect, test } from 'vitest';

import { previewOf } from './preview.ts';

const preview = (detectedMediaType: string | null, mediaType: string) =>
  previewOf({ detectedMediaType, mediaType });

test.each([
  ['image/png', 'image/png', 'image', 'image/png'],
  ['image/apng', 'image/png', 'image', 'image/apng'],
  ['audio/x-m4a', 'audio/mp4', 'audio', 'audio/mp4'],
  ['video/webm', 'VIDEO/WebM', 'video', 'video/webm'],
  ['text/plain', 'text/markdown', 'text', 'text/plain; charset=utf-8'],
])('renders %s stated as %s', (detected, stated, kind, contentType) => {
  expect(preview(detected, stated)).toEqual({ kind, contentType });
});

test.each([
  [null, 'image/png'],
  ['text/plain', 'image/png'],
  ['image/png', 'application/octet-stream'],
  ['image/png', 'text/html'],
  ['text/plain', 'text/html'],
  ['text/plain', 'text/javascript'],
  ['application/xml', 'image/svg+xml'],
  ['image/svg+xml', 'image/svg+xml'],
  ['text/html', 'text/html'],
  ['application/pdf', 'application/pdf'],
  ['application/octet-stream', 'application/octet-stream'],
])('does not render %s stated as %s', (detected, stated) => {
  expect(preview(detected, stated)).toBeNull();
});
