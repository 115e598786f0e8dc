import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { TargetLayout } from './target-layout.ts';
import { readLayout } from './target-layout.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'migrate-layout-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function layoutOf(...files: readonly string[]): TargetLayout {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), 'x\n');
  }
  return readLayout(root);
}
const goals = (layout: TargetLayout): string => layout.place('GOALS').path;

describe('a single file with the name of a target decides nothing', () => {
  it.each([
    ['Work/ClientX/GOALS.md'],
    ['Work/ClientX/GOALS.md', 'Work/ClientX/PROBLEMS.md', 'Work/ClientX/STRATEGIES.md'],
    ['FINANCES/GOALS.md', 'HEALTH/HEALTH.md'],
    ['Templates/Foundation/GOALS.md'],
    ['TELOS/CURRENT_STATE/GOALS.md'],
  ])('%s', (...files) => {
    const layout = layoutOf(...files);
    expect([goals(layout), layout.place('HEALTH').path]).toEqual([
      'Foundation/GOALS.md',
      'IdealState/HEALTH.md',
    ]);
  });
});

describe('existing files are used before new files are created', () => {
  it('in a documented folder, whatever their case', () => {
    expect(goals(layoutOf('foundation/Goals.md', 'Work/GOALS.md'))).toBe('foundation/Goals.md');
  });

  it('in a folder of another name that contains at least half of the files', () => {
    const layout = layoutOf('Life/HEALTH.md', 'Life/MONEY.md', 'Life/FREEDOM.md');
    expect([layout.place('HEALTH').path, layout.place('RHYTHMS').path]).toEqual([
      'Life/HEALTH.md',
      'Life/RHYTHMS.md',
    ]);
  });

  it('folders of notes by their names, whatever their case', () => {
    expect(layoutOf('MEMORY/KNOWLEDGE/people/Anna.md').place('People')).toEqual({
      kind: 'folder',
      path: 'MEMORY/KNOWLEDGE/people',
    });
  });
});

it('preserves the layout of another installation of the system', () => {
  const layout = layoutOf(
    'USER/TELOS/MISSION.md',
    'USER/TELOS/BOOKS.md',
    'USER/TELOS/IDEAL_STATE/HEALTH.md',
    'USER/TELOS/CURRENT_STATE/MONEY.md',
    'USER/PRINCIPAL/PRINCIPAL_IDENTITY.md',
    'USER/CONFIG/OPERATIONAL_RULES.md',
    'USER/FINANCES/GOALS.md',
  );
  const places = (['GOALS', 'MONEY', 'MOVIES', 'PRINCIPAL_IDENTITY'] as const).map(
    (one) => layout.place(one).path,
  );
  expect(places).toEqual([
    'USER/TELOS/GOALS.md',
    'USER/TELOS/IDEAL_STATE/MONEY.md',
    'USER/TELOS/MOVIES.md',
    'USER/PRINCIPAL/PRINCIPAL_IDENTITY.md',
  ]);
  expect([layout.ruleFile, layout.settings]).toEqual([
    'USER/CONFIG/OPERATIONAL_RULES.md',
    'USER/CONFIG/settings.json',
  ]);
});
