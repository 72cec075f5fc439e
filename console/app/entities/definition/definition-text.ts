/** Definitions as text, in JSON and YAML, and back. */
import {
  type Document,
  isMap,
  isNode,
  isSeq,
  type Node,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { type Definition, isObject } from './definition.ts'

/** A language that definitions are written in. */
export type TextLanguage = 'json' | 'yaml'

/** What a text says, or why it cannot be read. */
export type TextReading =
  | { readonly definition: Definition }
  | { readonly mistake: string }
  /** The text is well-formed, but no object. */
  | { readonly mistake: undefined }

// A long line is not broken in two.
const style = { lineWidth: 0 } as const

/** A definition as text. */
export function textOf(definition: Definition, language: TextLanguage): string {
  return language === 'json' ? `${JSON.stringify(definition, null, 2)}\n` : stringify(definition, style)
}

/** Reads a text. */
export function readText(text: string, language: TextLanguage): TextReading {
  try {
    const value: unknown = language === 'json' ? JSON.parse(text) : readYaml(text)
    return isObject(value) ? { definition: value } : { mistake: undefined }
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) }
  }
}

function readYaml(text: string): unknown {
  const document = parseDocument(text)
  const [first] = document.errors
  if (first !== undefined) throw first
  return document.toJS()
}

/** The text changed so that it says the definition. Comments and the order of a YAML text stay. */
export function patchedText(text: string, language: TextLanguage, definition: Definition): string {
  if (language === 'json') return textOf(definition, language)
  const document = parseDocument(text)
  if (document.errors.length > 0 || !isMap(document.contents)) return textOf(definition, language)
  patch(document, document.contents, definition)
  return document.toString(style)
}

/** Makes a node say a value; gives the node, or a new one where it cannot. */
function patch(document: Document, node: unknown, value: unknown): unknown {
  if (isSame(valueIn(document, node), value)) return node
  if (isMap(node) && isObject(value)) return patchMap(document, node, value)
  if (isSeq(node) && Array.isArray(value)) return patchList(document, node, value)
  return createNode(document, node, value)
}

function patchMap(document: Document, map: YAMLMap, value: Definition): YAMLMap {
  const old = valueIn(document, map) as Definition
  for (const key of Object.keys(old)) {
    if (!Object.hasOwn(value, key)) map.delete(key)
  }
  for (const [key, member] of Object.entries(value)) {
    map.set(key, patch(document, map.get(key, true), member))
  }
  return map
}

/** Items that stay take their comments with them to their new place. */
function patchList(document: Document, list: YAMLSeq, value: readonly unknown[]): YAMLSeq {
  giveCommentToFirst(list)
  const old = list.items.map((node) => JSON.stringify(valueIn(document, node)))
  const wanted = value.map((item) => JSON.stringify(item))
  const unused = new Set(list.items.keys())
  const take = (index: number | undefined): unknown => {
    if (index === undefined) return undefined
    unused.delete(index)
    return list.items[index]
  }
  const kept = wanted.map((text, index) =>
    take(old[index] === text && unused.has(index) ? index : [...unused].find((other) => old[other] === text)),
  )
  list.items = kept.map((node, index) => {
    if (node !== undefined) return node
    const own = unused.has(index) ? take(index) : undefined
    return patch(document, own, value[index])
  })
  return list
}

/** The parser takes a comment above the first item for one of the list. */
function giveCommentToFirst(list: YAMLSeq): void {
  const [first] = list.items
  if (!isNode(first) || first.commentBefore || !list.commentBefore) return
  first.commentBefore = list.commentBefore
  list.commentBefore = null
}

function createNode(document: Document, old: unknown, value: unknown): Node {
  const node = document.createNode(value) as Node
  const { comment, commentBefore } = (old ?? {}) as Node
  if (comment) node.comment = comment
  if (commentBefore) node.commentBefore = commentBefore
  return node
}

function valueIn(document: Document, node: unknown): unknown {
  return (node as Node | undefined)?.toJS(document)
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}
