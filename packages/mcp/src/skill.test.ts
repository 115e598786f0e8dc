import { readdirSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { skillFiles } from './generated/skill-files.ts';

const skill = skillFiles['SKILL.md'] ?? '';
const folders = new URL('../../../skills/', import.meta.url);

describe('the skill', () => {
  it('has the name of its folder and a description of at most 1,024 characters', () => {
    const [, name, description = ''] = /^---\nname: (.*)\ndescription: (.*)\n/.exec(skill) ?? [];
    expect(readdirSync(folders)).toEqual([name]);
    expect(description.length).toBeGreaterThan(100);
    expect(description.length).toBeLessThanOrEqual(1024);
  });

  it('is short, and its links lead to files it has', () => {
    expect(skill.split('\n').length).toBeLessThan(80);
    const links = [...skill.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !(link in skillFiles))).toEqual([]);
    expect(Object.keys(skillFiles).filter((file) => file !== 'SKILL.md' && !links.includes(file))).toEqual(
      [],
    );
  });
});
