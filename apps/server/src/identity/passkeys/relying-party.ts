/** EdDSA, ES256 and RS256; every device supports one of them. */
export const signatureAlgorithms = [-8, -7, -257];

/** The relying party: the host of the sign-in page, and the only origin that may request passkeys. */
export function relyingParty(authUrl: string): { readonly id: string; readonly origin: string } {
  const { hostname: id, origin } = new URL(authUrl);
  return { id, origin };
}

const responseCharsMax = 16_384;

/** The response of a device, as the browser sends it; the library checks its content. */
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
