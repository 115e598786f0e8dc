import type { Result } from '../../foundation/result.ts';
import { accepted, refused } from '../../foundation/result.ts';
import type { SecretBox } from '../../foundation/secret-box.ts';
import type { SourceSettings } from './source.ts';

/** The credentials of a feed. */
export type SourceSignIn =
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'bearer'; readonly token: string };

const secretCharsMax = 2_000;

/** Null: the credentials do not fit into a header. */
export function authorizationHeader(signIn: SourceSignIn): string | null {
  if (signIn.scheme === 'bearer')
    return /^[\u0021-\u007E]+$/u.test(signIn.token) && signIn.token.length <= secretCharsMax
      ? `Bearer ${signIn.token}`
      : null;
  const { user, password } = signIn;
  if (user.includes(':') || `${user}${password}`.length > secretCharsMax) return null;
  return /\p{Cc}/u.test(`${user}${password}`)
    ? null
    : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Binds the header to the origin of the feed: it cannot be opened for another origin. */
export function authorizationPurpose(feedUrl: string): string {
  return `source authorization ${new URL(feedUrl).origin}`;
}

export function sealAuthorization(secretBox: SecretBox, feedUrl: string, header: string): Buffer {
  return secretBox.seal(Buffer.from(header), authorizationPurpose(feedUrl));
}

/** Null: the source has no credentials. */
export function openAuthorization(
  secretBox: SecretBox | null,
  { feedUrl, sealedAuthorization }: Pick<SourceSettings, 'feedUrl' | 'sealedAuthorization'>,
): Result<string | null, string> {
  if (sealedAuthorization === null) return accepted(null);
  if (secretBox === null) return refused('DAYBOOK_SECRET_KEY is not set');
  try {
    return accepted(secretBox.open(sealedAuthorization, authorizationPurpose(feedUrl)).toString());
  } catch (error) {
    return refused(error instanceof Error ? error.message : 'it cannot be opened');
  }
}
