/** What a value in HTML, SVG or XML is escaped for, by where it stands; or what to write instead. */
import type { Place } from './escape.ts'
import { type MarkupPosition, type MarkupRules, valueMark } from './markup-position.ts'
import { goesOnWithCode } from './script-code.ts'

/** Where a value stands, or a sentence on why it cannot stand there. */
export type PlaceOrMistake = { readonly place: Place } | { readonly mistake: string }

const inAttributeOfItsOwn =
  'put it in an attribute of its own, such as data-value="{{value}}", and let a script read that'

/** Attributes that hold an address, on whatever element. Those with a prefix go by the name behind it. */
const addressAttributes: ReadonlySet<string> = new Set([
  ...['href', 'src', 'formaction', 'poster', 'background', 'cite', 'longdesc', 'lowsrc', 'dynsrc'],
  ...['codebase', 'classid', 'manifest', 'profile', 'icon'],
])
const listAttributes: ReadonlySet<string> = new Set(['srcset', 'imagesrcset', 'ping', 'archive'])
const addressOfElement: ReadonlySet<string> = new Set(['form action', 'object data'])
/** They show what is at the address as a picture, and as nothing else. */
const pictures: ReadonlySet<string> = new Set([
  'img src',
  'input src',
  'video poster',
  'image href',
  'feimage href',
])
/** They give other attributes their values, which may be addresses. */
const animations: ReadonlySet<string> = new Set([
  'animate',
  'set',
  'animatetransform',
  'animatemotion',
  'animatecolor',
])
const animated: ReadonlySet<string> = new Set(['to', 'from', 'by', 'values'])

/** The place of a value; `isJson` says that it is a call of the helper `json`. */
export function placeInMarkup(position: MarkupPosition, rules: MarkupRules, isJson: boolean): PlaceOrMistake {
  switch (position.state) {
    case 'text':
    case 'comment':
    case 'cdata':
      return { place: 'text' }
    case 'code':
      return placeInCode(position, isJson)
    case 'declaration':
      return { mistake: 'a value cannot stand in a declaration or an instruction, between <! or <? and >' }
    case 'attributeValue':
      return position.quote === '' ? unquoted(position) : placeInAttribute(position, rules)
    case 'beforeValue':
      return unquoted(position)
    default:
      return {
        mistake:
          'a value cannot be a name of an element or an attribute, or a part of one: write the names, and choose between them with {{#if}}',
      }
  }
}

function unquoted({ attribute = 'title' }: MarkupPosition): PlaceOrMistake {
  return { mistake: `the value of an attribute stands between quotes: ${attribute}="{{value}}"` }
}

function placeInCode({ element, read }: MarkupPosition, isJson: boolean): PlaceOrMistake {
  if (element.toLowerCase() === 'style') {
    return {
      mistake:
        'a value cannot stand in <style>: put it in the attribute style of an element, as in style="color: {{value}}"',
    }
  }
  if (isJson && goesOnWithCode(read)) return { place: 'text' }
  return {
    mistake: `a value in a script has to be {{json value}}, outside of texts, comments and patterns; otherwise ${inAttributeOfItsOwn}`,
  }
}

function placeInAttribute(
  { element, attribute, attributes, read }: MarkupPosition,
  { isHandler }: MarkupRules,
): PlaceOrMistake {
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
  if (name === 'style') return placeInStyle(read)
  const isListed = listAttributes.has(name) || (animations.has(tag) && animated.has(name))
  if (isListed) return placeInAddress(read.slice(read.search(/[^\s,;]*$/)), 'addresses')
  if (!addressAttributes.has(name) && !addressOfElement.has(`${tag} ${name}`)) return { place: 'attribute' }
  return placeInAddress(read, pictures.has(`${tag} ${name}`) ? 'picture' : 'address')
}

function placeInStyle(read: string): PlaceOrMistake {
  return /(?:url|src|image|image-set)\([^)]*$/i.test(read)
    ? { mistake: 'a value cannot be an address in a style: put it in src of an <img>' }
    : { place: 'style' }
}

const harmlessData = /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp);base64,/i

/** By what stands before the value: a scheme, the begin of a path, or nothing that settles what the value is. */
function placeInAddress(read: string, place: 'address' | 'addresses' | 'picture'): PlaceOrMistake {
  const before = withoutEntities(read).replace(/(?!\0)[\p{Cc}\s]/gu, '')
  const [, scheme, end] = /^([^:/?#]*)([:/?#]?)/.exec(before) ?? []
  if (scheme === undefined || end === '') return { place }
  if (end !== ':') return { place: place === 'addresses' ? place : 'attribute' }
  if (scheme.includes(valueMark)) {
    return {
      mistake:
        'a value cannot be the scheme of an address: write https:// before it, or give the whole address as one value',
    }
  }
  const runs = /^(?:javascript|vbscript|livescript|data)$/i.test(scheme) && !harmlessData.test(before)
  return runs
    ? { mistake: `a value cannot stand in an address that starts with ${scheme}:, which may run it` }
    : { place: place === 'addresses' ? place : 'attribute' }
}

/** One text for two of which either may have been read of an attribute's value or of code. */
export function eitherRead(one: MarkupPosition, other: MarkupPosition, rules: MarkupRules): string {
  if (one.state === 'code') {
    if (one.element.toLowerCase() === 'style') return one.read
    return goesOnWithCode(one.read) ? other.read : one.read
  }
  // Whichever refuses a value goes on doing so; where neither does, the value decides.
  const refuses = (position: MarkupPosition) => 'mistake' in placeInAttribute(position, rules)
  return [one, other].find(refuses)?.read ?? valueMark
}

/** The characters that a scheme may be written with. */
function withoutEntities(text: string): string {
  return text
    .replace(/&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?/gi, (_, hex: string | undefined, decimal: string) =>
      String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
    )
    .replace(/&colon;/g, ':')
    .replace(/&(?:Tab|NewLine);/g, '')
}
