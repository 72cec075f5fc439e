/** Goes through a parsed template and escapes each value for its context. Refuses values that could not be escaped. */

import {
  contextOf,
  eitherPosition,
  isAmongText,
  type Position,
  positionAfter,
  positionAfterValue,
  startPosition,
  type TextRules,
} from './contexts.ts'
import type { EscapeContext } from './escape.ts'
import { helpers } from './helpers.ts'

type Program = hbs.AST.Program
type Statement = hbs.AST.Statement

/** Name of the helper that escapes: `(value, place)`. No template can call it. */
export const escapeHelper = 'escape value'

/** The partials by name; which one a call means is known only when the template is filled. */
type Partials = ReadonlyMap<string, readonly Program[]>

/** The template with escapes. `partials` are the existing ones. Throws an error whose message has the line. */
export function escapeValues(
  program: Program,
  partials: ReadonlyMap<string, Program>,
  rules: TextRules,
): Program {
  const all = [...partials, ...inlinePartials(program)]
  const known = Map.groupBy(all, ([name]) => name)
  const programs = new Map([...known].map(([name, found]) => [name, found.map(([, body]) => body)]))
  for (const inline of inlinePartials(program)) assertStatic(inline, partials, programs)
  return withEscapes(program, findContexts(program, rules, programs))
}

/** The context of each value. */
type Contexts = ReadonlyMap<Statement, EscapeContext>

function findContexts(program: Program, rules: TextRules, partials: Partials): Contexts {
  const contexts = new Map<Statement, EscapeContext>()

  function afterProgram({ body }: Program, start: Position): Position {
    return body.reduce((position, statement) => {
      const next = afterStatement(statement, position)
      if (next.mistake === undefined) return next
      throw at(statement, next.mistake)
    }, start)
  }

  function afterStatement(statement: Statement, position: Position): Position {
    switch (statement.type) {
      case 'ContentStatement':
        return positionAfter(rules, (statement as hbs.AST.ContentStatement).value, position)
      case 'MustacheStatement':
        return afterValue(statement as hbs.AST.MustacheStatement, position)
      case 'BlockStatement':
        return afterBlock(statement as hbs.AST.BlockStatement, position)
      case 'PartialStatement':
      case 'PartialBlockStatement':
        return afterPartial(statement as hbs.AST.PartialBlockStatement, position)
      case 'DecoratorBlock':
        afterPart(statement, (statement as hbs.AST.DecoratorBlock).program)
        return position
      case 'CommentStatement':
        return position
      default:
        throw at(statement, 'decorators are not known here')
    }
  }

  function afterValue(value: hbs.AST.MustacheStatement, position: Position): Position {
    if (!value.escaped && position.quoted) {
      throw at(value, 'a value between quotes is always escaped: write two braces')
    }
    if (isCall(value)) assertHelper(value)
    const found = contextOf(rules, position, isJsonCall(value))
    if ('mistake' in found) throw at(value, found.mistake)
    // The body of a list is tracked twice; the context in its first item is the safer one.
    if (value.escaped && !contexts.has(value)) contexts.set(value, found.context)
    return positionAfterValue(rules, position)
  }

  function afterBlock(block: hbs.AST.BlockStatement, position: Position): Position {
    const { program, inverse, path } = block
    const once = afterBody(block, program, position)
    if (path.original === 'each' || block.params.length === 0) afterBody(block, program, once)
    return eitherPosition(rules, once, afterBody(block, inverse, position))
  }

  function afterBody(block: Statement, body: Program | undefined, position: Position): Position {
    if (body === undefined) return position
    const end = afterProgram(body, position)
    if (end.quoted === position.quoted) return end
    throw at(block, 'a quote that is opened in a block has to be closed in it')
  }

  function afterPartial(partial: hbs.AST.PartialBlockStatement, position: Position): Position {
    if (position.quoted) throw at(partial, 'a partial cannot stand between quotes')
    const { name, program } = partial
    const { original } = name as hbs.AST.PathExpression
    const known = partials.get(String(original))
    if (original !== undefined && original !== '@partial-block' && known === undefined) {
      throw at(partial, `there is no partial "${original}"`)
    }
    if (isAmongText(position)) {
      if (program !== undefined) afterPart(partial, program)
      return positionAfterValue(rules, position)
    }
    const [only] = known ?? []
    if (only !== undefined && known?.length === 1 && program === undefined && !hasValues(only, partials)) {
      return afterProgram(only, position)
    }
    throw at(
      partial,
      'a partial with values, or with another of its name, cannot stand in a tag, a script or a style: write it there',
    )
  }

  /** What is parsed as if it were in text. */
  function afterPart(statement: Statement, body: Program): void {
    if (isAmongText(afterBody(statement, body, startPosition))) return
    throw at(statement, opened)
  }

  const end = afterProgram(program, startPosition)
  if (end.quoted) throw new Error('a quote is opened and not closed')
  if (!isAmongText(end)) throw new Error(opened)
  return contexts
}

const opened = 'a tag, a comment or a script is opened and not closed'

/**
 * A partial without values may be in a style: it stays the same, even if the template defines a partial with its name.
 */
function assertStatic(
  [name, own]: readonly [string, Program],
  shared: ReadonlyMap<string, Program>,
  partials: Partials,
): void {
  const replaced = shared.get(name)
  if (replaced === undefined || hasValues(replaced, partials) || !hasValues(own, partials)) return
  throw at(own, `there is a partial "${name}" without values: choose another name for one with values`)
}

/** Whether anything in it depends on params; `within` are the partials around it. */
function hasValues({ body }: Program, partials: Partials, within: readonly Program[] = []): boolean {
  return body.some((statement) => {
    const { type, program, inverse } = statement as hbs.AST.BlockStatement
    if (type === ('MustacheStatement' as string)) return true
    if (/^Partial|^Decorator/.test(type)) {
      const { name, program: block } = statement as unknown as hbs.AST.PartialBlockStatement
      const [only, other] = partials.get(String((name as hbs.AST.PathExpression | undefined)?.original)) ?? []
      if (only === undefined || other !== undefined || block !== undefined || within.includes(only))
        return true
      return hasValues(only, partials, [...within, only])
    }
    return [program, inverse].some((inner) => inner !== undefined && hasValues(inner, partials, within))
  })
}

/** A copy in which each value is inside a call of the escape helper. */
function withEscapes(program: Program, contexts: Contexts): Program {
  return { ...program, body: program.body.map((statement) => withEscape(statement, contexts)) }
}

function withEscape(statement: Statement, contexts: Contexts): Statement {
  const context = contexts.get(statement)
  if (context !== undefined) return escapeCall(statement as hbs.AST.MustacheStatement, context)
  const { program, inverse } = statement as hbs.AST.BlockStatement
  return {
    ...statement,
    ...(program === undefined ? {} : { program: withEscapes(program, contexts) }),
    ...(inverse === undefined ? {} : { inverse: withEscapes(inverse, contexts) }),
  } as Statement
}

function escapeCall(value: hbs.AST.MustacheStatement, context: EscapeContext): Statement {
  const { path, params, hash, loc, strip } = value
  const inner = isCall(value) ? { type: 'SubExpression', path, params, hash, loc } : path
  const helper = {
    type: 'PathExpression',
    data: false,
    depth: 0,
    parts: [escapeHelper],
    original: escapeHelper,
    loc,
  }
  const contextText = { type: 'StringLiteral', value: context, original: context, loc }
  const call = {
    type: 'MustacheStatement',
    path: helper,
    params: [inner, contextText],
    escaped: false,
    strip,
    loc,
  }
  return call as Statement
}

/** A helper has arguments: a name alone is a param. */
function isCall({ params, hash }: hbs.AST.MustacheStatement): boolean {
  return params.length > 0 || hash !== undefined
}

function isJsonCall(value: hbs.AST.MustacheStatement): boolean {
  return isCall(value) && (value.path as hbs.AST.PathExpression).original === 'json'
}

function assertHelper(call: hbs.AST.MustacheStatement): void {
  const name = String((call.path as hbs.AST.PathExpression).original)
  if (name === 'lookup' || Object.hasOwn(helpers, name)) return
  const known = Object.keys(helpers).join(', ')
  throw at(call, `there is no helper "${name}"; helpers are ${known} and lookup`)
}

/** The partials that a template defines itself, at any level. */
function inlinePartials(program: Program): readonly (readonly [string, Program])[] {
  return program.body.flatMap((statement) => {
    const { type, program: inner, inverse, params } = statement as hbs.AST.DecoratorBlock
    const own =
      type === ('DecoratorBlock' as string)
        ? params.map((name) => [(name as hbs.AST.StringLiteral).value, inner] as const)
        : []
    return [...own, ...[inner, inverse].flatMap((body) => (body === undefined ? [] : inlinePartials(body)))]
  })
}

function at(statement: hbs.AST.Node, mistake: string): Error {
  return new Error(`line ${statement.loc.start.line}: ${mistake}`)
}
