/** `traditional simplified…` per character, separated by `|`. */
declare module 'opencc-js/dict/TSCharacters' {
  const characters: string;
  export default characters;
}

/** `simplified traditional…` per character, separated by `|`. */
declare module 'opencc-js/dict/STCharacters' {
  const characters: string;
  export default characters;
}
