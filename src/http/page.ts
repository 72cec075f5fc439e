/** The service's own pages for people: plain HTML that needs no scripts. */
import type { DocumentWriter } from './document.ts'
import { escapeHtml } from './escape-html.ts'
import { iconLink } from './icon.ts'

/** A link to where a person can go on. */
export interface PageLink {
  readonly label: string
  readonly url: string
}

/** A page with a heading; `content` is HTML, or makes it with the nonce that its scripts carry. */
export function page(title: string, content: string | DocumentWriter): DocumentWriter {
  return (nonce) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${iconLink}
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${typeof content === 'string' ? content : content(nonce)}
</main>
</body>
</html>
`
}

/** A page that says what has happened, and what can be done. */
export function messagePage(message: {
  readonly title: string
  /** Absent if the title says everything. */
  readonly text?: string
  readonly link?: PageLink
  /** For support. */
  readonly requestId?: string
}): DocumentWriter {
  const { title, text, link, requestId } = message
  const paragraph = text === undefined ? '' : `<p>${escapeHtml(text)}</p>`
  const anchor =
    link === undefined
      ? ''
      : `<p><a class="button" href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`
  const reference = requestId === undefined ? '' : `<p class="small">Reference: ${escapeHtml(requestId)}</p>`
  return page(title, `${paragraph}${anchor}${reference}`)
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { display: grid; min-height: 100vh; margin: 0; place-items: center; background: Canvas; color: CanvasText }
main { box-sizing: border-box; width: min(24rem, 100%); padding: 1.5rem; overflow-wrap: anywhere }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25 }
ul { list-style: none; margin: 0; padding: 0 }
li + li { margin-top: .75rem }
label { display: block; margin: .75rem 0 .25rem }
input { box-sizing: border-box; width: 100%; padding: .6rem; font: inherit; border: 1px solid GrayText; border-radius: .4rem }
.button { display: block; box-sizing: border-box; width: 100%; padding: .6rem; margin-top: 1.25rem; font: inherit; text-align: center; text-decoration: none; color: #fff; background: #1a56b0; border: 0; border-radius: .4rem; cursor: pointer }
li .button { margin-top: 0 }
.button.other { margin-top: .75rem; color: inherit; background: none; border: 1px solid GrayText }
[hidden] { display: none !important }
a:not(.button) { color: light-dark(#1a56b0, #8ab4f8) }
:focus-visible { outline: 3px solid light-dark(#1a56b0, #8ab4f8); outline-offset: 2px }
[role=alert] { padding: .6rem; border-left: 4px solid light-dark(#b3261e, #f2b8b5) }
.small { font-size: .8rem }
`
