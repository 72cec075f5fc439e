import type { Binding } from './binding.ts'

/** A statement whose values are not bound yet. Plain data. */
export interface StatementTemplate {
  readonly sql: string
  readonly bindings: readonly Binding[]
  /** The same for a list of one key, if that is faster. */
  readonly ofOneKey?: StatementTemplate
}
