// The style of pages: readable in light and dark, on paper and on narrow screens.

export const STYLE: string = `
:root { --bad: #b3261e; --warn: #8a5a00; --good: #1b6e36; --plain: #2f5fa8; --before: #6b7280; --dim: #5b6370; --line: #8885; --card: #f6f7f9; --ground: #fff; --text: #1c2024 }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --warn: #f0bd5a; --good: #7bd88f; --plain: #8ab4f8; --before: #a3aab5; --dim: #a3aab5; --card: #22262b; --ground: #16191d; --text: #e8eaed } }
* { box-sizing: border-box }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; background: var(--ground); color: var(--text) }
main { max-width: 110em; margin: 0 auto; padding: 1em 1.5em }
h1 { font-size: 1.5em } h2 { font-size: 1.1em; margin: 1em 0 .3em }
.summary { display: flex; flex-wrap: wrap; gap: .8em; margin: 0 }
.summary div { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .5em 1em }
.summary dt { color: var(--dim); font-size: .85em } .summary dd { margin: 0; font-size: 1.5em }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26em, 100%), 1fr)); gap: 1em; margin: 1em 0 }
.chart { border: 1px solid var(--line); border-radius: 6px; padding: 0 1em 1em; min-width: 0 }
.chart p { margin: .2em 0; color: var(--dim); font-size: .85em }
.chart table { width: 100%; border-collapse: collapse; table-layout: fixed }
.chart th { width: 40%; text-align: left; font-weight: normal; padding: .3em .8em .3em 0; overflow-wrap: anywhere; vertical-align: top }
.bar { display: grid; grid-template-columns: 1fr 6em; gap: .6em; align-items: center; font-size: .85em }
.bar span { white-space: nowrap } .meaning { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
.chart small { color: var(--dim) }
.key::before { content: ""; display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; background: currentColor }
.bad { fill: var(--bad) } .warn { fill: var(--warn) } .good { fill: var(--good) } .plain { fill: var(--plain) } .before { fill: var(--before) }
.key.bad::before { background: var(--bad) } .key.warn::before { background: var(--warn) } .key.good::before { background: var(--good) }
.key.plain::before { background: var(--plain) } .key.before::before { background: var(--before) }
fieldset { border: 0; padding: 0; margin: .5em 0 } legend { float: left; margin-right: 1em } label { margin-right: 1em }
.rows { width: 100%; border-collapse: collapse }
.rows td, .rows thead th { text-align: left; vertical-align: top; padding: .4em .8em .4em 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere }
.rows td:nth-child(1) { white-space: nowrap; overflow-wrap: normal } .rows td:nth-child(2) { min-width: 8em } .rows td:nth-child(3) { min-width: 16em }
.rows p, .rows pre { margin: 0 0 .2em; white-space: pre-wrap } code, pre { font: 13px/1.5 ui-monospace, monospace; color: var(--dim); white-space: pre-wrap }
.fail .level, .error .level { color: var(--bad) } .warn .level { color: var(--warn) } .skip .level, .more, footer { color: var(--dim) }
a { color: var(--plain) } footer { margin: 2em 0; font-size: .85em }
body:has(#show-fail:checked) tbody tr.error, body:has(#show-fail:checked) tbody tr.warn, body:has(#show-fail:checked) tbody tr.skip,
body:has(#show-error:checked) tbody tr.fail, body:has(#show-error:checked) tbody tr.warn, body:has(#show-error:checked) tbody tr.skip,
body:has(#show-warn:checked) tbody tr.fail, body:has(#show-warn:checked) tbody tr.error, body:has(#show-warn:checked) tbody tr.skip,
body:has(#show-skip:checked) tbody tr.fail, body:has(#show-skip:checked) tbody tr.error, body:has(#show-skip:checked) tbody tr.warn { display: none }
@media print { fieldset { display: none } .rows tr, .chart { break-inside: avoid } }
`;
