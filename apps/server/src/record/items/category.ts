/** The subject of an item; the values of the news API's `category`. */
export const categories = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'] as const;

export type Category = (typeof categories)[number];
