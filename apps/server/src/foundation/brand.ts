declare const brand: unique symbol;

/** A base type that only its own parser or maker can produce. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };
