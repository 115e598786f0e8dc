import { html } from 'ghtml';

import type { BuiltBody } from '../foundation/cache/representation.ts';

export interface Page {
  readonly title: string;
  /** HTML, escaped already. */
  readonly main: string;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** For what needs more than a column of text. */
  readonly wide?: boolean;
}

/** Nothing from elsewhere, nothing inline, no frames around it; forms lead where the page says. */
export function pageHeaders(formAction: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    // Our own addresses may know where a visitor came from: a browser that hides even that sends no Origin with forms.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

const publicHeaders = pageHeaders("'none'");

/** A page that is the same for everybody. */
export function pageBody(page: Page): BuiltBody {
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body: framed(page),
    headers: publicHeaders,
  };
}

/** The frame around every page. */
export function framed({ title, main, styles = [], scripts = [], wide = false }: Page): string {
  return html`<!doctype html>
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
            <a class="brand" href="/">Daybook</a> <a href="/docs">API reference</a> <a href="/terms">Terms</a>
            <a href="/account">Account</a>
          </nav>
        </header>
        <main id="main" class="${wide ? 'wide' : 'column'}">!${main}</main>
        !${scripts.map((source) => html`<script src="${source}" defer></script>`)}
      </body>
    </html> `;
}
