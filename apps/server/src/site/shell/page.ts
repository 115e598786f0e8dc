import { layout } from './frame.ts';
import type { LayoutOptions } from './frame.ts';

/** A page around an account; these speak English. */
export interface Page extends Pick<LayoutOptions, 'title' | 'main'> {
  /** For what needs more than a column of text. */
  readonly wide?: boolean;
  /** HTML: whoever has signed in, beside the way to their account. */
  readonly accountPicture?: string;
}

export function page({ title, main, wide = false, accountPicture = '' }: Page): string {
  return layout({
    title,
    main,
    language: 'en',
    href: (path) => path,
    path: null,
    width: wide ? 'wide' : 'column',
    accountPicture,
  });
}

/** Nothing from elsewhere, nothing inline, no frames around it; forms lead, and pictures come from, where the page says. */
export function pageHeaders(formAction: string, pictures = "'self'"): Readonly<Record<string, string>> {
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src ${pictures} data:; media-src ${pictures}; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    // Our own addresses may know where a visitor came from: a browser that hides even that sends no Origin with forms.
    'referrer-policy': 'same-origin',
  };
}
