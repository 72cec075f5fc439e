import { createHash } from 'node:crypto'
import { GraphQLError, Kind, parse } from 'graphql'

/** Documents that clients name instead of sending them: by an id, or by the SHA-256 hash of their text. */
export class StoredDocuments {
  readonly #texts = new Map<string, string>()
  readonly #known: ReadonlySet<string>

  /** Texts by id. */
  constructor(documents: ReadonlyMap<string, string>) {
    this.#known = new Set(documents.values())
    for (const text of this.#known) this.#texts.set(createHash('sha256').update(text).digest('hex'), text)
    for (const [id, text] of documents) this.#texts.set(id, text)
  }

  /**
   * The text of a document; undefined if there is none. The prefix `sha256:` may stand before a hash:
   * https://graphql.github.io/graphql-over-http/draft/#sec-Appendix-Persisted-Documents
   */
  find(id: string): string | undefined {
    return this.#texts.get(id) ?? this.#texts.get(id.replace(/^sha256:/, ''))
  }

  /** Whether it is the text of a document, whatever its id. */
  holds(text: string): boolean {
    return this.#known.has(text)
  }
}

/** What is wrong with a text, whatever the schema: why it can never run. Undefined for nothing. */
export function documentMistake(text: string): string | undefined {
  try {
    const { definitions } = parse(text)
    return definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)
      ? undefined
      : 'holds no operation; a query stands in one file with its fragments'
  } catch (error) {
    if (error instanceof RangeError) return 'is nested too deeply'
    if (!(error instanceof GraphQLError)) throw error
    const [{ line, column } = { line: 1, column: 1 }] = error.locations ?? []
    return `line ${line}, column ${column}: ${error.message}`
  }
}
