import { Parser } from 'htmlparser2';

export interface MarkupHandler {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close: (name: string) => void;
  /** In XML, text outside CDATA still contains its entities. */
  readonly text: (text: string, inCdata: boolean) => void;
}

export interface MarkupOptions {
  readonly xml: boolean;
  /** Deeper nesting stops the parser: the time to close an element grows with the number of open elements. */
  readonly depthMax: number;
  readonly elementsMax: number;
}

const stop = Symbol('stop reading');
/** Of one element. */
const attributesMax = 5_000;

/** Parses markup of any quality in one pass. False: it stopped at a bound. */
export function readMarkup(markup: string, options: MarkupOptions, handler: MarkupHandler): boolean {
  let depth = 0;
  let elements = 0;
  let attributeCount = 0;
  let inCdata = false;
  const parser = new Parser(
    {
      onattribute: () => {
        attributeCount += 1;
        // oxlint-disable-next-line no-throw-literal -- caught below, never seen outside
        if (attributeCount > attributesMax) throw stop;
      },
      onopentag: (name, attributes) => {
        depth += 1;
        elements += 1;
        attributeCount = 0;
        // Only an exception stops the parser early.
        // oxlint-disable-next-line no-throw-literal -- caught below, never seen outside
        if (depth > options.depthMax || elements > options.elementsMax) throw stop;
        handler.open(name, attributes);
      },
      onclosetag: (name) => {
        depth -= 1;
        handler.close(name);
      },
      ontext: (text) => handler.text(text, inCdata),
      oncdatastart: () => {
        inCdata = true;
      },
      oncdataend: () => {
        inCdata = false;
      },
    },
    {
      xmlMode: options.xml,
      decodeEntities: !options.xml,
      lowerCaseTags: true,
      lowerCaseAttributeNames: true,
    },
  );
  try {
    parser.end(markup);
    return true;
  } catch (error) {
    if (error === stop) return false;
    throw error;
  }
}
