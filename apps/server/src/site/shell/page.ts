/** Nothing from other origins, nothing inline, no framing; the page declares targets of forms and picture sources. */
export function pageHeaders(formAction: string, pictures = "'self'"): Readonly<Record<string, string>> {
  return {
    'content-security-policy': `default-src 'none'; style-src 'self'; script-src 'self'; img-src ${pictures} data:; media-src ${pictures}; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    // The site's own pages may see the referrer: a browser that hides even that sends no Origin with forms.
    'referrer-policy': 'same-origin',
  };
}

/** A page for frames of other sites: no script and no forms. */
export const framedHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *`,
  'referrer-policy': 'no-referrer',
};
