import type { ReaderLanguage } from '../foundation/reader-language.ts';

/** Targets of the links in mail; the site serves their pages. */
export const subscriptionPaths = {
  subscribe: '/subscribe',
  manage: '/subscribe/manage',
  unsubscribe: '/subscribe/unsubscribe',
} as const;

export interface MailSite {
  /** The public base address of this installation. */
  readonly baseUrl: string;
  /** Of pages without a prefix in their address. */
  readonly language: ReaderLanguage;
}

export function pageAddress({ baseUrl, language }: MailSite, of: ReaderLanguage, path: string): string {
  return `${baseUrl}${of === language ? '' : `/${of}`}${path}`;
}
