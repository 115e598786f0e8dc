/**
 * Fills `${NAME}` in, as envsubst does on a machine and nginx's image in a container. Here a name without a value, or a
 * value without a name, is a mistake.
 */
export function fillTemplate(text: string, values: Readonly<Record<string, string>>): string {
  const unused = new Set(Object.keys(values));
  const filled = text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the template asks for ${name}`);
    unused.delete(name);
    return value;
  });
  if (unused.size > 0) throw new Error(`the template does not ask for ${[...unused].join(', ')}`);
  return filled;
}
