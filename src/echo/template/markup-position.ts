/**
 * Tracks the fixed text of HTML, SVG and XML as a browser parses it
 * (https://html.spec.whatwg.org/multipage/parsing.html#tokenization), as far as needed to know how a value would be
 * parsed.
 */

/** The state of the parser. */
type MarkupState =
  /** In text, also of an element with only text content. */
  | 'text'
  /** In a script or a style sheet. */
  | 'code'
  | 'comment'
  /** In a declaration or processing instruction: `<!…>`, `<?…>` */
  | 'declaration'
  | 'cdata'
  /** In an element's name, between attributes, in an attribute's name, after it, and after its `=`. */
  | 'elementName'
  | 'tag'
  | 'attributeName'
  | 'afterName'
  | 'beforeValue'
  | 'attributeValue'

/** The position of the parser. */
export interface MarkupPosition {
  readonly state: MarkupState
  /** The element of the current tag or content, without a prefix. */
  readonly element: string
  /** The current attribute; undefined if a block may have started another one. */
  readonly attribute: string | undefined
  /** The quote around the attribute's value; '' for none. */
  readonly quote: string
  /** The text read so far of the attribute's value, of the code or of a name; `valueMark` for each value. */
  readonly read: string
  /** Names of the tag's attributes so far; `valueMark` at the end of those whose values contain params. */
  readonly attributes: readonly string[]
  /** A mistake in the fixed text. */
  readonly mistake?: string
}

/** Represents a value in the text read so far. */
export const valueMark = '\0'

export const startOfMarkup: MarkupPosition = {
  state: 'text',
  element: '',
  attribute: '',
  quote: '',
  read: '',
  attributes: [],
}

/** Elements whose content is always text. */
const textElements: ReadonlySet<string> = new Set([
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
])

const writtenElements: ReadonlySet<string> = new Set(['title', 'textarea'])

/** How a format is parsed. */
export interface MarkupRules {
  /** Whether names are case-sensitive, and `<a/>` is a complete element. */
  readonly isXml: boolean
  /** Whether an element contains a script or a style sheet. */
  readonly hasCode: (element: string) => boolean
  /** Whether an attribute, by its lower-case name, is a script. */
  readonly isHandler: (attribute: string) => boolean
}

const codeElements: ReadonlySet<string> = new Set(['script', 'style'])
/** Event handlers that browsers know. In XML other attributes may start with `on`, too. */
const handlers =
  /^on(?:abort|activate|animation\p{L}*|(?:after|before)\p{L}+|begin|blur|cancel|canplay\p{L}*|change|click|close|contextmenu|copy|cuechange|cut|dblclick|drag\p{L}*|drop|durationchange|emptied|end(?:ed)?|error|focus\p{L}*|formdata|hashchange|input|invalid|key\p{L}+|load\p{L}*|message\p{L}*|mouse\p{L}+|offline|page\p{L}+|paste|pause|play\p{L}*|pointer\p{L}+|popstate|progress|ratechange|rejectionhandled|repeat|reset|resize|scroll\p{L}*|search|securitypolicyviolation|seek\p{L}+|select\p{L}*|show|slotchange|stalled|storage|submit|suspend|timeupdate|toggle|touch\p{L}+|transition\p{L}*|unhandledrejection|unload|volumechange|waiting|webkit\p{L}+|wheel|zoom)$/u
/** Namespaces in which an element named `style` has an effect: https://www.w3.org/TR/xml-names/ */
const showingNamespace = /w3\.org\/(?:1999\/xhtml|2000\/svg)/

/** The rules of a format; `text` is the template's, or undefined if it may be a part of any. */
export function markupRules(format: 'html' | 'svg' | 'xml', text?: string): MarkupRules {
  if (format !== 'xml') {
    return {
      isXml: format === 'svg',
      hasCode: (element) => codeElements.has(element.toLowerCase()),
      isHandler: (attribute) => /^on\p{L}/u.test(attribute),
    }
  }
  const isShown = text === undefined || showingNamespace.test(text)
  return {
    isXml: true,
    hasCode: (element) => element === 'script' || (isShown && element === 'style'),
    isHandler: (attribute) => handlers.test(attribute),
  }
}

/** The position after some fixed text. */
export function afterMarkup(text: string, position: MarkupPosition, rules: MarkupRules): MarkupPosition {
  const reader = new MarkupReader(position, rules)
  reader.take(text)
  return reader.position
}

class MarkupReader {
  readonly #rules: MarkupRules
  position: MarkupPosition
  #mistake: string | undefined

  constructor(position: MarkupPosition, rules: MarkupRules) {
    this.position = position
    this.#rules = rules
    this.#mistake = position.mistake
  }

  take(text: string): void {
    let index = 0
    while (index < text.length) index += this.#step(text, index)
    if (this.#mistake !== undefined) this.#to({ mistake: this.#mistake })
  }

  #to(changes: Partial<MarkupPosition>): void {
    this.position = { ...this.position, ...changes }
  }

  /** Continues at an index of the text; returns how many characters it consumed. */
  #step(text: string, index: number): number {
    switch (this.position.state) {
      case 'text':
        return this.#readText(text, index)
      case 'code':
        return this.#readCode(text, index)
      case 'comment':
        return this.#readUntil(/--!?>/g, text, index)
      case 'cdata':
        return this.#readUntil(/\]\]>/g, text, index)
      case 'declaration':
        return this.#readUntil(this.position.read === '?' ? /\?>/g : />/g, text, index)
      case 'attributeValue':
        if (this.position.quote !== '') return this.#readQuoted(text, index)
        this.#readTag(text[index] ?? '', text[index - 1])
        return 1
      default:
        this.#readTag(text[index] ?? '', text[index - 1])
        return 1
    }
  }

  #readText(text: string, index: number): number {
    const { element } = this.position
    const { isXml } = this.#rules
    const start = text.indexOf('<', index)
    if (start < 0) return text.length - index
    const rest = text.slice(start, start + 40)
    const taken = start - index
    if (element !== '') return taken + this.#readTextOnly(element, rest)
    // https://html.spec.whatwg.org/multipage/parsing.html#parse-error-abrupt-closing-of-empty-comment
    const [empty] = /^<!---?>/.exec(rest) ?? []
    if (empty !== undefined) return taken + empty.length
    if (rest.startsWith('<!--')) return this.#enter('comment', taken + 4)
    if (rest.startsWith('<![CDATA[')) {
      // Outside of SVG, HTML has no CDATA, and continues after the first `>`.
      if (!isXml && /^[^>]*(?<!\]\])>/.test(text.slice(start)))
        this.#mistake = 'HTML has no CDATA with > in it: write the text itself, with &lt;, &gt; and &amp;'
      return this.#enter('cdata', taken + 9)
    }
    if (/^<[!?]/.test(rest)) return this.#enter('declaration', taken + 2, isXml ? rest[1] : '')
    const [opening] = (isXml ? /^<\/?(?=$|[\p{L}_:])/u : /^<\/?(?=$|[a-z])/i).exec(rest) ?? []
    if (opening === undefined) return taken + 1
    this.#openTag(opening.slice(1))
    return taken + opening.length
  }

  /** Continues in an element with only text content, from a `<`. */
  #readTextOnly(element: string, rest: string): number {
    if (isEndOf(element, rest)) {
      this.#openTag()
      return 2
    }
    // Inside SVG it would be a tag.
    if (/^<[a-z!?]/i.test(rest) && writtenElements.has(element))
      this.#mistake = `write &lt; for < in <${element}>, which holds only text`
    return 1
  }

  #enter(state: MarkupState, taken: number, read = ''): number {
    this.#to({ state, read })
    return taken
  }

  #readUntil(end: RegExp, text: string, index: number): number {
    end.lastIndex = index
    if (!end.test(text)) return text.length - index
    this.#to({ state: 'text', read: '' })
    return end.lastIndex - index
  }

  #readQuoted(text: string, index: number): number {
    const { quote, read } = this.position
    const end = text.indexOf(quote, index)
    this.#to({ read: read + text.slice(index, end < 0 ? text.length : end) })
    if (end < 0) return text.length - index
    this.#endValue()
    return end + 1 - index
  }

  #readCode(text: string, index: number): number {
    const { element, read } = this.position
    let end = text.indexOf('</', index)
    while (end >= 0 && !isEndOf(element, text.slice(end, end + 40))) end = text.indexOf('</', end + 2)
    if (end < 0) {
      this.#to({ read: read + text.slice(index) })
      return text.length - index
    }
    // https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
    if (/<!--[\s\S]*<script/i.test(read + text.slice(index, end)))
      this.#mistake = 'a script cannot hold both <!-- and <script: leave out the comment'
    this.#openTag('/')
    return end + 2 - index
  }

  /** Starts a tag; one with `/` before its name ends an element. */
  #openTag(read = '/'): void {
    this.position = { ...startOfMarkup, state: 'elementName', read }
  }

  #readTag(character: string, before: string | undefined): void {
    const { state, read, attribute } = this.position
    const isBlank = /[\s/]/.test(character)
    if (character === '>') {
      if (state === 'attributeValue') this.#endValue()
      this.#endTag(before === '/')
    } else if (state === 'elementName') {
      if (isBlank && read !== '' && !(character === '/' && read === '/')) this.#endName()
      else this.#to({ read: read + character })
    } else if (state === 'attributeValue') {
      if (/\s/.test(character)) this.#endValue()
      else this.#to({ read: read + character })
    } else if (state === 'beforeValue') {
      if (/["']/.test(character)) this.#to({ state: 'attributeValue', quote: character, read: '' })
      else if (!/\s/.test(character)) this.#to({ state: 'attributeValue', quote: '', read: character })
    } else if (character === '=' && state !== 'tag') {
      this.#to({ state: 'beforeValue' })
    } else if (character === '=') {
      this.#to({ state: 'beforeValue', attribute: undefined })
    } else if (isBlank) {
      if (state === 'attributeName') this.#to({ state: 'afterName' })
    } else if (state === 'attributeName') {
      this.#to({ attribute: attribute === undefined ? undefined : attribute + this.#cased(character) })
    } else {
      this.#to({ state: 'attributeName', attribute: this.#cased(character) })
    }
  }

  #cased(text: string): string {
    return this.#rules.isXml ? text : text.toLowerCase()
  }

  #endName(): void {
    const { read } = this.position
    const name = this.#cased(read.replace(/^\/?(?:[^:]*:)?/, ''))
    this.#to({ state: 'tag', element: read.startsWith('/') ? `/${name}` : name, read: '' })
  }

  #endValue(): void {
    const { attribute = '', attributes, read, element } = this.position
    const seen = read.includes(valueMark) ? `${attribute}${valueMark}` : attribute
    if (element === 'meta' && attribute === 'http-equiv' && attributes.includes(`content${valueMark}`))
      this.#mistake = 'a value cannot stand in content of <meta> with http-equiv: write what stands there'
    this.#to({ state: 'tag', quote: '', read: '', attributes: [...attributes, seen] })
  }

  #endTag(isClosed: boolean): void {
    if (this.position.state === 'elementName') this.#endName()
    const { element } = this.position
    const { isXml, hasCode } = this.#rules
    const hasContent = !element.startsWith('/') && !(isClosed && isXml)
    const isCode = hasContent && hasCode(element)
    const isTextOnly = hasContent && !isXml && textElements.has(element)
    this.position = {
      ...startOfMarkup,
      state: isCode ? 'code' : 'text',
      element: isCode || isTextOnly ? element : '',
    }
  }
}

/** Whether a text starts with the end tag of an element. */
function isEndOf(element: string, text: string): boolean {
  const [, name = ''] = /^<\/(?:[^\s:/>]*:)?([^\s/>]*)/.exec(text) ?? []
  return name.toLowerCase() === element.toLowerCase()
}

/** The position after a value. */
export function afterValueInMarkup(position: MarkupPosition): MarkupPosition {
  const { state, read } = position
  return state === 'attributeValue' || state === 'code' ? { ...position, read: read + valueMark } : position
}

const inTag: ReadonlySet<MarkupState> = new Set(['elementName', 'tag', 'attributeName', 'afterName'])

/**
 * The position after either of two; `join` returns one text for two possible texts of a value or of code. The two must
 * not differ in anything else that matters; otherwise it is a mistake.
 */
export function eitherMarkup(
  one: MarkupPosition,
  other: MarkupPosition,
  join: (one: MarkupPosition, other: MarkupPosition) => string,
): MarkupPosition {
  const attributes = [...new Set([...one.attributes, ...other.attributes])]
  const both = { ...one, attributes }
  if (inTag.has(one.state) && inTag.has(other.state) && tagOf(one) === tagOf(other)) {
    if (one.state === other.state && one.attribute === other.attribute) return both
    const states = [one.state, other.state]
    // The following text may continue a name, or start one.
    const state =
      states.includes('attributeName') || states.includes('elementName') ? 'attributeName' : 'afterName'
    return { ...both, state, element: tagOf(one), attribute: undefined, read: '' }
  }
  const isAlike =
    one.state === other.state &&
    one.element === other.element &&
    one.attribute === other.attribute &&
    one.quote === other.quote
  if (!isAlike)
    return {
      ...both,
      mistake: 'a tag, a comment or a script that is opened in a block has to be closed in it',
    }
  return one.read === other.read ? both : { ...both, read: join(one, other) }
}

/** The element of a tag, even if its name may continue. */
function tagOf({ state, element, read }: MarkupPosition): string {
  return state === 'elementName' ? read.replace(/^[^:]*:/, '') : element
}
