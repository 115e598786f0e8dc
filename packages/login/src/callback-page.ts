import { createHash } from 'node:crypto';

const style = `:root{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}
body{margin:15vh auto;max-width:32rem;padding:0 1.5rem}h1{font-size:1.5rem;line-height:1.2}`;

export interface CallbackPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

export const signedInPage: CallbackPage = {
  status: 200,
  title: 'You are signed in',
  text: 'You can close this window and return to the terminal.',
};

export function failedPage(reason: string): CallbackPage {
  return {
    status: 502,
    title: 'Sign-in failed',
    text: `${reason.charAt(0).toUpperCase()}${reason.slice(1)}. Return to the terminal and run daybook login again.`,
  };
}

export function ignoredPage(status: number, text: string): CallbackPage {
  return { status, title: 'Request ignored', text };
}

/** Loads no resources, runs no script and is not cached. */
export const callbackHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  connection: 'close',
};

export function renderPage({ title, text }: CallbackPage): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(title)} – Daybook</title><style>${style}</style></head><body><main><h1>${escape(title)}</h1><p>${escape(text)}</p></main></body></html>\n`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
