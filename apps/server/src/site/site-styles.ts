/** Every colour and measure of the pages; dark mode changes the colours and nothing else. */
export const siteStyles = `:root {
  color-scheme: light dark;
  --paper: #fdfcfa;
  --ink: #1d1b18;
  --faint: #6a645c;
  --line: #e2ddd5;
  --accent: #9c3d16;
  --code: #f3efe8;
  --field: #ffffff;
  --border: #8a8278;
  --good: #1d6b3a;
  --bad: #a61b1b;
  --on-accent: #ffffff;
  --text: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Noto Serif CJK SC', 'Songti SC', Georgia, serif;
  --plain: system-ui, -apple-system, 'Segoe UI', 'Noto Sans CJK SC', sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #171513; --ink: #ece7df; --faint: #a49c90; --line: #37322c; --accent: #f0a27c; --code: #24211d;
    --field: #1f1c19; --border: #8b8377; --good: #7fd19b; --bad: #ff9d90; --on-accent: #1d120b; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--text); }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:focus-visible, button:focus-visible, input:focus-visible, textarea:focus-visible, select:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
header { border-bottom: 1px solid var(--line); }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem; font-family: var(--plain); font-size: 0.9375rem; }
nav a { color: var(--faint); text-decoration: none; }
nav a:hover { color: var(--accent); }
nav .brand { color: var(--ink); font: 700 1.375rem/1 var(--text); letter-spacing: -0.01em; margin-right: auto; }
#main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
#main.wide { max-width: 72rem; }
#main.wide > p, #main.wide > form, #main.wide > .notice { max-width: 40rem; }
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
form:not(.small) { margin: 1.5rem 0; }
form.small, .row, .aside { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: center; }
.aside { margin-top: 1.5rem; font-family: var(--plain); font-size: 0.9375rem; }
.field, .secret { margin: 0 0 1.25rem; font-family: var(--plain); }
.field label, .secret label, legend { display: block; font-weight: 600; margin-bottom: 0.25rem; padding: 0; }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; font-family: var(--plain); }
fieldset label { display: flex; gap: 0.6rem; align-items: baseline; padding: 0.25rem 0; }
input:not([type=checkbox], [type=radio], #reference *), textarea:not(#reference *), select:not(#reference *) { width: 100%; padding: 0.6rem 0.75rem; font: 1rem/1.4 var(--plain); color: inherit; background: var(--field); border: 1px solid var(--border); border-radius: 6px; }
textarea:not(#reference *) { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: 0.9375rem; }
input[type=checkbox] { accent-color: var(--accent); }
.row > input[type=search]:not(#reference *) { flex: 1 1 12rem; width: auto; min-width: 0; }
.row > label { font: 600 1rem/1.4 var(--plain); }
input[aria-invalid=true] { border-color: var(--bad); }
.row > textarea:not(#reference *) { flex: 1 1 16rem; width: auto; min-width: 0; resize: none; field-sizing: content; overflow-wrap: anywhere; }
button:not(#reference *) { padding: 0.6rem 1.25rem; font: 600 1rem/1.4 var(--plain); color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 6px; cursor: pointer; }
a.button { display: inline-block; padding: 0.6rem 1.25rem; font: 600 1rem/1.4 var(--plain); border: 1px solid var(--border); border-radius: 6px; text-decoration: none; }
button.danger:not(#reference *), form.small button:not(#reference *), .row button:not(#reference *) { color: var(--accent); background: transparent; }
form.small button:not(#reference *), .row button:not(#reference *) { padding: 0.3rem 0.8rem; font-size: 0.9375rem; }
button.danger:not(#reference *), form.small button.danger:not(#reference *) { color: var(--bad); border-color: var(--bad); }
.hint, .empty { margin: 0 0 0.35rem; color: var(--faint); font: 0.9375rem/1.5 var(--plain); }
.secret .hint { margin-top: 0.5rem; }
.fault { margin: 0.35rem 0 0; color: var(--bad); font-size: 0.9375rem; }
.notice { margin: 1.25rem 0; padding: 0.8rem 1rem; border: 1px solid var(--border); border-left: 4px solid var(--accent); border-radius: 6px; font-family: var(--plain); }
.notice > p:first-child { margin-top: 0; }
.notice > :last-child { margin-bottom: 0; }
.notice.good { border-left-color: var(--good); }
.notice.bad { border-left-color: var(--bad); }
.facts, #main > .facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1.25rem; align-items: baseline; }
.facts dd { overflow-wrap: anywhere; }
.facts dt { color: var(--faint); font-family: var(--plain); }
#main > .facts dd { margin: 0; color: inherit; }
.tabs { max-width: none; margin: 0 0 1rem; padding: 0 0 0.75rem; border-bottom: 1px solid var(--line); }
.tabs a[aria-current=page] { color: var(--ink); font-weight: 600; border-bottom: 2px solid var(--accent); }
table:not(#reference *) { width: 100%; border-collapse: collapse; margin: 1rem 0; font: 0.9375rem/1.5 var(--plain); }
caption { text-align: left; color: var(--faint); padding-bottom: 0.25rem; }
th:not(#reference *), td:not(#reference *) { text-align: left; vertical-align: top; padding: 0.55rem 1rem 0.55rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
time, button:not(#reference *) { white-space: nowrap; }
th:not(#reference *) { font-weight: 600; }
td .client { min-width: 14rem; }
td .agent { overflow-wrap: anywhere; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; color: var(--faint); font-size: 0.875rem; }
.pager { max-width: none; margin: 0; padding: 0; }
.ways { padding-left: 1.25rem; }
.ways li { margin: 0.5rem 0; }
.skip { position: absolute; left: -999rem; }
.skip:focus { position: static; }
#reference { background: #fff; color: #222; border: 1px solid var(--line); border-radius: 8px; margin-top: 1.5rem; }
@media (max-width: 40rem) {
  table:not(#reference *) thead { position: absolute; left: -999rem; }
  table:not(#reference *), caption, tbody:not(#reference *), tr:not(#reference *), td:not(#reference *) { display: block; }
  tr:not(#reference *) { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  td:not(#reference *) { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0.75rem; align-items: baseline; border: 0; padding: 0.15rem 0; }
  td[data-column]::before { content: attr(data-column); color: var(--faint); }
  td > * { justify-self: start; }
  td .client { min-width: 0; }
  nav { gap: 0.25rem 0.875rem; font-size: 0.875rem; }
  nav a:not(.brand) { padding: 0.5rem 0; }
  nav .brand { font-size: 1.25rem; }
  .aside { gap: 0.75rem 1.25rem; }
  .aside a, .pager a { padding: 0.5rem 0; }
  form.small button:not(#reference *), .row button:not(#reference *) { min-height: 2.75rem; }
  .facts, #main > .facts { grid-template-columns: 1fr; gap: 0; }
  #main > .facts dd { margin-bottom: 0.75rem; }
}
@media (max-width: 32rem) { #main > dl { grid-template-columns: 1fr; gap: 0; } #main > dl dd { margin-bottom: 0.75rem; } h1:not(#reference *) { font-size: 1.625rem; } }
`;
