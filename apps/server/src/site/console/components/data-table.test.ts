import { html } from 'ghtml';
import { describe, expect, test } from 'vitest';

import { addMs, epochMicroseconds } from '../../../foundation/instant.ts';
import type { DataTable } from './data-table.ts';
import { dataTable } from './data-table.ts';
import { dialog } from './dialog.ts';
import { ago } from './moments.ts';

const table: DataTable<string> = {
  caption: 'Members',
  rows: ['Nora', '张薇'],
  columns: [{ label: 'Member', place: 'main', cell: (name) => html`${name}` }],
  nameOf: (name) => name,
  empty: { icon: 'users', title: 'No members yet.', text: 'Invite the first one.' },
};

describe('a table', () => {
  test('without rows says what it is for, and has no search', () => {
    const shown = dataTable('en', { ...table, rows: [], search: { label: 'Find', query: undefined } });
    expect(shown).toMatch(/No members yet\.[^]*Invite the first one\./);
    expect(shown).not.toMatch(/<table|type="search"/);
  });

  test('without results of a search still has the search with its text', () => {
    const shown = dataTable('en', { ...table, rows: [], search: { label: 'Find', query: 'no"one' } });
    expect(shown).toContain('value="no&#34;one"');
  });

  test('has a menu per row that names the row, with the dangerous action after a rule', () => {
    const shown = dataTable('zh', {
      ...table,
      menu: () => [
        { label: 'Open', icon: 'eye', href: '/open' },
        { label: 'Remove', icon: 'trash', action: '/remove', isDangerous: true },
      ],
    });
    expect(shown).toContain('aria-label="张薇 的操作"');
    expect(shown).toMatch(/href="\/open"[^]*<hr \/>[^]*action="\/remove"/);
  });

  test('with a selection has one form beside it, and each check box names its row', () => {
    const shown = dataTable('en', {
      ...table,
      selection: {
        name: 'member',
        valueOf: (name) => name,
        buttons: [{ label: 'Remove', action: '/remove' }],
      },
    });
    expect(shown).toMatch(
      /<form method="post" id="selection" hidden><\/form>[^]*aria-label="Select Nora"[^]*form="selection"\s+formaction="\/remove"/,
    );
    expect(shown).toMatch(/form="selection"\s+name="member"/);
  });

  test('links to the next page with the search, and back to the first one', () => {
    const pagination = { hasMore: true, nextCursor: 'c2', query: { query: 'a b' }, isFirst: false };
    const shown = dataTable('en', { ...table, pagination });
    expect(shown).toContain('href="?query&#61;a+b"');
    expect(shown).toContain('href="?query&#61;a+b&#38;cursor&#61;c2"');
    expect(dataTable('en', { ...table, pagination: { hasMore: false, nextCursor: null } })).not.toContain(
      '<footer',
    );
  });
});

test('a dialog is open only at its address, and closes without script by a link', () => {
  const options = { id: 'create', title: 'Create', content: '', closeHref: '/tokens' };
  expect(dialog('en', { ...options, isOpen: true })).toMatch(/<dialog[^>]*\sopen\s*>[^]*href="\/tokens"/);
  expect(dialog('en', { ...options, isOpen: false })).not.toMatch(/<dialog[^>]*\sopen\s*>/);
});

test('a time is relative with the exact time as title, and a date after 30 days', () => {
  const now = epochMicroseconds(1_794_900_000_000_000n);
  const minutes = (count: number): string => ago(addMs(now, count * 60_000), now, 'en');
  expect(minutes(-8)).toMatch(/title="\d{4}-\d\d-\d\d \d\d:\d\d UTC">8 min/);
  expect(minutes(-60 * 24 * 40)).toMatch(/>\d+ \w+ 2026</);
  expect(ago(addMs(now, -60_000 * 8), now, 'zh')).toContain('8分钟前');
  expect(ago(null, now, 'en')).toBe('never');
});
