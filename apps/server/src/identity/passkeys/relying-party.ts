/** EdDSA, ES256 and RS256, which every device knows one of. */
export const signatureAlgorithms = [-8, -7, -257];

/** Whose passkeys they are: the host that people sign in at, and the one origin that may ask for them. */
export function relyingParty(authUrl: string): { readonly id: string; readonly origin: string } {
  const { hostname: id, origin } = new URL(authUrl);
  return { id, origin };
}

const responseCharsMax = 16_384;

/** What a browser says that a device answered; its content is the library's to check. */
export function parseDeviceResponse<Response extends { readonly id: string }>(text: string): Response | null {
  if (text.length > responseCharsMax) return null;
  try {
    const value: unknown = JSON.parse(text);
    const isResponse = typeof value === 'object' && value !== null && 'id' in value;
    return isResponse && typeof value.id === 'string' ? (value as Response) : null;
  } catch {
    return null;
  }
}
