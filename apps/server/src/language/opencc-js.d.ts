/** `traditional simplified…` per character, separated by `|`. */
declare module 'opencc-js/dict/TSCharacters' {
  const characters: string;
  export default characters;
}
