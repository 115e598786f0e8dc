import { systemClock } from '../../../apps/server/src/foundation/clock.ts';
import { logKeyFile, nextOrigin, startLogEpoch } from '../../../apps/server/src/record/wiring.ts';
import type { Operator } from './operator.ts';
import { change, goOn, signRewritten, signSize } from './operator.ts';
import type { Party } from './parties.ts';

export interface Attack {
  readonly name: string;
  readonly run: (operator: Operator) => Promise<void>;
  /** Must detect it; others can as well. */
  readonly detectedBy: Party;
}

export interface AttackFacts {
  readonly itemId: string;
  readonly storyId: string;
  readonly period: string;
  readonly correctionId: string;
  /** Leaves in the log, and in the earlier checkpoint that the reader with one proof has. */
  readonly size: number;
  readonly proofSize: number;
  readonly earlierCheckpoint: string;
}

const mirror = 'mirror with earlier checkpoints';

export function attacksOn(facts: AttackFacts): readonly Attack[] {
  return [
    ...editedContents(facts),
    ...editedSalts(facts),
    ...rewrittenLeaves(facts),
    ...editedEntries(facts),
    ...editedTiles(facts),
    ...restores(facts),
    ...replays(facts),
    ...keyAttacks(facts),
    ...epochAttacks(facts),
  ];
}

/** Content is changed in its tables without a log entry. */
function editedContents({ itemId, storyId, period, correctionId }: AttackFacts): readonly Attack[] {
  const item = ['title', 'summary', 'category', 'original_url', 'language', 'reason', 'original_title'];
  const statements: readonly (readonly [what: string, statement: string])[] = [
    ...item.map(
      (column) =>
        [
          `${column} of an item`,
          `UPDATE record.item SET ${column} = 'en-changed' WHERE id = '${itemId}'`,
        ] as const,
    ),
    ['the score of an item', `UPDATE record.item SET score = 1 WHERE id = '${itemId}'`],
    [
      'the selection of an item',
      `UPDATE record.item SET selected = false, digest = NULL, reason = NULL WHERE id = '${itemId}'`,
    ],
    ['the time of an item', `UPDATE record.item SET revised_at = now() WHERE id = '${itemId}'`],
    ['the story of an item', `UPDATE record.item SET story_id = NULL WHERE id = '${itemId}'`],
    ['an item that disappears', `DELETE FROM record.item WHERE id = '${itemId}'`],
    [
      'a withdrawal without an entry',
      `UPDATE record.item SET withdrawn_at = now(), title = '', summary = '', body = NULL, selected = false, digest = NULL, reason = NULL WHERE id = '${itemId}'`,
    ],
    [
      'words erased without an entry',
      `UPDATE record.log_content SET salt = NULL, erased_at = now() WHERE subject = '${itemId}'`,
    ],
    ['the title of a story', `UPDATE record.story SET title = 'Changed' WHERE id = '${storyId}'`],
    ['the digest of a story', `UPDATE record.story SET digest = NULL WHERE id = '${storyId}'`],
    [
      'a sentence of a digest',
      `UPDATE record.story SET digest = jsonb_set(digest, '{text}', '"Changed."') WHERE id = '${storyId}'`,
    ],
    [
      'the headline of a report',
      `UPDATE record.edition_revision SET headline = 'Changed' WHERE period = '${period}'`,
    ],
    [
      'the overview of a report',
      `UPDATE record.edition_revision SET overview = 'Changed' WHERE period = '${period}'`,
    ],
    ['an entry of a report', `DELETE FROM record.edition_citation WHERE period = '${period}'`],
    [
      'the reason of a correction',
      `UPDATE record.correction SET reason = 'Changed' WHERE id = '${correctionId}'`,
    ],
    [
      'the time of a correction',
      `UPDATE record.correction SET at = at - interval '1 day' WHERE id = '${correctionId}'`,
    ],
  ];
  return statements.map(([what, statement]) => ({
    name: `content without an entry: ${what}`,
    run: (operator) => change(operator, statement),
    detectedBy: 'reader of the content',
  }));
}

function editedSalts({ itemId, storyId, period }: AttackFacts): readonly Attack[] {
  return [itemId, storyId, period].map((subject) => ({
    name: `another salt, of ${subject === period ? 'a report' : subject === storyId ? 'a story' : 'an item'}`,
    run: (operator) =>
      change(
        operator,
        `UPDATE record.log_content SET salt = sha256('other') WHERE subject = '${subject}' AND salt IS NOT NULL`,
      ),
    detectedBy: 'reader of the content',
  }));
}

/** Places that a rewrite can begin at. */
function placesOf({ size }: AttackFacts): readonly (readonly [name: string, index: number])[] {
  return [
    ['the first leaf', 0],
    ['a leaf of the first half', Math.floor(size / 3)],
    ['the last leaf of a full tile', 255],
    ['the first leaf of the last tile', 256],
    ['the last leaf', size - 1],
  ];
}

const leafChanges: readonly (readonly [
  name: string,
  statement: (index: number, size: number) => readonly string[],
])[] = [
  [
    'backdated',
    (index) => [`UPDATE record.log_entry SET at = at - interval '1 day' WHERE leaf_index = ${index}`],
  ],
  [
    'postdated',
    (index) => [`UPDATE record.log_entry SET at = at + interval '1 hour' WHERE leaf_index = ${index}`],
  ],
  [
    'with another hash',
    (index) => [
      `UPDATE record.log_entry SET action = 'revised', body_hash = sha256('other') WHERE leaf_index = ${index}`,
    ],
  ],
  [
    'turned into a withdrawal',
    (index) => [
      `UPDATE record.log_entry SET action = 'withdrawn', body_hash = NULL WHERE leaf_index = ${index}`,
    ],
  ],
  [
    'of another subject',
    (index) => [`UPDATE record.log_entry SET subject = 'other' WHERE leaf_index = ${index}`],
  ],
  [
    'of another revision',
    (index) => [`UPDATE record.log_entry SET revision = revision + 40 WHERE leaf_index = ${index}`],
  ],
  ['of another kind', (index) => [`UPDATE record.log_entry SET kind = 'weekly' WHERE leaf_index = ${index}`]],
  [
    'dropped',
    (index) => [`DELETE FROM record.log_entry WHERE leaf_index = ${index}`, ...shift(`> ${index}`, -1)],
  ],
  [
    'inserted before it',
    (index) => [
      ...shift(`>= ${index}`, 1),
      `INSERT INTO record.log_entry (kind, action, subject, revision, at, body_hash, leaf_index)
         VALUES ('item', 'published', 'inserted', 1, now() - interval '2 days', sha256('inserted'), ${index})`,
    ],
  ],
  [
    'exchanged with another',
    (index, size) => {
      const other = (index + 7) % size;
      return [
        `UPDATE record.log_entry SET leaf_index = 1000000 WHERE leaf_index = ${index}`,
        `UPDATE record.log_entry SET leaf_index = ${index} WHERE leaf_index = ${other}`,
        `UPDATE record.log_entry SET leaf_index = ${other} WHERE leaf_index = 1000000`,
      ];
    },
  ],
];

/** In two steps, because places are unique. */
function shift(condition: string, by: number): readonly string[] {
  return [
    `UPDATE record.log_entry SET leaf_index = leaf_index + 1000000 WHERE leaf_index ${condition}`,
    `UPDATE record.log_entry SET leaf_index = leaf_index - 1000000 + ${by} WHERE leaf_index >= 1000000`,
  ];
}

/** The whole tree is computed and signed again: the result is consistent in itself. */
function rewrittenLeaves(facts: AttackFacts): readonly Attack[] {
  const continuations: readonly (readonly [name: string, items: number])[] = [
    ['signed again', 0],
    ['signed again and continued', 4],
  ];
  return leafChanges.flatMap(([what, statements]) =>
    placesOf(facts).flatMap(([where, index]) =>
      continuations.map(([how, items]): Attack => ({
        name: `rewritten log: ${where} ${what}, ${how}`,
        run: async (operator) => {
          await change(operator, ...statements(index, facts.size));
          await signRewritten(operator);
          await goOn(operator, items);
        },
        detectedBy: mirror,
      })),
    ),
  );
}

/** Entries are changed, while the tree stays as it was signed. */
function editedEntries(facts: AttackFacts): readonly Attack[] {
  return leafChanges.slice(0, 7).flatMap(([what, statements]) =>
    placesOf(facts).map(([where, index]): Attack => ({
      name: `entry beside the signed tree: ${where} ${what}`,
      run: (operator) => change(operator, ...statements(index, facts.size)),
      detectedBy: 'reader of the log',
    })),
  );
}

function editedTiles({ size }: AttackFacts): readonly Attack[] {
  const overlay = (level: number, index: number, at: number) =>
    `UPDATE record.log_tile SET hashes = overlay(hashes PLACING sha256('other') FROM ${at * 32 + 1}) WHERE level = ${level} AND index = ${index}`;
  const tiles: readonly (readonly [name: string, statement: string])[] = [
    ['a hash of the first tile', overlay(0, 0, 17)],
    ['the last hash of a full tile', overlay(0, 0, 255)],
    ['a hash of the last tile', overlay(0, 1, 0)],
    ['the newest hash', overlay(0, 1, (size - 1) % 256)],
    ['the hash of a full tile in the level above', overlay(1, 0, 0)],
    ['a missing tile', `DELETE FROM record.log_tile WHERE level = 0 AND index = 1`],
    [
      'a shortened tile',
      `UPDATE record.log_tile SET hashes = substring(hashes FROM 1 FOR 64) WHERE level = 0`,
    ],
  ];
  return tiles.map(([what, statement]) => ({
    name: `tiles that are not those of the checkpoint: ${what}`,
    run: (operator) => change(operator, statement),
    detectedBy: 'reader of the log',
  }));
}

/** A restored backup is a log with its last entries missing. */
function restores({ size, proofSize }: AttackFacts): readonly Attack[] {
  const lengths = [1, 2, 255, 256, proofSize, size - 1];
  const cut = (to: number): string => `DELETE FROM record.log_entry WHERE leaf_index >= ${to}`;
  return lengths.flatMap((to): readonly Attack[] => [
    {
      name: `an old backup with ${to} entries, as if it were new`,
      run: async (operator) => {
        await change(operator, cut(to));
        await signRewritten(operator);
      },
      detectedBy: mirror,
    },
    {
      name: `an old backup with ${to} entries, continued past the lost ones`,
      run: async (operator) => {
        await change(operator, cut(to));
        await signRewritten(operator);
        await goOn(operator, size - to + 3);
      },
      detectedBy: mirror,
    },
  ]);
}

/** Genuine checkpoints of earlier times. */
function replays({ size, earlierCheckpoint }: AttackFacts): readonly Attack[] {
  const sizes = [1, 128, 256, size - 1];
  return [
    {
      name: 'an old checkpoint, served again',
      run: (operator) =>
        change(
          operator,
          `UPDATE record.log_head SET checkpoint = $note$${earlierCheckpoint}$note$, checkpoint_size = ${earlierCheckpoint.split('\n')[1]}`,
        ),
      detectedBy: mirror,
    },
    ...sizes.map((one): Attack => ({
      name: `the newest checkpoint is one of ${one} entries, signed now`,
      run: (operator) => signSize(operator, one),
      detectedBy: mirror,
    })),
  ];
}

function keyAttacks({ size }: AttackFacts): readonly Attack[] {
  const withKey = async (operator: Operator, name: string, run: (other: Operator) => Promise<void>) => {
    const signer = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey(name));
    await run({ ...operator, signer });
  };
  return [
    {
      name: 'another key of the same name signs the same log',
      run: (operator) => withKey(operator, operator.signer.origin, (other) => signSize(other, size)),
      detectedBy: 'reader of the log',
    },
    {
      name: 'another key of the same name signs another log',
      run: (operator) =>
        withKey(operator, operator.signer.origin, async (other) => {
          await change(other, `DELETE FROM record.log_entry WHERE leaf_index >= 100`);
          await signRewritten(other);
        }),
      detectedBy: 'reader of the log',
    },
    {
      name: 'a log of another name, without a statement',
      run: (operator) => withKey(operator, 'prove.example/other', (other) => signSize(other, size)),
      detectedBy: 'reader of the log',
    },
    {
      name: 'a checkpoint without a signature of the log',
      run: (operator) =>
        change(
          operator,
          `UPDATE record.log_head SET checkpoint = split_part(checkpoint, E'\\n\\n', 1) || E'\\n\\n\u{2014} prove.example/log AAAAAAA=\\n'`,
        ),
      detectedBy: 'reader of the log',
    },
  ];
}

/** A restart of the log that the key of the ended log does not state, or states wrongly. */
function epochAttacks({ size }: AttackFacts): readonly Attack[] {
  const begin = async (operator: Operator, ended: Operator['signer']): Promise<Operator> => {
    const origin = nextOrigin(operator.signer.origin, 1);
    const begun = await logKeyFile.parseLogKeys(await logKeyFile.generateLogKey(origin));
    const { database } = operator;
    await startLogEpoch({ database, clock: systemClock }, { ended, begun });
    return { ...operator, signer: begun };
  };
  return [
    {
      name: 'an epoch whose statement another key signed',
      run: async (operator) => {
        const stranger = await logKeyFile.generateLogKey(operator.signer.origin);
        const next = await begin(operator, await logKeyFile.parseLogKeys(stranger));
        await signSize(next, size);
      },
      detectedBy: mirror,
    },
    ...[0, 100, 255, size - 1].map((index): Attack => ({
      name: `an epoch that begins with another leaf ${index} than its statement says`,
      run: async (operator) => {
        const next = await begin(operator, operator.signer);
        await change(
          next,
          `UPDATE record.log_entry SET at = at - interval '1 day' WHERE leaf_index = ${index}`,
        );
        await signRewritten(next);
      },
      detectedBy: mirror,
    })),
    {
      name: 'an epoch that has fewer entries than its statement says',
      run: async (operator) => {
        const next = await begin(operator, operator.signer);
        await change(next, `DELETE FROM record.log_entry WHERE leaf_index >= ${size - 20}`);
        await signRewritten(next);
      },
      detectedBy: mirror,
    },
  ];
}
