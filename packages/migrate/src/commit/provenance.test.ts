import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { provenanceComment } from './provenance.ts';

const stamp = { at: '2026-01-02T03:04:05.000Z', run: 'r' };
const hostile = fc.string({
  unit: fc.constantFrom('-', '>', '<', '!', ';', '&', '\n', '\r', '\u2028', 'a', ' '),
});

it('no source or heading can end the comment early, open another or forge a field', () => {
  fc.assert(
    fc.property(hostile, fc.array(hostile, { maxLength: 3 }), (source, headings) => {
      const comment = provenanceComment({ id: 'i', source, headings }, stamp);
      expect(comment).toMatch(/^<!-- [^<>\n\r\u2028]* -->$/);
      expect(comment.slice(4, -3)).not.toContain('--');
      expect(comment.split('; chunk: ')).toHaveLength(2);
    }),
  );
});
