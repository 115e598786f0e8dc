import { html } from 'ghtml';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import type { PageContext } from './page-context.ts';
import type { PublicPage } from './page-head.ts';
import type { SiteTools } from './public-page.ts';
import { definePublicPage } from './public-page.ts';

/** What the reader marked on this device. The server does not know it: a script fills the lists. */
export function devicePage(tools: SiteTools): readonly RouteDeclaration[] {
  return definePublicPage(tools, {
    path: '/device',
    operationId: 'getDevicePage',
    freshness: 'five-minutes',
    resource: (_input, context) => ({
      key: 'device',
      cacheTags: [],
      build: async () => buildDevicePage(context),
    }),
  });
}

function buildDevicePage(context: PageContext): PublicPage {
  const { device: words } = context.words;
  const prefix = context.canonicalHref('/');
  const offline = `/offline.js?prefix=${encodeURIComponent(prefix === '/' ? '' : prefix)}`;
  return {
    title: words.title,
    description: words.lead,
    path: '/device',
    width: 'column',
    isUnlisted: true,
    main: html`<h1>${words.title}</h1>
      <p class="lead">${words.lead}</p>
      <noscript><p class="empty">${words.needsScript}</p></noscript>
      <div data-device-page hidden>
        <section>
          <h2 class="rule">${words.savedItems}</h2>
          <ul class="plain-list" data-list="saved" data-remove="${words.remove}"></ul>
          <p class="empty">${words.noneSaved}</p>
        </section>
        <section>
          <h2 class="rule">${words.hiddenSources}</h2>
          <ul class="plain-list" data-list="hidden" data-remove="${words.showAgain}"></ul>
          <p class="empty">${words.noneHidden}</p>
        </section>
        <section>
          <h2 class="rule">${words.offline}</h2>
          <p>${words.offlineText}</p>
          <p>
            <button type="button" data-offline="${offline}" data-on="${words.offlineStop}" disabled>
              ${words.offlineStart}
            </button>
          </p>
        </section>
        <section>
          <h2 class="rule">${words.forget}</h2>
          <p data-read-count="${words.readCount}"></p>
          <p><button type="button" class="danger" data-forget>${words.forgetAll}</button></p>
        </section>
      </div>`,
  };
}

/** Buttons that save an item and hide its source; a script shows them. */
export function deviceMarks(
  { title, sourceName }: { readonly title: string; readonly sourceName: string },
  { words: { device: words }, href }: PageContext,
): string {
  return html`<p class="device meta" data-device hidden>
    <button type="button" data-save="${title}" data-on="${words.saved}">${words.save}</button>
    <button type="button" data-hide="${sourceName}" data-on="${words.sourceHidden}">
      ${words.hideSource}
    </button>
    <a href="${href('/device')}">${words.title}</a>
  </p>`;
}

/** Above a timeline: how many of its items the reader's device hides. */
export function hiddenNote({ words: { device: words }, href }: PageContext): string {
  return html`<p class="meta" data-hidden-note="${words.hiddenCount}" hidden>
    <span></span> <a href="${href('/device')}">${words.title}</a>
  </p>`;
}

/** On the front page: how many of its items are newer than the last visit. */
export function sinceLastVisit({ words: { device: words } }: PageContext): string {
  return html`<p
    class="meta"
    data-since="${words.newSince}"
    data-since-one="${words.oneNewSince}"
    hidden
  ></p>`;
}
