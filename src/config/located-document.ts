/** Documents in YAML or JSON that people write, with the lines of their values. */
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseAllDocuments,
  stringify,
  visit,
  type YAMLError,
} from 'yaml'
import { isSameNumber } from '../util/decimal-text.ts'

/** One document of a file. */
export interface LocatedDocument {
  /** Its value, as JSON. */
  readonly value: unknown
  /** The line of the value that keys and indexes lead to, or else of the nearest one around it. */
  lineOf(path: readonly string[]): number
}

/** The result of reading a text. */
export interface DocumentsReading {
  /** Empty ones are left out. */
  readonly documents: readonly LocatedDocument[]
  readonly mistakes: readonly { readonly line: number; readonly detail: string }[]
}

/** One error in a document may cause many more after it. */
const mistakesShown = 20

/** Reads a text with one document or several, separated by `---`. A duplicate key is a mistake. */
export function readLocatedDocuments(text: string): DocumentsReading {
  const lines = new LineCounter()
  const lineAt = (offset: number) => lines.linePos(offset).line
  const parsed = parseAllDocuments(text, {
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    lineCounter: lines,
  })
  const documents: LocatedDocument[] = []
  const mistakes: { line: number; detail: string }[] = []
  for (const document of 'empty' in parsed ? [] : parsed) {
    const found = [
      ...[...document.errors, ...document.warnings].map((error) => ({
        offset: error.pos[0],
        detail: sentenceOf(error, text),
      })),
      ...mistakesInNumbers(document),
    ].slice(0, mistakesShown)
    for (const { offset, detail } of found) mistakes.push({ line: lineAt(offset), detail })
    if (found.length > 0 || document.contents === null) continue
    try {
      documents.push(located(document, lineAt))
    } catch (error) {
      const detail = error instanceof Error ? firstLine(error.message) : String(error)
      mistakes.push({ line: lineAt(document.range[0]), detail })
    }
  }
  return { documents: documents.filter(({ value }) => value !== null), mistakes }
}

/** A value as the YAML of such a document. */
export function writeDocument(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd()
}

/** Throws for an alias without an anchor or inside its own, and for far too many of them. */
function located(document: Document.Parsed, lineAt: (offset: number) => number): LocatedDocument {
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  if (!isTree(value)) throw new Error('An alias is inside its own anchor.')
  return {
    value,
    lineOf(path) {
      let node: unknown = document.contents
      let offset = document.range[0]
      if (isNode(node) && node.range) offset = node.range[0]
      for (const part of path) {
        const next = partOf(node, part)
        if (next === undefined) break
        offset = next.offset
        node = next.node
      }
      return lineAt(offset)
    },
  }
}

/** A value inside another, and where its key or it itself is written. */
function partOf(
  node: unknown,
  part: string,
): { readonly node: unknown; readonly offset: number } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part)
    const key = pair?.key
    return isNode(key) && key.range ? { node: pair?.value, offset: key.range[0] } : undefined
  }
  const items = isNode(node) && 'items' in node ? (node.items as readonly unknown[]) : []
  const item = items[Number(part)]
  return isNode(item) && item.range ? { node: item, offset: item.range[0] } : undefined
}

/** Numbers that JSON cannot express, and those that would lose digits. */
function mistakesInNumbers(document: Document.Parsed): readonly { offset: number; detail: string }[] {
  const found: { offset: number; detail: string }[] = []
  visit(document, {
    Scalar(_, { value, source, range }) {
      if (typeof value !== 'number' || source === undefined) return
      const isDecimal = /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(source)
      const isExact = Number.isFinite(value) && (!isDecimal || isSameNumber(String(value), source))
      if (isExact) return
      found.push({
        offset: range?.[0] ?? 0,
        detail: `The number ${source} cannot be kept exactly. Put it in quotes.`,
      })
    },
  })
  return found
}

function isTree(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

function sentenceOf({ code, pos: [offset], message }: YAMLError, text: string): string {
  if (code === 'DUPLICATE_KEY') return `The key ${keyAt(text, offset)} occurs twice.`
  if (code === 'NON_STRING_KEY') return 'A key must be a text.'
  if (/call stack/.test(message)) return 'This is nested too deep.'
  return `${firstLine(message)}.`
}

/** A key as it is written. */
function keyAt(text: string, offset: number): string {
  const [key = ''] = /^(?:"(?:\\.|[^"\\])*"|'[^']*'|[^:\n]{1,100})/.exec(text.slice(offset)) ?? []
  return key.trim()
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return line
}
