import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { capabilities, auditKinds as accessKinds } from '../src/access/index.ts';
import { agentPresets, auditKinds as agentKinds, shippedTemplates } from '../src/agents/index.ts';
import { invalidField } from '../src/foundation/http/http-problems.ts';
import { credentials, auditKinds as identityKinds } from '../src/identity/index.ts';
import { deskPresets } from '../src/newsroom/desk/index.ts';
import { activitySentence } from '../src/site/console/account/activity-sentences.ts';
import { allCapabilities } from '../src/site/console/platform/capability-report.ts';
import { storagePresets } from '../src/site/console/storage/storage-capabilities.ts';
import { field, problemNotice } from '../src/site/shell/form-controls.ts';
import { inLanguage, say, sayCount, sayHtml, sayKnown } from '../src/site/shell/words/say.ts';
import { chineseTexts } from '../src/site/shell/words/texts/index.ts';
import { problemTexts } from '../src/site/shell/words/texts/problem-texts.ts';
import { auditKinds as storageKinds } from '../src/storage/index.ts';
import { auditKinds as watchKinds } from '../src/watch/index.ts';
import { credentialKinds } from '../src/wiring/credential-kinds.ts';

const texts: Readonly<Record<string, string>> = chineseTexts;
const kinds = [...identityKinds, ...accessKinds, ...agentKinds, ...storageKinds, ...watchKinds];
const ofOtherDomains = [
  ...credentialKinds.map(({ name }) => name),
  ...shippedTemplates.map(({ description }) => description),
  ...([null, 'read_only', []] as const).map(credentials.limitWords),
  ...allCapabilities.map(({ words }) => words),
  ...[...agentPresets, ...storagePresets, ...deskPresets, ...capabilities.corePresets].map(
    ({ label }) => label,
  ),
  ...kinds.map(({ sentence }) => sentence((name) => `{${name}}`)),
  ...kinds.map(({ name }) => (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ')),
];

describe('the Chinese texts of the console', () => {
  test('contain every permission, preset, template and event of other domains', () => {
    expect(ofOtherDomains.filter((text) => !Object.hasOwn(texts, text))).toEqual([]);
  });

  test('have the placeholders of their English text', () => {
    const placeholders = (text: string): string =>
      [...new Set(text.match(/\{\w+\}/gu) ?? [])].toSorted().join(' ');
    const wrong = Object.entries(texts).filter(
      ([english, chinese]) => placeholders(chinese) !== placeholders(english),
    );
    expect(wrong).toEqual([]);
  });

  test('have one translation each: of two catalogues, the last would decide', async () => {
    const folder = fileURLToPath(new URL('../src/site/shell/words/texts/', import.meta.url));
    const modules = await Promise.all(
      globSync(`${folder}*-texts.ts`).map((file): Promise<Record<string, object>> => import(file)),
    );
    const translated = modules.flatMap((catalogue) => Object.values(catalogue).flatMap(Object.entries));
    expect(translated.filter(([english, chinese]) => texts[english] !== chinese)).toEqual([]);
  });

  test('are each used by a page, or belong to another domain', () => {
    const site = fileURLToPath(new URL('../src/site/', import.meta.url));
    const source = globSync([`${site}console/**/*.ts`, `${site}shell/*.ts`, `${site}shell/words/say.ts`])
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const unused = Object.keys(texts).filter(
      (text) =>
        !ofOtherDomains.includes(text) &&
        !Object.hasOwn(problemTexts, text) &&
        !['"', "'", '`'].some((quote) => source.includes(quote + text + quote)) &&
        !new RegExp(String.raw`\b${RegExp.escape(text)}:`, 'u').test(source),
    );
    expect(unused).toEqual([]);
  });
});

describe('a text', () => {
  test('is in the language of the page that is being made', async () => {
    const later = async (): Promise<string> => {
      await Promise.resolve();
      return say('Cancel');
    };
    expect(await Promise.all([inLanguage('zh', later), inLanguage('en', later)])).toEqual(['取消', 'Cancel']);
    expect(say('Cancel')).toBe('Cancel');
  });

  test('contains its values, and HTML only where a value is HTML', () => {
    expect(say('Delete {name}', { name: '<b>' })).toBe('Delete <b>');
    expect(sayHtml('Tokens to be deleted: {strong}.', { strong: '<b>x</b>' })).toBe(
      'Tokens to be deleted: <b>x</b>.',
    );
    expect(inLanguage('zh', () => sayHtml('Tokens to be deleted: {strong}.', { strong: '<b>x</b>' }))).toBe(
      '将删除的令牌：<b>x</b>。',
    );
    expect(sayCount(1, 'One recovery code is left.', '{count} recovery codes are left.')).toBe(
      'One recovery code is left.',
    );
    expect(inLanguage('zh', () => sayKnown('A text of another domain'))).toBe('A text of another domain');
  });

  test('about an event contains its details', () => {
    const event = { kind: 'member_role_changed', detail: { from: 'viewer', to: 'admin' } };
    expect(activitySentence(event)).toBe('You changed the role of a member from viewer to admin.');
    expect(inLanguage('zh', () => activitySentence(event))).toBe(
      '您将一名成员的角色从“查看者”改为“管理员”。',
    );
  });

  test.each([
    ['en', 'is required', 'Name is required.', 'This is required.'],
    ['en', 'Choose an action.', 'Choose an action.', 'Choose an action.'],
    ['zh', 'is required', '填写有误：为必填项。', '为必填项。'],
    ['zh', 'Choose an action.', '请选择操作。', '请选择操作。'],
  ] as const)('about a field is a sentence in %s: %s', (language, message, notice, fault) => {
    const problem = invalidField('name', message);
    const shown = inLanguage(language, () => [
      problemNotice(problem),
      field({ name: 'name', label: 'Name', problem }),
    ]);
    expect(shown[0]).toContain(`>${notice}<`);
    expect(shown[1]).toContain(`>${fault}<`);
  });
});
