import { Parser } from 'htmlparser2';

/** Several times what the largest pages have. */
const bounds = { depth: 200, elements: 40_000, nodes: 50_000, attributesOfElement: 1_000, work: 50_000_000 };
const measures = Object.keys(bounds) as readonly (keyof typeof bounds)[];
const workOfNode = 20;
const stop = Symbol('stop reading');

/**
 * The length of the beginning of a page that can be read in a second: all of it for every page that people read. To close
 * an element takes time for each that is open, and its text is read again for each element around it, which `work` counts.
 * Elements that are nested thousands of times would take minutes.
 */
export function lengthWithinBounds(html: string): number {
  const used = { depth: 0, elements: 0, nodes: 0, attributesOfElement: 0, work: 0 };
  let isCode = false;
  const count = (nodes: number, chars: number): void => {
    used.nodes += nodes;
    used.work += used.depth * (nodes * workOfNode + chars);
    // Only an exception stops the parser early.
    // oxlint-disable-next-line no-throw-literal -- caught below, never seen outside
    if (measures.some((measure) => used[measure] > bounds[measure])) throw stop;
  };
  const parser = new Parser(
    {
      onattribute: () => {
        used.attributesOfElement += 1;
        count(0, 0);
      },
      onopentag: (name) => {
        isCode = name === 'script' || name === 'style';
        used.attributesOfElement = 0;
        used.depth += 1;
        used.elements += 1;
        count(1, 0);
      },
      onclosetag: () => {
        isCode = false;
        used.depth -= 1;
      },
      // Text that is written as markup and read again has a node for each character that is escaped.
      ontext: (text) => count(isCode ? 1 : 1 + (text.match(/[&<>\u00a0]/g)?.length ?? 0), text.length),
    },
    { decodeEntities: true },
  );
  try {
    parser.end(html);
    return html.length;
  } catch (error) {
    if (error !== stop) throw error;
    return parser.startIndex;
  }
}
