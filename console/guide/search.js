/** The search of the documentation: an index that is read once, and words that all have to occur. */

const form = document.querySelector('form[role=search]')
const field = document.querySelector('#search')
const found = document.querySelector('#found')
const first = new URL(document.documentElement.dataset.root, location.href)
const shown = 20
let reading

form.hidden = false
form.addEventListener('submit', (event) => {
  event.preventDefault()
  found.querySelector('a')?.focus()
})
field.addEventListener('input', async () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  const sections = words.length === 0 ? [] : await search(words)
  if (words.join(' ') !== field.value.toLowerCase().split(/\s+/).filter(Boolean).join(' ')) return
  show(sections, words.length > 0)
})

async function search(words) {
  reading ??= fetch(form.dataset.index).then((response) => response.json())
  const sections = await reading
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, shown)
    .map(({ section }) => section)
}

/** 0 where a word is missing; a word in the title counts more. */
function scoreOf({ title, text }, words) {
  const [inTitle, inText] = [title.toLowerCase(), text.toLowerCase()]
  const scores = words.map((word) => (inTitle.includes(word) ? 10 : inText.includes(word) ? 1 : 0))
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

function show(sections, isAsked) {
  found.hidden = !isAsked
  const list = document.createElement('ul')
  for (const { address, title, text } of sections) {
    const link = document.createElement('a')
    link.href = new URL(address, first).href
    link.textContent = title
    const item = document.createElement('li')
    item.append(link, document.createElement('br'), text.slice(0, 160))
    list.append(item)
  }
  const nothing = document.createElement('p')
  nothing.textContent = 'Nothing was found.'
  found.replaceChildren(sections.length === 0 ? nothing : list)
}
