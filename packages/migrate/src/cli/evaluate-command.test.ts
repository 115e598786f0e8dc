import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { MigrationPlace } from '../../test/migration-command.ts';

let place: MigrationPlace;
beforeEach(() => {
  place = new MigrationPlace();
});
afterEach(() => place.remove());

const label = (path: string, rest: object): string =>
  JSON.stringify({
    vault: 'v',
    path,
    kind: 'idea',
    stayWhole: true,
    target: 'GOALS',
    acceptable: [],
    ...rest,
  });

async function evaluated(...labels: readonly string[]): Promise<Record<string, unknown>> {
  place.write('labels.jsonl', `${labels.join('\n')}\n`);
  return place.json(['evaluate', `${place.folder}/labels.jsonl`]);
}

describe('evaluate', () => {
  it('counts acceptable, trusted and wrong decisions against the labels and stores nothing', async () => {
    place.write('vaults/v/a.md', 'GOALS 80\n');
    place.write('vaults/v/b.md', 'WISDOM 90\n');
    place.write('vaults/v/c.md', 'BELIEFS 50\n');
    const answer = await evaluated(
      label('a.md', {}),
      label('b.md', { acceptable: ['BELIEFS'] }),
      label('c.md', { target: 'WISDOM', acceptable: ['BELIEFS'] }),
    );
    expect(answer).toMatchObject({
      notes: 3,
      acceptable: { part: 2, whole: 3 },
      best: { part: 1, whole: 3 },
      trusted: { coverage: { part: 2, whole: 3 }, right: { part: 1, whole: 2 } },
      trustedByVault: { v: { right: { part: 1, whole: 2 } } },
      wrong: [{ path: 'b.md', target: 'WISDOM', isRight: false }],
    });
    expect(Math.round(Number(answer['singleDecisions']))).toBe(333);
    expect(() => place.knowledge()).toThrow('ENOENT');
  });

  it('scores the pieces of a note that is to be cut by the label of their section', async () => {
    place.write('vaults/v/CLAUDE.md', '# One\nNever a.\n\n# Two\nNever b.\n');
    const rules = { heading: '*', target: 'AI_RULES', acceptable: [] };
    expect(await evaluated(label('CLAUDE.md', { stayWhole: false, sections: [rules] }))).toMatchObject({
      cut: { part: 0, whole: 0 },
      trusted: { right: { part: 1, whole: 1 } },
    });
    expect(await evaluated(label('CLAUDE.md', { target: 'AI_RULES' }))).toMatchObject({
      cut: { part: 1, whole: 1 },
      trusted: { right: { part: 0, whole: 1 } },
    });
  });

  it('names the line of a label that is incomplete and the note that a vault does not have', async () => {
    place.write('vaults/v/a.md', 'GOALS 80\n');
    place.write('labels.jsonl', '{"vault":"v"}\n');
    const incomplete = await place.run(['evaluate', `${place.folder}/labels.jsonl`]);
    expect(incomplete).toMatchObject({ code: 1 });
    expect(incomplete.stderr).toContain('line 1: a label has vault');
    place.write('labels.jsonl', label('gone.md', {}));
    const missing = await place.run(['evaluate', `${place.folder}/labels.jsonl`]);
    expect(missing.stderr).toContain('v has no note gone.md');
    expect((await place.run(['evaluate'])).code).toBe(2);
  });
});
