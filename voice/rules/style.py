"""The style of the HTML page: light and dark, from a phone's width up, and on paper."""

CSS = """
:root {
  color-scheme: light dark;
  --ground: #fbfaf7; --text: #1c1e22; --quiet: #5a6069; --line: #d9d6cd; --panel: #f1efe8; --link: #2a4fb0;
}
@media (max-width: 32rem) { td code { font-size: .72em; } }
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0e1014; --text: #eceff4; --quiet: #98a1b0; --line: #2c323d; --panel: #171b22; --link: #8fb0ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 44rem; background: var(--ground); color: var(--text);
  font: 1.0625rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: break-word; hyphens: manual;
}
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0 0 .25rem; font-size: 2rem; }
h2 { margin: 3rem 0 1rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.35rem; }
h3 { margin: 0; font-size: 1.0625rem; }
.all h2 { margin-top: 4.5rem; border-bottom-width: 3px; font-size: 1.75rem; }
.all h3 { margin: 2.5rem 0 1rem; font-size: 1.3rem; }
.all h4 { margin: 0; font-size: 1.0625rem; }
p { margin: .2rem 0 0; }
a { color: var(--link); }
.code { color: var(--quiet); }
code { font: .9em/1.4 ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
nav { margin-top: 1.5rem; padding: .9rem 1.1rem; border: 1px solid var(--line); border-radius: .75rem;
  background: var(--panel); }
nav p { margin: 0 0 .4rem; font-weight: 600; }
nav ul { margin: 0; padding: 0; list-style: none; columns: 16rem; column-gap: 2rem; }
nav a { display: inline-block; padding: .2rem 0; text-decoration-thickness: 1px; text-underline-offset: .2em; }
.rule { margin: 1.25rem 0; padding: 0 0 0 .9rem; border-left: 3px solid var(--line); break-inside: avoid; }
.rule:target { border-left-color: var(--link); background: var(--panel); }
.rule .id { color: var(--quiet); font-weight: 400; font-size: .8125rem; text-decoration: none; white-space: nowrap; }
.rule .id:hover, .rule .id:focus-visible { color: var(--link); text-decoration: underline; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .45rem .6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; }
tbody th { font-weight: 400; }
.n { text-align: right; white-space: nowrap; }
thead th { color: var(--quiet); font-size: .875rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 32rem) {
  body { padding: 1rem .9rem 3rem; font-size: 1rem; }
  h1 { font-size: 1.6rem; }
  th, td { padding: .4rem .35rem; }
  .rule .id { display: block; }
}
@media print {
  :root { --ground: #fff; --text: #000; --quiet: #444; --line: #bbb; --panel: #fff; --link: #000; }
  body { max-width: none; padding: 0; font-size: 10.5pt; }
  nav { display: none; }
  h2, h3, h4 { break-after: avoid; }
  h2 { margin-top: 1.5rem; }
  tr { break-inside: avoid; }
}
"""
