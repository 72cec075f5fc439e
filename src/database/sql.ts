/**
 * SQL fragments: text with separate values, so that fragments can be combined in any order and each product numbers
 * its own placeholders. A value never becomes text.
 */

/** A placeholder. `Value` is what the caller associates with it: a value to bind, or a description of its source. */
interface SqlParameter<Value> {
  readonly value: Value
}

export interface SqlFragment<Value> {
  readonly pieces: readonly (string | SqlParameter<Value>)[]
}

/** SQL written by us or quoted by `Syntax.quoteIdentifier`; never anything from a request. */
export function raw(text: string): SqlFragment<never> {
  return { pieces: [text] }
}

/** A placeholder for one value. */
export function parameter<Value>(value: Value): SqlFragment<Value> {
  return { pieces: [{ value }] }
}

/** `` sql`select name from ${table} where name = ${parameter(name)}` ``: every `${…}` is itself a fragment. */
export function sql<Value = never>(
  texts: TemplateStringsArray,
  ...fragments: readonly SqlFragment<Value>[]
): SqlFragment<Value> {
  const pieces: (string | SqlParameter<Value>)[] = []
  texts.forEach((text, index) => {
    if (text !== '') pieces.push(text)
    const fragment = fragments[index]
    if (fragment !== undefined) pieces.push(...fragment.pieces)
  })
  return { pieces }
}

/** Concatenates fragments, with `separator` between them. */
export function join<Value>(fragments: readonly SqlFragment<Value>[], separator: string): SqlFragment<Value> {
  const pieces: (string | SqlParameter<Value>)[] = []
  fragments.forEach((fragment, index) => {
    if (index > 0) pieces.push(separator)
    pieces.push(...fragment.pieces)
  })
  return { pieces }
}

/** The SQL, and the values in the order of its placeholders. */
export function render<Value>(
  fragment: SqlFragment<Value>,
  placeholder: (position: number) => string,
): { readonly sql: string; readonly parameters: readonly Value[] } {
  const parameters: Value[] = []
  let text = ''
  for (const piece of fragment.pieces) {
    if (typeof piece === 'string') {
      text += piece
    } else {
      parameters.push(piece.value)
      text += placeholder(parameters.length)
    }
  }
  return { sql: text, parameters }
}
