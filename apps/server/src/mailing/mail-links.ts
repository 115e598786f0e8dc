import type { MailLanguage } from './subscription-store.ts';

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
  readonly language: MailLanguage;
}

export function pageAddress({ baseUrl, language }: MailSite, of: MailLanguage, path: string): string {
  return `${baseUrl}${of === language ? '' : `/${of}`}${path}`;
}
