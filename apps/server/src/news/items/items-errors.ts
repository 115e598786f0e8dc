import type { ProblemDefinition } from '../../foundation/problem.ts';

export const invalidCursor: ProblemDefinition = {
  code: 'invalid_cursor',
  kind: 'invalid',
  title: 'Invalid cursor',
  explanation:
    'The cursor was not written for this query, cannot be read, or stands at an item that has left the window. Start again from the first page; do not keep cursors across days.',
};
