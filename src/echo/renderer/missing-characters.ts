/**
 * Finds the characters of a drawn page for which the browser has no font: it draws boxes in their place, and does not
 * say so. It draws such a box with the first font that the style names. So each character is laid out once more, on
 * a page whose first font has no characters: where that font was used, no other has the character.
 */
import { createHash } from 'node:crypto'
import type { CDPSession, Page } from 'playwright-core'
import { GenerationalCache } from '../../util/generational-cache.ts'
import type { HtmlPage } from './draw-page.ts'
import type { IsolatedPage } from './isolated-browser.ts'
import { tinyFont } from './tiny-font.ts'

/** So many characters of a page are looked for at most. */
const mostSought = 500

/** So many missing characters are found at most: enough to know which fonts are missing. */
const mostFound = 10

/** So many characters are asked about at once, and one by one where some are missing. */
const groupSize = 50

/** Which characters are missing on which page. It remembers those that fonts have. */
export class MissingCharacters {
  /** By the fonts of pages, what else these can draw. */
  readonly #drawn = new GenerationalCache<string, Set<string>>(20)

  /**
   * The first missing characters in the text of a page that was drawn, in its header and its footer. Texts that
   * styles insert are not looked at.
   */
  async of(
    { page, session }: IsolatedPage,
    { html, page: { header = '', footer = '' } }: HtmlPage,
  ): Promise<string[]> {
    const edges = header + footer
    const fonts = fontsOf(html)
    const drawn = this.#drawnBy(fonts)
    const sought = [...charactersOf(html + edges)].filter((piece) => !drawn.has(piece)).slice(0, mostSought)
    if (sought.length === 0) return []
    const missing = await findMissing(page, fonts, { sought, drawn })
    if (missing.length === 0) return []
    const shown = (await textOf(session)) + edges
    return missing.filter((character) => shown.includes(character))
  }

  #drawnBy(fonts: string): Set<string> {
    const key = fonts === '' ? '' : createHash('sha256').update(fonts).digest('base64')
    const known = this.#drawn.get(key)
    if (known !== undefined && known.size < 100_000) return known
    const drawn = new Set<string>()
    this.#drawn.set(key, drawn)
    return drawn
  }
}

/** The fonts that a page brings with it, as rules of CSS. */
function fontsOf(html: string): string {
  return [...html.matchAll(/@font-face\s*\{[^{}]*\}/gi)].join('\n')
}

/**
 * The different characters of a page as they stand in its HTML, also as character references. One letter stands for
 * all of ASCII: a machine may have no font at all.
 */
function charactersOf(html: string): Set<string> {
  const pieces = html.match(/[^\p{ASCII}\p{Cc}]|&#?\w{1,32};/gu) ?? []
  return new Set(['a', ...pieces])
}

/** The missing ones of some characters. The others are added to those that can be drawn, as soon as they are known. */
async function findMissing(
  beside: Page,
  fonts: string,
  { sought, drawn }: { readonly sought: readonly string[]; readonly drawn: Set<string> },
): Promise<readonly string[]> {
  const page = await beside.context().newPage()
  try {
    const session = await beside.context().newCDPSession(page)
    await page.setContent(probeOf(fonts, sought))
    const probe = await openProbe(session)
    const missing: string[] = []
    for (const [index, group] of probe.groups.entries()) {
      const [start, end] = [index * groupSize, (index + 1) * groupSize]
      const hasBoxes = await probe.hasBox(group)
      for (const [offset, piece] of sought.slice(start, end).entries()) {
        const paragraph = probe.paragraphs[start + offset] ?? 0
        if (!hasBoxes || !(await probe.hasBox(paragraph))) drawn.add(piece)
        else missing.push(await probe.characterOf(paragraph))
        if (missing.length === mostFound) return missing
      }
    }
    return missing
  } finally {
    await page.close()
  }
}

/** A page with one paragraph for each character. A font without characters comes first. */
function probeOf(fonts: string, sought: readonly string[]): string {
  const families = [...fonts.matchAll(/font-family\s*:\s*([^;}]+)/gi)].map(([, family]) => family)
  const groups: string[] = []
  for (let start = 0; start < sought.length; start += groupSize) {
    const group = sought.slice(start, start + groupSize)
    groups.push(`<div>${group.map((piece) => `<p>${piece}</p>`).join('')}</div>`)
  }
  return `<!doctype html><style>${fonts}
@font-face { font-family: ${emptyFamily}; src: url(data:font/ttf;base64,${emptyFont}) }
body { font-family: ${[emptyFamily, ...families].join(', ')} }</style><body>${groups.join('')}`
}

/** Its name, for styles and in PostScript. */
const emptyFamily = 'font-without-characters'

/** Its only character is a noncharacter, which no text has. */
const emptyFont = tinyFont(emptyFamily, '\u{10ffff}').toString('base64')

async function openProbe(session: CDPSession) {
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument', { depth: 0 })
  const select = async (selector: string) =>
    (await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })).nodeIds
  return {
    groups: await select('div'),
    paragraphs: await select('p'),
    /** Whether a paragraph, or one of a group, shows a box. The browser looks no deeper than that. */
    async hasBox(nodeId: number): Promise<boolean> {
      const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
      return fonts.some(({ postScriptName }) => postScriptName === emptyFamily)
    },
    async characterOf(paragraph: number): Promise<string> {
      const { node } = await session.send('DOM.describeNode', { nodeId: paragraph, depth: 1 })
      return node.children?.[0]?.nodeValue ?? ''
    },
  }
}

/** The texts of a page that are shown. */
async function textOf(session: CDPSession): Promise<string> {
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] })
  const { nodeType = [], nodeValue = [], nodeName = [], parentIndex = [] } = documents[0]?.nodes ?? {}
  const textAt = (index: number, list: readonly number[]) => strings[list[index] ?? -1] ?? ''
  const isShown = (type: number, index: number) =>
    type === textNode && !hidden.has(textAt(parentIndex[index] ?? -1, nodeName).toUpperCase())
  return nodeType.flatMap((type, index) => (isShown(type, index) ? [textAt(index, nodeValue)] : [])).join('')
}

const textNode = 3

const hidden: ReadonlySet<string> = new Set(['STYLE', 'SCRIPT', 'TITLE'])
