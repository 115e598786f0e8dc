import type { MailLanguage } from './subscription-store.ts';

/** Where the links in mail lead; the pages behind them belong to the site. */
export const subscriptionPaths = {
  subscribe: '/subscribe',
  manage: '/subscribe/manage',
  unsubscribe: '/subscribe/unsubscribe',
} as const;

export interface MailSite {
  /** Where readers reach this installation. */
  readonly baseUrl: string;
  /** Of pages without a prefix in their address. */
  readonly language: MailLanguage;
}

export function pageAddress({ baseUrl, language }: MailSite, of: MailLanguage, path: string): string {
  return `${baseUrl}${of === language ? '' : `/${of}`}${path}`;
}
