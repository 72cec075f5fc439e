import { addressFrom, type GuideDocument } from './read-documents.ts'

/** The HTML of a page. `contents` is the document that lists all others. */
export function writePage(document: GuideDocument, contents: GuideDocument): string {
  const { page, title, html } = document
  const address = (target: string) => escaped(addressFrom(page, target))
  const list = /<ul>[\s\S]*<\/ul>/.exec(contents.html)?.[0] ?? ''
  return `<!doctype html>
<html lang="en" data-root="${address('index')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} – Gatehouse</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${address('guide.css')}">
<script type="module" src="${address('search.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<p><a href="${address('index')}">Gatehouse documentation</a></p>
<form role="search" hidden data-index="${address('search.json')}">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" aria-controls="found">
</form>
</header>
<section id="found" aria-label="Search results" aria-live="polite" hidden></section>
<nav aria-label="All pages">
<details>
<summary>All pages</summary>
${page === contents.page ? list : moved(list, contents.page, page)}
</details>
</nav>
<main id="content" tabindex="-1">
${html}
</main>
</body>
</html>
`
}

/** The links of one page, for another one. */
function moved(html: string, from: string, to: string): string {
  return html.replaceAll(/href="([^":]+)"/g, (_, address: string) => {
    const [path = '', id] = address.split('#')
    const page = new URL(path, `http://guide/docs/${from === 'index' ? 'guide' : `guide/${from}`}`).pathname
    const target = page.replace(/^\/docs\/guide\/?/, '') || 'index'
    return `href="${escaped(addressFrom(to, target, id))}"`
  })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
