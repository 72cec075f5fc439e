import { type AspectName, aspects } from '../../query/argument.ts'
import { type Variables, valueAt } from '../../query/value-source.ts'

/** A question about a variable. */
interface Dependency {
  readonly path: readonly (string | number)[]
  readonly aspect: AspectName
}

/** More than that, in characters, are not kept for an operation: every request answers all of them. */
const keptLength = 32_768

/** What the plans of an operation depend on: questions about variables. */
export class Dependencies {
  readonly #byText: Map<string, Dependency>
  #length: number

  constructor({
    byText = new Map(),
    length = 0,
  }: { byText?: Map<string, Dependency>; length?: number } = {}) {
    this.#byText = byText
    this.#length = length
  }

  /** How long they are as texts. */
  get length(): number {
    return this.#length
  }

  add(path: Dependency['path'], aspect: AspectName): void {
    const text = JSON.stringify([path, aspect])
    if (this.#byText.has(text)) return
    this.#byText.set(text, { path, aspect })
    this.#length += text.length
  }

  /** These and others; these themselves if they hold the others, and undefined if together they are too long to be kept. */
  with(others: Dependencies): Dependencies | undefined {
    const added = [...others.#byText].filter(([text]) => !this.#byText.has(text))
    if (added.length === 0) return this
    const length = added.reduce((sum, [text]) => sum + text.length, this.#length)
    if (length > keptLength) return undefined
    return new Dependencies({ byText: new Map([...this.#byText, ...added]), length })
  }

  /** The variables as a plan sees them: equal texts for the same dependencies mean the same plan. */
  shapeOf(variables: Variables): string {
    let shape = ''
    for (const { path, aspect } of this.#byText.values())
      shape += `${textOf(aspects[aspect](valueAt(variables, path)) ?? null)},`
    return shape
  }
}

function textOf(result: unknown): string {
  if (typeof result === 'boolean' || typeof result === 'number' || result === null) return String(result)
  return JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}
