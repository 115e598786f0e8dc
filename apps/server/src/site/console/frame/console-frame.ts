import { html } from 'ghtml';

import { consoleStyles, fonts, scripts } from '../../shell/assets.ts';
import { hidden } from '../../shell/form-controls.ts';
import { dataBlock } from '../../shell/frame.ts';
import { pageLanguage, say } from '../../shell/words/say.ts';
import type { InterfaceLanguage, Words } from '../../shell/words/words.ts';
import { wordsOf } from '../../shell/words/words.ts';
import type { IconName } from '../components/icons.ts';
import { icon } from '../components/icons.ts';
import { initialsOf, personPicture } from '../person-picture.ts';
import type { Visitor } from '../visitor.ts';

export interface Link {
  readonly href: string;
  readonly label: string;
}

export interface NavigationItem extends Link {
  readonly icon: IconName;
  readonly isCurrent?: boolean;
  /** Below the item before it. */
  readonly isSub?: boolean;
}

export interface NavigationGroup {
  readonly label?: string;
  readonly items: readonly NavigationItem[];
}

/** The position of a page in the console. */
export interface ConsolePlace {
  readonly groups: readonly NavigationGroup[];
  /** In the bar of phones: at most five, or four and `More`. */
  readonly bottom: readonly NavigationItem[];
  /** Above the navigation: the organization, or the way back to it. */
  readonly organization?: { readonly key: string; readonly name: string; readonly role: string };
  readonly back?: Link;
  /** The parents of the page. */
  readonly crumbs: readonly Link[];
  /** HTML of the page head: one line under the title, and the actions beside it, one of them primary. */
  readonly lead?: string;
  readonly actions?: string;
  readonly tabs?: string;
}

export interface ConsolePage {
  readonly title: string;
  /** HTML, escaped already. */
  readonly main: string;
  readonly place: ConsolePlace;
}

export const languagePath = '/account/language';
export const searchPath = '/console/search';

/** A page of the console: sidebar, breadcrumbs, page head, and on phones a bar at the bottom. */
export function consolePage(page: ConsolePage, visitor: Visitor, pictureId: string | null): string {
  const { title, main, place } = page;
  const words = wordsOf(visitor.language);
  const picture = personPicture({ name: visitor.account.name, pictureId });
  return document({
    title,
    language: visitor.language,
    body: html`<a class="skip" href="#main">${words.skip}</a>
      <a class="skip" href="#navigation">${words.console.skipToNavigation}</a>
      <div class="app">
        !${sidebar(place, visitor, words, picture)}
        <div class="stage">
          !${topBar(title, place, picture)}
          <main id="main" class="page">!${head(title, place)} !${main}</main>
        </div>
      </div>
      !${bottomBar(place, words)} !${organizationMenu(visitor, place, words)} !${accountMenu(visitor, words)}
      <script src="${scripts.palette.path}" defer></script>`,
  });
}

export interface DoorPage {
  readonly title: string;
  readonly main: string;
}

/** A page of a visitor without a session, or outside of any section: one card. */
export function doorPage({ title, main }: DoorPage, language: InterfaceLanguage = 'en'): string {
  const words = wordsOf(language);
  return document({
    title,
    language,
    body: html`<div class="door">
      <header class="brand"><a class="home" href="/">!${mark} Daybook</a></header>
      <main id="main">!${main}</main>
      <footer><a href="/">${words.console.news}</a></footer>
    </div>`,
  });
}

const mark = html`<span class="mark" aria-hidden="true">D</span>`;

function document({
  title,
  language,
  body,
}: {
  readonly title: string;
  readonly language: InterfaceLanguage;
  readonly body: string;
}): string {
  const words = wordsOf(language);
  const { light, dark, copied, copyByKey } = words;
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Daybook</title>
        <script src="${scripts.theme.path}"></script>
        <script src="${scripts.enhancements.path}" defer blocking="render"></script>
        <script src="${scripts.dialogs.path}" defer></script>
        <link rel="preload" href="${fonts.serif.path}" as="font" type="font/woff2" crossorigin />
        <link rel="preload" href="${fonts.sans.path}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${consoleStyles.path}" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <meta name="robots" content="noindex" />
      </head>
      <body>
        !${body}
        <script type="application/json" id="words">
          !${dataBlock({ light, dark, copied, copyByKey, searchPath: '/search' })}
        </script>
      </body>
    </html> `;
}

function sidebar(
  place: ConsolePlace,
  { account }: Visitor,
  { console: words }: Words,
  picture: string,
): string {
  const { organization, back } = place;
  const above =
    organization === undefined
      ? ''
      : html`<button type="button" class="switcher" popovertarget="organizations">
          !${organizationMark(organization.name)}<span class="hidden">${words.switchOrganization}:</span>
          <span class="grow"
            ><strong class="cut">${organization.name}</strong><small>${organization.role}</small></span
          >
          !${icon('updown')}
        </button>`;
  const backItem = back === undefined ? [] : [{ items: [{ ...back, icon: 'left' as const }] }];
  return html`<aside class="side" aria-label="Daybook">
    <div class="brand">
      <a class="home" href="/account/organization">!${mark} Daybook</a>
      <a class="news" href="/">${words.news} !${icon('out')}</a>
    </div>
    !${above}
    <nav id="navigation" aria-label="${words.navigation}" tabindex="-1">
      !${navigation([...backItem, ...place.groups])}
    </nav>
    <div class="foot">
      <button type="button" class="me" popovertarget="account">
        !${picture}<span class="hidden">${words.accountMenu}:</span>
        <span class="grow"
          ><strong class="cut">${account.name}</strong><small class="cut">${account.email}</small></span
        >
        !${icon('updown')}
      </button>
    </div>
  </aside>`;
}

function organizationMark(name: string): string {
  return html`<span class="picture initials org" aria-hidden="true">${initialsOf(name).slice(0, 2)}</span>`;
}

function navigation(groups: readonly NavigationGroup[]): string {
  return groups
    .map(
      ({ label, items }) =>
        html`!${label === undefined ? '' : html`<h2>${label}</h2>`} !${items.map(navigationLink)}`,
    )
    .join('');
}

function navigationLink({
  href,
  label,
  icon: name,
  isCurrent = false,
  isSub = false,
}: NavigationItem): string {
  return html`<a href="${href}" !${isSub ? 'class="sub"' : ''} !${isCurrent ? 'aria-current="page"' : ''}
    >!${isSub ? '' : icon(name)}<span class="cut">${label}</span></a
  >`;
}

function topBar(title: string, place: ConsolePlace, picture: string): string {
  const { organization, crumbs } = place;
  const words = wordsOf(pageLanguage()).console;
  const search = organization === undefined ? '' : `?org=${encodeURIComponent(organization.key)}`;
  return html`<header class="topbar">
    !${
      organization === undefined
        ? ''
        : html`<button type="button" class="phone" popovertarget="organizations">
            !${organizationMark(organization.name)}<span class="hidden"
              >${words.switchOrganization}: ${organization.name}</span
            >
          </button>`
    }
    <nav class="crumbs" aria-label="${words.breadcrumbs}">
      <ol>
        !${crumbs.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}
        <li><span aria-current="page">${title}</span></li>
      </ol>
    </nav>
    <a
      class="btn quiet sm search"
      href="${searchPath}${search}"
      title="${say('Search pages, members, projects and tokens')}"
      aria-keyshortcuts="Control+K Meta+K"
      data-palette
      >!${icon('search')}<span>${say('Search')}</span> <kbd>Ctrl K</kbd></a
    >
    <button type="button" class="phone last" popovertarget="account">
      !${picture}<span class="hidden">${words.accountMenu}</span>
    </button>
  </header>`;
}

function head(title: string, { lead, actions, tabs = '' }: ConsolePlace): string {
  return html`<div class="head">
      <div>
        <h1>${title}</h1>
        !${lead === undefined ? '' : html`<p>!${lead}</p>`}
      </div>
      !${actions === undefined || actions === '' ? '' : html`<div class="actions">!${actions}</div>`}
    </div>
    !${tabs}`;
}

const bottomMax = 5;

function bottomBar({ bottom, groups, back }: ConsolePlace, { console: words }: Words): string {
  const fits = bottom.length <= bottomMax && back !== undefined;
  const shown = fits ? bottom : bottom.slice(0, bottomMax - 1);
  const isElsewhere = !shown.some(({ isCurrent }) => isCurrent === true);
  const more = html`<button type="button" popovertarget="sheet" !${isElsewhere ? 'aria-current="true"' : ''}>
    !${icon('menu')}${words.more}
  </button>`;
  return html`<nav class="bottom" aria-label="${words.navigation}, ${words.more}">
      !${shown.map(navigationLink)} !${fits ? '' : more}
    </nav>
    <div class="sheet" id="sheet" popover>
      <nav aria-label="${words.more}">
        !${navigation(groups)} !${navigationLink({ href: '/', label: words.news, icon: 'out' })}
      </nav>
    </div>`;
}

function organizationMenu(
  { account }: Visitor,
  { organization }: ConsolePlace,
  { console: words }: Words,
): string {
  if (organization === undefined) return '';
  return html`<div class="menu start" id="organizations" popover>
    <h2>${words.account.organizations}</h2>
    !${account.memberships.map(
      ({ organizationKey, organizationName }) =>
        html`<a href="/platform/${encodeURIComponent(organizationKey)}"
          >!${organizationMark(organizationName)}<span class="grow">${organizationName}</span>!${
            organizationKey === organization.key ? icon('check') : ''
          }</a
        >`,
    )}
    <hr />
    <a href="/platform">!${icon('building')}${words.allOrganizations}</a>
    <a href="/platform?new=1">!${icon('plus')}${words.createOrganization}</a>
  </div>`;
}

function accountMenu({ language }: Visitor, { console: words, account, dark }: Words): string {
  return html`<div class="menu up" id="account" popover>
    <a href="/account">!${icon('user')}${account}</a>
    <form method="post" action="${languagePath}" class="small">
      !${hidden('language', language === 'zh' ? 'en' : 'zh')}
      <button type="submit" lang="${language === 'zh' ? 'en' : 'zh'}">
        !${icon('globe')}${words.otherLanguage}
      </button>
    </form>
    <button type="button" data-theme-switch>${dark}</button>
    <hr />
    <form method="post" action="/auth/signout" class="small">
      <button type="submit">!${icon('leave')}${words.signOut}</button>
    </form>
  </div>`;
}
