/** The Markdown documents of this repository as HTML, with their headings and links. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'

/** A document, rendered. */
export interface GuideDocument {
  /** From the root of the repository: `docs/web-front.md`. */
  readonly path: string
  /** Its path below `/docs/guide` without an extension: `web-front`; `index` is the first page. */
  readonly page: string
  readonly title: string
  readonly html: string
  readonly headings: readonly GuideHeading[]
  /** Links to documents, and pictures, as files and headings of the repository. */
  readonly links: readonly GuideLink[]
}

/** A heading with the text that follows it. */
interface GuideHeading {
  readonly id: string
  readonly text: string
  readonly content: string
}

/** What a link leads to, if not to another host. */
interface GuideLink {
  /** As it is written. */
  readonly target: string
  /** From the root of the repository. */
  readonly path: string
  readonly id: string
}

/** The documents at the root that belong to the guide. */
const rootDocuments = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md']

/** All documents of the guide. */
export function readDocuments(root: string): readonly GuideDocument[] {
  const below = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.split(sep).join('/')}`)
    .filter((name) => name.endsWith('.md'))
    .sort()
  return [...below, ...rootDocuments.filter((path) => isFile(root, path))].map((path) =>
    readDocument(root, path),
  )
}

/** The page of a document: `docs/README.md` is the first, other READMEs stand for their folder. */
function pageOf(path: string): string {
  if (!path.startsWith('docs/')) return `project/${path.replace(/\.md$/, '').toLowerCase()}`
  const page = path.slice('docs/'.length).replace(/\.md$/, '')
  if (page === 'README') return 'index'
  return page.replace(/\/README$/, '')
}

/** The address of a page or a file, as a link in a page. */
export function addressFrom(page: string, target: string, id = ''): string {
  const placeOf = (name: string) => (name === 'index' ? '/guide' : `/guide/${name}`)
  const place = placeOf(target)
  const folder = posix.relative(posix.dirname(placeOf(page)), posix.dirname(place))
  const address = posix.join(folder, posix.basename(place))
  return id === '' ? address : `${address}#${id}`
}

/** What names the target of a link or the file of a picture. */
const linkAttributes: ReadonlyMap<string, string> = new Map([
  ['link_open', 'href'],
  ['image', 'src'],
])

function readDocument(root: string, path: string): GuideDocument {
  const page = pageOf(path)
  const markdown = new MarkdownIt({ html: true })
  const tokens = markdown.parse(readFileSync(join(root, path), 'utf8'), {})
  const headings = nameHeadings(tokens)
  const links: GuideLink[] = []
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    const attribute = linkAttributes.get(token.type)
    const target = attribute === undefined ? '' : (token.attrGet(attribute) ?? '')
    if (attribute === undefined || target === '' || /^[a-z]+:/.test(target)) continue
    const link = readLink(path, target)
    links.push(link)
    token.attrSet(attribute, addressOf(root, page, link))
  }
  markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
  markdown.renderer.rules.table_close = () => '</table></div>'
  const html = markdown.renderer
    .render(tokens, markdown.options, {})
    .replaceAll('<pre>', '<pre tabindex="0">')
  return { path, page, title: headings[0]?.text ?? page, html, headings, links }
}

function readLink(path: string, target: string): GuideLink {
  const [file = '', id = ''] = decodeURI(target).split('#')
  return { target, path: file === '' ? path : posix.join(posix.dirname(path), file), id }
}

function addressOf(root: string, page: string, { path, id }: GuideLink): string {
  if (path.endsWith('.md')) return addressFrom(page, pageOf(path), id)
  return isFile(root, path) ? addressFrom(page, filePageOf(path)) : addressFrom(page, 'project/architecture')
}

/** Where a file that is no document lies in the guide: a picture as it is, everything else as text. */
export function filePageOf(path: string): string {
  return path.endsWith('.png') ? `files/${path}` : `files/${path}.txt`
}

/** Whether a path of the repository is a file. */
export function isFile(root: string, path: string): boolean {
  return existsSync(join(root, path)) && statSync(join(root, path)).isFile()
}

/** Gives each heading the id that GitHub gives it. */
function nameHeadings(tokens: readonly Token[]): readonly GuideHeading[] {
  const counts = new Map<string, number>()
  const headings: { id: string; text: string; content: string }[] = []
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1]
    if (token.type === 'heading_open' && inline !== undefined) {
      const text = textOf(inline)
      const slug = slugOf(text)
      const count = counts.get(slug) ?? 0
      counts.set(slug, count + 1)
      const id = count === 0 ? slug : `${slug}-${count}`
      token.attrSet('id', id)
      headings.push({ id, text, content: '' })
      continue
    }
    const last = headings.at(-1)
    const isHeading = tokens[index - 1]?.type === 'heading_open'
    if (last === undefined || isHeading) continue
    if (token.type === 'inline') last.content += ` ${textOf(token)}`
    if (token.type === 'fence') last.content += ` ${token.content}`
  }
  return headings
}

function textOf({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
