/** The objects of a JSON Lines text. Throws an error with the number of the first line that is none. */
export function labelledLines(text: string): readonly { readonly number: number; readonly value: object }[] {
  return text
    .split('\n')
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => ({ number, value: parseObject(line, number) }));
}

function parseObject(line: string, number: number): object {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new Error(`line ${number} is not JSON`, { cause: error });
  }
  return typeof value === 'object' && value !== null ? value : {};
}

export type FieldType = 'text' | 'flag' | 'texts' | 'list';

const isOfType: Readonly<Record<FieldType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  texts: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
const typeNames: Readonly<Record<FieldType, string>> = {
  text: 'text',
  flag: 'true or false',
  list: 'a list',
  texts: 'a list of texts',
};

/** The rows of a labelled file. Throws an error with the first line that lacks a field. */
export function labelledRows<Row>(text: string, fields: Readonly<Record<string, FieldType>>): Row[] {
  return labelledLines(text).map(({ number, value }) => {
    for (const [name, type] of Object.entries(fields)) {
      if (!isOfType[type]((value as Record<string, unknown>)[name]))
        throw new Error(`line ${number} needs "${name}" (${typeNames[type]})`);
    }
    return value as Row;
  });
}
