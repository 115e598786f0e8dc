import { html } from 'ghtml';

import { fonts, scripts, styles } from './assets.ts';
import type { InterfaceLanguage, Words } from './words/words.ts';
import { interfaceLanguages, wordsOf } from './words/words.ts';

/** The current section in the head. */
export type Section = Exclude<keyof Words['nav'], 'label' | 'search' | 'searchHint' | 'languages'>;

export interface LayoutOptions {
  readonly title: string;
  /** HTML, escaped already. */
  readonly main: string;
  readonly language: InterfaceLanguage;
  /** The address of a page in either language. */
  readonly href: (path: string, language?: InterfaceLanguage) => string;
  /** Without the choice of all languages; by default `href`. */
  readonly canonicalHref?: (path: string, language?: InterfaceLanguage) => string;
  /** This page with reports in all languages together. */
  readonly allLanguages?: { readonly href: string; readonly isCurrent: boolean };
  /** Without the language prefix; null where the page has no translation. */
  readonly path: string | null;
  readonly width: 'column' | 'wide';
  readonly section?: Section;
  /** Editions can be subscribed to by mail. */
  readonly offersMail?: boolean;
  /** The front page has a larger name and no `· Daybook` behind its title. */
  readonly isFront?: boolean;
  /** HTML of the line above the name: the day, and when the page last changed. */
  readonly day?: string;
  readonly updated?: string;
  /** HTML: the signed-in account; public pages do not know it. */
  readonly accountPicture?: string;
  /** HTML: description, addresses, feeds and the like. */
  readonly head?: string;
}

const sections: readonly (readonly [section: Section, path: string])[] = [
  ['front', '/'],
  ['timeline', '/timeline'],
  ['hot', '/hot'],
  ['daily', '/daily'],
  ['weekly', '/weekly'],
  ['monthly', '/monthly'],
  ['sources', '/sources'],
  ['api', '/api'],
];

/** The layout of every page. */
export function layout(page: LayoutOptions): string {
  const words = wordsOf(page.language);
  const title = page.isFront === true ? `Daybook: ${page.title}` : `${page.title} · Daybook`;
  return html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <script src="${scripts.theme.path}"></script>
        <script src="${scripts.enhancements.path}" defer blocking="render"></script>
        <link rel="preload" href="${fonts.serif.path}" as="font" type="font/woff2" crossorigin />
        <link rel="preload" href="${fonts.sans.path}" as="font" type="font/woff2" crossorigin />
        <link rel="stylesheet" href="${styles.path}" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        !${page.head ?? ''}
      </head>
      <body !${page.isFront === true ? 'class="front"' : ''}>
        <a class="skip" href="#main">${words.skip}</a>
        !${masthead(page, words)}
        <main id="main" class="${page.width}">!${page.main}</main>
        !${footer(page, words)} !${keysDialog(words)}
        <script type="application/json" id="words">
          !${dataBlock({
            locale: page.language === 'zh' ? 'zh-CN' : 'en-GB',
            light: words.light,
            dark: words.dark,
            copied: words.copied,
            copyByKey: words.copyByKey,
            yourTime: words.yourTime,
            newItem: words.newItem,
            newItems: words.newItems,
            searchPath: page.href('/search'),
          })}
        </script>
      </body>
    </html> `;
}

/** A document for frames of other sites: links open in a new tab. */
export function framedDocument({
  title,
  language,
  main,
}: Pick<LayoutOptions, 'title' | 'language' | 'main'>): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <base target="_blank" />
        <title>${title} · Daybook</title>
        <link rel="stylesheet" href="${styles.path}" />
      </head>
      <body class="framed">
        <main>!${main}</main>
      </body>
    </html> `;
}

function masthead(page: LayoutOptions, words: Words): string {
  const { nav } = words;
  return html`<header class="masthead">
    <div class="dateline">
      <span>!${page.day ?? ''}</span>
      <span class="updated">!${page.updated ?? ''}</span>
      <span class="choices">
        !${page.path === null ? '' : languageLinks(page, page.path)}
        <a href="/account">!${page.accountPicture ?? ''}${words.account}</a>
        <button type="button" data-theme-switch>${words.dark}</button>
      </span>
    </div>
    <p class="name">
      <a href="${page.href('/')}">Daybook</a>
      <a class="find" href="${page.href('/search')}" aria-label="${nav.search}">
        <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
          <circle cx="9" cy="9" r="6" fill="none" stroke="currentColor" stroke-width="2" />
          <path d="M13.5 13.5 L20 20" stroke="currentColor" stroke-width="2" />
        </svg>
      </a>
    </p>
    <nav class="sections" aria-label="${nav.label}">
      !${sections.map(
        ([section, path]) =>
          html`<a href="${page.href(path)}" !${section === page.section ? 'aria-current="page"' : ''}
            >${nav[section]}</a
          > `,
      )}
      <form action="${(page.canonicalHref ?? page.href)('/search')}" role="search">
        !${page.allLanguages?.isCurrent === true ? '<input type="hidden" name="language" value="all" />' : ''}
        <input
          type="search"
          name="q"
          aria-label="${nav.search}"
          placeholder="${nav.searchHint}"
          minlength="2"
          maxlength="200"
          required
        />
      </form>
    </nav>
  </header>`;
}

function languageLinks(
  { href, canonicalHref = href, language, allLanguages }: LayoutOptions,
  path: string,
): string {
  const isOwn = allLanguages?.isCurrent !== true;
  const links = interfaceLanguages.map((one) =>
    one === language && isOwn
      ? html`<span aria-current="true">${wordsOf(one).language}</span> `
      : html`<a href="${canonicalHref(path, one)}" lang="${one}" hreflang="${one}"
          >${wordsOf(one).language}</a
        > `,
  );
  if (allLanguages === undefined) return links.join('');
  const { all, allTitle } = wordsOf(language).languages;
  const last = isOwn
    ? html`<a href="${allLanguages.href}" title="${allTitle}">${all}</a> `
    : html`<span aria-current="true" title="${allTitle}">${all}</span> `;
  return [...links, last].join('');
}

function footer({ href, offersMail = false }: LayoutOptions, { foot, nav }: Words): string {
  const links: readonly (readonly [path: string, label: string])[] = [
    [`${href('/api')}#feeds`, foot.feeds],
    ...(offersMail ? [[href('/subscribe'), foot.subscribe] as const] : []),
    [`${href('/api')}#mirror`, foot.mirror],
    [`${href('/api')}#agents`, foot.agents],
    [href('/docs'), foot.reference],
    [href('/search'), nav.search],
    [href('/archive'), foot.archive],
    [href('/device'), foot.device],
    [href('/about'), foot.about],
    [href('/corrections'), foot.corrections],
    [href('/verify'), foot.verify],
    ['/terms', foot.terms],
    ['/problems', foot.problems],
  ];
  return html`<footer class="colophon">
    <nav aria-label="${foot.label}">
      <ul>
        !${links.map(([path, label]) => html`<li><a href="${path}">${label}</a></li>`)}
      </ul>
    </nav>
    <p>${foot.note}</p>
  </footer>`;
}

function keysDialog({ keys }: Words): string {
  const list: readonly (readonly [key: string, what: string])[] = [
    ['j', keys.next],
    ['k', keys.previous],
    ['/', keys.search],
    ['?', keys.help],
  ];
  return html`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">${keys.title}</h2>
    <dl>
      !${list.map(
        ([key, what]) =>
          html`<dt><kbd>${key}</kbd></dt>
            <dd>${what}</dd>`,
      )}
    </dl>
    <form method="dialog"><button>${keys.close}</button></form>
  </dialog>`;
}

/** JSON inside a script element: `<` is the one character that could end it. */
export function dataBlock(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
