export type ContentEncoding = 'br' | 'gzip' | 'identity';

/**
 * Chooses the available coding with the highest weight; br before gzip at equal weight. Identity is returned even
 * where it was refused: a body in the wrong coding is more useful than a 406.
 */
export function chooseEncoding(acceptEncoding: string | undefined): ContentEncoding {
  if (acceptEncoding === undefined || acceptEncoding === '') return 'identity';
  const known = remembered.get(acceptEncoding);
  if (known !== undefined) return known;
  const chosen = weigh(acceptEncoding);
  if (remembered.size < rememberedMax && acceptEncoding.length <= 200) remembered.set(acceptEncoding, chosen);
  return chosen;
}

// Clients send a handful of different values; parsing each once keeps it off the hot path.
const rememberedMax = 500;
const remembered = new Map<string, ContentEncoding>();

function weigh(acceptEncoding: string): ContentEncoding {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, quality === undefined ? 1 : Number(quality));
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), Math.max(weightOf('gzip'), weights.get('x-gzip') ?? 0)];
  const identity = weights.get('identity') ?? 0;
  if (br > 0 && br >= gzip && br >= identity) return 'br';
  return gzip > 0 && gzip >= identity ? 'gzip' : 'identity';
}
