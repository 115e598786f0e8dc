import { html } from 'ghtml';

import type { BuiltBody } from '../foundation/cache/representation.ts';

/** Nothing from elsewhere, nothing inline, no frames around it. */
const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export interface Page {
  readonly title: string;
  /** HTML, escaped already. */
  readonly main: string;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** For what needs more than a column of text. */
  readonly wide?: boolean;
}

/** The frame around every plain page. */
export function pageBody({ title, main, styles = [], scripts = [], wide = false }: Page): BuiltBody {
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Daybook</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/site.css" />
        !${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <nav aria-label="Site">
            <a class="brand" href="/">Daybook</a> <a href="/docs">API reference</a>
            <a href="/terms">Terms</a>
          </nav>
        </header>
        <main id="main" class="${wide ? 'wide' : 'column'}">!${main}</main>
        !${scripts.map((source) => html`<script src="${source}"></script>`)}
      </body>
    </html> `;
  return { status: 200, contentType: 'text/html; charset=utf-8', body, headers: securityHeaders };
}
