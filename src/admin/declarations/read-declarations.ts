/** Reads declarations from the texts of files, with the line of every mistake. */
import * as v from 'valibot'
import { apiRouteSchema } from '../../access/authorization/api-route.ts'
import { declaredRoleSchema } from '../../access/authorization/role.ts'
import { normalizeName } from '../../access/name.ts'
import { type LocatedDocument, readLocatedDocuments } from '../../config/located-document.ts'
import { strictObject } from '../../documents/document-schema.ts'
import { parseDocument } from '../../documents/parse-document.ts'
import { AppError, type Mistake } from '../../errors/app-error.ts'
import { accountDeclarationSchema } from './account-declaration.ts'
import type { DeclarationFile, Declarations, Declared } from './declaration.ts'

/** What was read, and what is wrong: if there are mistakes, declarations may be missing. */
export interface DeclarationsReading {
  readonly declarations: Declarations
  /** One line each, with its location. */
  readonly mistakes: readonly string[]
}

const list = v.nullish(v.array(v.unknown()))
const documentSchema = strictObject({ entities: list, roles: list, accounts: list, routes: list })

/**
 * Reads files in order. A document has the keys `entities`, `roles`, `accounts` and `routes`, each a list, or it is one
 * entity definition or a list of them. Two records of one kind and name are a mistake.
 */
export function readDeclarations(files: readonly DeclarationFile[]): DeclarationsReading {
  const mistakes: string[] = []
  const sources: Source[] = []
  for (const { path, text } of files) {
    const reading = readLocatedDocuments(text)
    for (const { line, detail } of reading.mistakes)
      mistakes.push(`${shownName(path)} line ${line}: ${detail}`)
    for (const document of reading.documents) sources.push(...sourcesIn(document, path, mistakes))
  }
  const ofKind = <Content>(kind: Source['kind'], read: (source: Source) => Declared<Content> | undefined) =>
    withoutTwins(
      kind,
      sources.filter((source) => source.kind === kind).flatMap((source) => read(source) ?? []),
      mistakes,
    )
  const declarations = {
    entities: ofKind('entity', declaredEntity),
    roles: ofKind('role', (source) =>
      declaredRecord(source, declaredRoleSchema, ({ name }) => name, mistakes),
    ),
    roleNames: new Set(sources.filter(({ kind }) => kind === 'role').map(nameIn)),
    accounts: ofKind('account', (source) =>
      declaredRecord(source, accountDeclarationSchema, ({ username }) => username, mistakes),
    ),
    routes: ofKind('route', (source) => declaredRecord(source, apiRouteSchema, ({ name }) => name, mistakes)),
  }
  return { declarations, mistakes }
}

/** One record as it is written. */
interface Source {
  readonly kind: 'entity' | 'role' | 'account' | 'route'
  readonly content: unknown
  readonly file: string
  readonly placeOf: (pointer: string) => string
}

const kindsByKey = { entities: 'entity', roles: 'role', accounts: 'account', routes: 'route' } as const

function sourcesIn(document: LocatedDocument, file: string, mistakes: string[]): readonly Source[] {
  const { value } = document
  const placeOf = (pointer: string) =>
    `${shownName(file)} line ${document.lineOf(partsOf(pointer))}${pointer === '' ? '' : `: ${pointer}`}`
  const source = (kind: Source['kind'], content: unknown, at: string): Source => ({
    kind,
    content,
    file,
    placeOf: (pointer) => placeOf(at + pointer),
  })
  if (Array.isArray(value)) return value.map((content, index) => source('entity', content, `/${index}`))
  if (typeof value === 'object' && value !== null && 'attributes' in value)
    return [source('entity', value, '')]
  parsed(documentSchema, value, placeOf, mistakes)
  const found: Readonly<Record<string, unknown>> = { ...(value as object) }
  return Object.entries(kindsByKey).flatMap(([key, kind]) => {
    const records = found[key]
    if (!Array.isArray(records)) return []
    return records.map((content, index) => source(kind, content, `/${key}/${index}`))
  })
}

function shownName(file: string): string {
  return file === '-' ? 'input' : file
}

/** The gateway refuses a definition without a name: its location identifies it. */
function declaredEntity({ content, file, placeOf }: Source): Declared<unknown> {
  return { name: nameIn({ content }) || placeOf(''), content, file, placeOf }
}

/** The name of a record; '' if it has none. */
function nameIn({ content }: Pick<Source, 'content'>): string {
  const named = typeof content === 'object' && content !== null && 'name' in content ? content.name : ''
  return typeof named === 'string' ? normalizeName(named) : ''
}

function declaredRecord<Schema extends v.GenericSchema>(
  { content, file, placeOf }: Source,
  schema: Schema,
  nameOf: (content: v.InferOutput<Schema>) => string,
  mistakes: string[],
): Declared<v.InferOutput<Schema>> | undefined {
  const reading = parsed(schema, content, placeOf, mistakes)
  return reading === undefined ? undefined : { name: nameOf(reading), content: reading, file, placeOf }
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  content: unknown,
  placeOf: (pointer: string) => string,
  mistakes: string[],
): v.InferOutput<Schema> | undefined {
  try {
    return parseDocument(schema, content)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    mistakes.push(...placedMistakes(error.mistakes, placeOf))
    return undefined
  }
}

/** Mistakes by JSON pointer, as lines with their locations. */
function placedMistakes(
  mistakes: readonly Mistake[],
  placeOf: (pointer: string) => string,
): readonly string[] {
  return mistakes.map(({ pointer, detail }) => `${placeOf(pointer)}: ${detail}`)
}

function withoutTwins<Content>(
  kind: Source['kind'],
  all: readonly Declared<Content>[],
  mistakes: string[],
): readonly Declared<Content>[] {
  const firsts = new Map<string, Declared<Content>>()
  for (const declared of all) {
    const first = firsts.get(declared.name)
    if (first === undefined) firsts.set(declared.name, declared)
    else
      mistakes.push(
        `${declared.placeOf('')}: The ${kind} "${declared.name}" is declared twice. The other one is at ${first.placeOf('')}.`,
      )
  }
  return [...firsts.values()]
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-4 */
function partsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
