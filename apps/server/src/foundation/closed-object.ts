import type { TObject, TObjectOptions, TProperties } from 'typebox';
import { Type } from 'typebox';

/** The schema of an object without other properties. */
export function closedObject<Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** A closed object that the API description lists under this title. */
export function titledObject<Properties extends TProperties>(
  title: string,
  properties: Properties,
  options: TObjectOptions = {},
): TObject<Properties> {
  return Type.Object(properties, { title, additionalProperties: false, ...options });
}
