import { html } from 'ghtml';

import { say } from '../../shell/words/say.ts';

const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg\//u, 'Edge'],
  [/\bFirefox\//u, 'Firefox'],
  [/Chrome\//u, 'Chrome'],
  [/\bSafari\//u, 'Safari'],
];
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone|iPad/u, 'iOS'],
  [/Android/u, 'Android'],
  [/Windows/u, 'Windows'],
  [/Mac OS X/u, 'macOS'],
  [/Linux/u, 'Linux'],
];

/** "Chrome on Linux"; other programs by the name that they send. */
export function deviceName(userAgent: string): string {
  const found = (known: typeof browsers): string | undefined =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [found(browsers), found(systems)];
  return browser === undefined || system === undefined
    ? userAgent
    : say('{browser} on {system}', { browser, system });
}

/** The origin of a request: the program, with all that it sent as title, and its address. */
export function device(address: string | null, userAgent: string | null): string {
  const name =
    userAgent === null || userAgent === ''
      ? ''
      : html`<span class="agent" title="${userAgent}">${deviceName(userAgent)}</span>`;
  return html`<div class="client">!${name} !${address === null ? '' : html`<small>${address}</small>`}</div>`;
}
