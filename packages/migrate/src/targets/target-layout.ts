import { basename, dirname, join } from 'node:path/posix';

import { readInstallation } from './installation.ts';
import type { Installation } from './installation.ts';
import type { Target } from './target.ts';
import { foundationalTargets, idealStateTargets, noteTargets, preferenceTargets } from './target.ts';

/** A target is a file that is appended to, or a folder in which each chunk becomes a note. Relative to the root. */
export interface TargetPlace {
  readonly kind: 'file' | 'folder';
  readonly path: string;
}

export interface TargetLayout {
  readonly place: (target: Exclude<Target, 'UNCLEAR' | 'AI_RULES'>) => TargetPlace;
  /** Where rules for agents go, and what goes with them. */
  readonly ruleFile: string;
  readonly hooks: string;
  readonly settings: string;
  readonly settingsProvenance: string;
  readonly skills: string;
}

/** The places of this root: the layout of another installation of the same system is preserved. */
export function readLayout(root: string): TargetLayout {
  const found = readInstallation(root);
  const base = isTelos(found) ? dirname(found.foundation ?? '.') : '.';
  const homes = [
    { targets: foundationalTargets, folder: found.foundation ?? 'Foundation' },
    {
      targets: idealStateTargets,
      folder:
        found.idealState ?? (isTelos(found) ? join(found.foundation ?? '.', 'IDEAL_STATE') : 'IdealState'),
    },
    {
      targets: preferenceTargets,
      folder: found.preferences ?? (isTelos(found) ? (found.foundation ?? '.') : 'Preferences'),
    },
    {
      targets: ['PRINCIPAL_IDENTITY'],
      folder: isTelos(found) ? join(base, 'PRINCIPAL') : '.',
    },
  ] as const;
  const places = new Map<Target, TargetPlace>();
  for (const { targets, folder } of homes) {
    for (const target of targets) {
      places.set(target, { kind: 'file', path: found.files.get(target) ?? join(folder, `${target}.md`) });
    }
  }
  for (const target of noteTargets) {
    places.set(target, { kind: 'folder', path: found.knowledge.get(target) ?? newFolders[target] });
  }
  return {
    place: placeIn(places),
    ...rulePlaces(found.rules ?? (isTelos(found) ? join(base, 'CONFIG', ruleName) : join('Rules', ruleName))),
  };
}

const newFolders: Readonly<Record<(typeof noteTargets)[number], string>> = {
  Ideas: 'Knowledge/Ideas',
  People: 'Knowledge/People',
  Companies: 'Knowledge/Companies',
  Research: 'Knowledge/Research',
  NOTE: 'Knowledge/Notes',
  JOURNAL: 'Journal',
};
const ruleName = 'OPERATIONAL_RULES.md';

function rulePlaces(ruleFile: string): Omit<TargetLayout, 'place'> {
  const folder = dirname(ruleFile);
  return {
    ruleFile,
    hooks: join(folder, 'Hooks'),
    settings: join(folder, 'settings.json'),
    settingsProvenance: join(folder, 'settings.provenance.md'),
    skills: 'Skills',
  };
}

function isTelos({ foundation }: Installation): boolean {
  return foundation !== null && basename(foundation).toLowerCase() === 'telos';
}

function placeIn(places: ReadonlyMap<Target, TargetPlace>): TargetLayout['place'] {
  return (target) => {
    const place = places.get(target);
    if (place === undefined) throw new TypeError(`${target} has no place`);
    return place;
  };
}
