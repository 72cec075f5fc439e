/** Determines the context for which a value in HTML, SVG or XML is escaped; or why it is not allowed there. */
import type { EscapeContext } from './escape.ts'
import { type MarkupPosition, type MarkupRules, valueMark } from './markup-position.ts'
import { goesOnWithCode } from './script-code.ts'

/** The context of a value, or a sentence that says why it is not allowed there. */
export type ContextOrMistake = { readonly context: EscapeContext } | { readonly mistake: string }

const inAttributeOfItsOwn =
  'put it in an attribute of its own, such as data-value="{{value}}", and let a script read that'

/** Attributes with an address, on any element. Prefixed attributes go by their local name. */
const addressAttributes: ReadonlySet<string> = new Set([
  ...['href', 'src', 'formaction', 'poster', 'background', 'cite', 'longdesc', 'lowsrc', 'dynsrc'],
  ...['codebase', 'classid', 'manifest', 'profile', 'icon'],
])
const listAttributes: ReadonlySet<string> = new Set(['srcset', 'imagesrcset', 'ping', 'archive'])
const addressOfElement: ReadonlySet<string> = new Set(['form action', 'object data'])
/** Elements that show the address as an image, and do nothing else with it. */
const pictures: ReadonlySet<string> = new Set([
  'img src',
  'input src',
  'video poster',
  'image href',
  'feimage href',
])
/** Elements that set other attributes, which may be addresses. */
const animations: ReadonlySet<string> = new Set([
  'animate',
  'set',
  'animatetransform',
  'animatemotion',
  'animatecolor',
])
const animated: ReadonlySet<string> = new Set(['to', 'from', 'by', 'values'])

/** The context of a value; `isJson` says that it is a call of the helper `json`. */
export function contextInMarkup(
  position: MarkupPosition,
  rules: MarkupRules,
  isJson: boolean,
): ContextOrMistake {
  switch (position.state) {
    case 'text':
    case 'comment':
    case 'cdata':
      return { context: 'text' }
    case 'code':
      return contextInCode(position, isJson)
    case 'declaration':
      return { mistake: 'a value cannot stand in a declaration or an instruction, between <! or <? and >' }
    case 'attributeValue':
      return position.quote === '' ? unquoted(position) : contextInAttribute(position, rules)
    case 'beforeValue':
      return unquoted(position)
    default:
      return {
        mistake:
          'a value cannot be a name of an element or an attribute, or a part of one: write the names, and choose between them with {{#if}}',
      }
  }
}

function unquoted({ attribute = 'title' }: MarkupPosition): ContextOrMistake {
  return { mistake: `the value of an attribute stands between quotes: ${attribute}="{{value}}"` }
}

function contextInCode({ element, read }: MarkupPosition, isJson: boolean): ContextOrMistake {
  if (element.toLowerCase() === 'style') {
    return {
      mistake:
        'a value cannot stand in <style>: put it in the attribute style of an element, as in style="color: {{value}}"',
    }
  }
  if (isJson && goesOnWithCode(read)) return { context: 'text' }
  return {
    mistake: `a value in a script has to be {{json value}}, outside of texts, comments and patterns; otherwise ${inAttributeOfItsOwn}`,
  }
}

function contextInAttribute(
  { element, attribute, attributes, read }: MarkupPosition,
  { isHandler }: MarkupRules,
): ContextOrMistake {
  if (attribute === undefined) {
    return {
      mistake: 'the name of the attribute depends on a block: write the name and the value in each branch',
    }
  }
  const tag = element.toLowerCase()
  const name = attribute.toLowerCase().replace(/^[^:]*:/, '')
  if (isHandler(name)) {
    return { mistake: `a value cannot stand in ${attribute}, which is a script: ${inAttributeOfItsOwn}` }
  }
  const runs =
    name === 'srcdoc' ||
    (tag === 'script' && addressAttributes.has(name)) ||
    (tag === 'base' && name === 'href') ||
    (tag === 'meta' && name === 'content' && attributes.includes('http-equiv')) ||
    (animations.has(tag) && name === 'attributename')
  if (runs)
    return { mistake: `a value cannot stand in ${attribute} of <${element}>: write what stands there` }
  if (name === 'style') return contextInStyle(read)
  const isListed = listAttributes.has(name) || (animations.has(tag) && animated.has(name))
  if (isListed) return contextInAddress(read.slice(read.search(/[^\s,;]*$/)), 'addresses')
  if (!addressAttributes.has(name) && !addressOfElement.has(`${tag} ${name}`)) return { context: 'attribute' }
  return contextInAddress(read, pictures.has(`${tag} ${name}`) ? 'picture' : 'address')
}

function contextInStyle(read: string): ContextOrMistake {
  return /(?:url|src|image|image-set)\([^)]*$/i.test(read)
    ? { mistake: 'a value cannot be an address in a style: put it in src of an <img>' }
    : { context: 'style' }
}

const harmlessData = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,/i

/** By the text before the value: a scheme, the start of a path, or nothing that decides. */
function contextInAddress(read: string, context: 'address' | 'addresses' | 'picture'): ContextOrMistake {
  const before = withoutEntities(read).replace(/(?!\0)[\p{Cc}\s]/gu, '')
  const [, scheme, end] = /^([^:/?#]*)([:/?#]?)/.exec(before) ?? []
  if (scheme === undefined || end === '') return { context }
  if (end !== ':') return { context: context === 'addresses' ? context : 'attribute' }
  if (scheme.includes(valueMark)) {
    return {
      mistake:
        'a value cannot be the scheme of an address: write https:// before it, or give the whole address as one value',
    }
  }
  const runs = /^(?:javascript|vbscript|livescript|data)$/i.test(scheme) && !harmlessData.test(before)
  return runs
    ? { mistake: `a value cannot stand in an address that starts with ${scheme}:, which may run it` }
    : { context: context === 'addresses' ? context : 'attribute' }
}

/** One text that stands for two possible ones, of an attribute's value or of code. */
export function eitherRead(one: MarkupPosition, other: MarkupPosition, rules: MarkupRules): string {
  if (one.state === 'code') {
    if (one.element.toLowerCase() === 'style') return one.read
    return goesOnWithCode(one.read) ? other.read : one.read
  }
  // If either refuses a value, the result does; if neither does, the value decides.
  const refuses = (position: MarkupPosition) => 'mistake' in contextInAttribute(position, rules)
  return [one, other].find(refuses)?.read ?? valueMark
}

/** Decodes the entities of characters that can be part of a scheme. */
function withoutEntities(text: string): string {
  return text
    .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (_, hex: string | undefined, decimal: string) =>
      String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/&colon;/g, ':')
    .replace(/&(?:Tab|NewLine);/g, '')
}
