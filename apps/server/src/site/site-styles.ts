/** Every colour and measure of the pages; dark mode changes the colours and nothing else. */
export const siteStyles = `:root {
  color-scheme: light dark;
  --paper: #fdfcfa;
  --ink: #1d1b18;
  --faint: #6a645c;
  --line: #e2ddd5;
  --accent: #9c3d16;
  --code: #f3efe8;
  --text: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif CJK SC', 'Songti SC', Georgia, serif;
  --plain: system-ui, -apple-system, 'Segoe UI', 'Noto Sans CJK SC', sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #171513; --ink: #ece7df; --faint: #a49c90; --line: #37322c; --accent: #f0a27c; --code: #24211d; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--text); }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
header { border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem; font-family: var(--plain); font-size: 0.9375rem; }
nav a { color: var(--faint); text-decoration: none; }
nav a:hover { color: var(--accent); }
nav .brand { color: var(--ink); font: 700 1.375rem/1 var(--text); letter-spacing: -0.01em; margin-right: auto; }
#main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
#main.wide { max-width: 72rem; }
h1:not(#reference *) { font-size: 2rem; line-height: 1.2; letter-spacing: -0.015em; margin: 1rem 0; text-wrap: balance; }
h2:not(#reference *) { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
.lead { font-size: 1.25rem; color: var(--faint); }
/* The reference viewer brings its own look. */
code:not(#reference *), pre:not(#reference *) { font: 0.9em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; background: var(--code); border-radius: 4px; }
code:not(#reference *) { padding: 0.1em 0.35em; overflow-wrap: anywhere; }
pre:not(#reference *) { padding: 0.9rem 1rem; overflow-x: auto; }
pre:not(#reference *) code { padding: 0; background: none; }
#main > dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1.25rem; }
#main > dl dt { font-family: var(--plain); }
#main > dl dd { margin: 0; color: var(--faint); }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
#reference { background: #fff; color: #222; border: 1px solid var(--line); border-radius: 8px; margin-top: 1.5rem; }
@media (max-width: 32rem) { #main > dl { grid-template-columns: 1fr; gap: 0; } #main > dl dd { margin-bottom: 0.75rem; } h1:not(#reference *) { font-size: 1.625rem; } }
`;
