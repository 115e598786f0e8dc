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
}

/** The frame around every plain page. */
export function pageBody({ title, main, styles = [], scripts = [] }: Page): BuiltBody {
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Daybook</title>
        <link rel="stylesheet" href="/site.css" />
        !${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header>
          <nav aria-label="Site">
            <a href="/">Daybook</a> <a href="/docs">API reference</a> <a href="/terms">Terms</a>
          </nav>
        </header>
        <main id="main">!${main}</main>
        !${scripts.map((source) => html`<script src="${source}"></script>`)}
      </body>
    </html> `;
  return { status: 200, contentType: 'text/html; charset=utf-8', body, headers: securityHeaders };
}

export const siteStyles = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 0; }
header { padding: 0.75rem 1rem; border-bottom: 1px solid; }
nav a { margin-right: 1rem; }
main { max-width: 70ch; margin: 0 auto; padding: 1rem; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
code { overflow-wrap: anywhere; }
#reference { background: #fff; color: #222; }
`;
