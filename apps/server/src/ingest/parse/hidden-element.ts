const stylesheetCharsMax = 2_000;
const offScreen = /^-\d{3,}(?:\.\d+)?(?:px|em|rem|vw|%)?$/u;
const zero = /^0(?:\.0+)?(?:px|em|rem|pt|%|vw|vh)?$/u;

/** Whether a browser does not show an element, as far as its own attributes say. `hidden` or `aria-hidden` suffices. */
export function isHiddenElement(attribute: (name: string) => string | null | undefined): boolean {
  if (typeof attribute('hidden') === 'string' || attribute('aria-hidden')?.toLowerCase() === 'true')
    return true;
  const style = attribute('style');
  return typeof style === 'string' && style !== '' && hidesText(declarations(style));
}

type Declarations = ReadonlyMap<string, string>;

function declarations(style: string): Declarations {
  const found = new Map<string, string>();
  for (const declaration of style.slice(0, stylesheetCharsMax).toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    const value = declaration
      .slice(colon + 1)
      .replace('!important', '')
      .trim();
    if (colon > 0) found.set(declaration.slice(0, colon).trim(), value);
  }
  return found;
}

function hidesText(style: Declarations): boolean {
  const value = (name: string): string => style.get(name) ?? '';
  if (value('display') === 'none' || /^(?:hidden|collapse)$/u.test(value('visibility'))) return true;
  if (
    zero.test(value('opacity')) ||
    zero.test(value('font-size')) ||
    value('content-visibility') === 'hidden'
  )
    return true;
  const isClipped = /hidden|clip/u.test(value('overflow'));
  if (isClipped && ['width', 'height', 'max-width', 'max-height'].some((name) => zero.test(value(name))))
    return true;
  if (/^rect\(\s*(?:0|1px)\b/u.test(value('clip')) || /^inset\((?:50|100)%/u.test(value('clip-path')))
    return true;
  if (
    offScreen.test(value('text-indent')) ||
    /scale[xy]?\(0\)|translate[xy]?\(-\d{4}/u.test(value('transform'))
  )
    return true;
  const isPlaced = /^(?:absolute|fixed)$/u.test(value('position'));
  if (isPlaced && ['left', 'top', 'right', 'bottom'].some((name) => offScreen.test(value(name)))) return true;
  return hasColourOfBackground(style);
}

function hasColourOfBackground(style: Declarations): boolean {
  const colour = plainColour(style.get('color') ?? '');
  if (colour === 'transparent') return true;
  const background = style.get('background-color') ?? style.get('background') ?? '';
  return colour !== '' && colour === plainColour(background);
}

const colourNames: Readonly<Record<string, string>> = { white: '255,255,255', black: '0,0,0' };

function plainColour(colour: string): string {
  if (/^rgba\(.*[,/]\s*0?(?:\.0+)?%?\s*\)$/u.test(colour)) return 'transparent';
  const short = /^#([\da-f])([\da-f])([\da-f])$/u
    .exec(colour)
    ?.slice(1)
    .map((digit) => digit + digit);
  const pairs = short ?? /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/u.exec(colour)?.slice(1);
  if (pairs !== undefined) return pairs.map((pair) => Number.parseInt(pair, 16)).join(',');
  const numbers = /^rgb\((.+)\)$/u.exec(colour)?.[1]?.match(/\d+/gu);
  return numbers?.join(',') ?? colourNames[colour] ?? colour;
}
