import type { EditionKey } from './editions/edition.ts';

// Paths of public pages below the base address; part of every body and feed.
export const itemPath = (id: string): string => `/items/${id}`;
export const storyPath = (publicId: string): string => `/story/${publicId}`;
export const editionPath = ({ kind, period }: EditionKey): string => `/${kind}/${period}`;
