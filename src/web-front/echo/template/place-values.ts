/**
 * Goes through a parsed template and puts an escape around each value, of the kind that its place needs.
 * Refuses what could not be escaped.
 */
import type { TextFormat } from '../formats.ts'
import type { Place } from './escape.ts'
import { helpers } from './helpers.ts'
import {
  eitherPosition,
  type Position,
  placeOf,
  positionAfter,
  positionAfterValue,
  startPosition,
} from './places.ts'

type Program = hbs.AST.Program
type Statement = hbs.AST.Statement

/** Name of the helper that escapes: `(value, place)`. No template can call it. */
export const escapeHelper = 'escape value'

/** The template with escapes. `partialNames` are those there are. Throws an error whose message has the line. */
export function placeValues(program: Program, format: TextFormat, partialNames: readonly string[]): Program {
  const known = new Set([...partialNames, ...inlinePartials(program)])
  return withEscapes(program, findPlaces(program, format, known))
}

/** Where each value stands. */
type Places = ReadonlyMap<Statement, Place>

function findPlaces(program: Program, format: TextFormat, partialNames: ReadonlySet<string>): Places {
  const places = new Map<Statement, Place>()

  function afterProgram({ body }: Program, start: Position): Position {
    return body.reduce((position, statement) => {
      const next = afterStatement(statement, position)
      if (!next.isMixed) return next
      throw at(statement, 'a cell made of several parts has to stand between quotes: "{{first}} {{last}}"')
    }, start)
  }

  function afterStatement(statement: Statement, position: Position): Position {
    switch (statement.type) {
      case 'ContentStatement':
        return positionAfter(format, (statement as hbs.AST.ContentStatement).value, position)
      case 'MustacheStatement':
        return afterValue(statement as hbs.AST.MustacheStatement, position)
      case 'BlockStatement':
        return afterBlock(statement as hbs.AST.BlockStatement, position)
      case 'PartialStatement':
      case 'PartialBlockStatement':
        return afterPartial(statement as hbs.AST.PartialBlockStatement, position)
      case 'DecoratorBlock':
        afterBody(statement, (statement as hbs.AST.DecoratorBlock).program, startPosition)
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
    // A list is walked through twice; what holds for its first item is the safer place.
    if (value.escaped && !places.has(value)) places.set(value, placeOf(format, position))
    return positionAfterValue(format, position)
  }

  function afterBlock(block: hbs.AST.BlockStatement, position: Position): Position {
    const { program, inverse, path } = block
    const once = afterBody(block, program, position)
    if (path.original === 'each' || block.params.length === 0) afterBody(block, program, once)
    return eitherPosition(once, afterBody(block, inverse, position))
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
    if (original !== undefined && original !== '@partial-block' && !partialNames.has(String(original))) {
      throw at(partial, `there is no partial "${original}"`)
    }
    afterBody(partial, program, startPosition)
    return positionAfterValue(format, position)
  }

  if (afterProgram(program, startPosition).quoted) throw new Error('a quote is opened and not closed')
  return places
}

/** A copy in which each value stands inside a call of the escape. */
function withEscapes(program: Program, places: Places): Program {
  return { ...program, body: program.body.map((statement) => withEscape(statement, places)) }
}

function withEscape(statement: Statement, places: Places): Statement {
  const place = places.get(statement)
  if (place !== undefined) return escapeCall(statement as hbs.AST.MustacheStatement, place)
  const { program, inverse } = statement as hbs.AST.BlockStatement
  return {
    ...statement,
    ...(program === undefined ? {} : { program: withEscapes(program, places) }),
    ...(inverse === undefined ? {} : { inverse: withEscapes(inverse, places) }),
  } as Statement
}

function escapeCall(value: hbs.AST.MustacheStatement, place: Place): Statement {
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
  const placeText = { type: 'StringLiteral', value: place, original: place, loc }
  const call = {
    type: 'MustacheStatement',
    path: helper,
    params: [inner, placeText],
    escaped: false,
    strip,
    loc,
  }
  return call as Statement
}

/** A helper is given something: what stands alone is a param, whatever its name. */
function isCall({ params, hash }: hbs.AST.MustacheStatement): boolean {
  return params.length > 0 || hash !== undefined
}

function assertHelper(call: hbs.AST.MustacheStatement): void {
  const name = String((call.path as hbs.AST.PathExpression).original)
  if (name === 'lookup' || Object.hasOwn(helpers, name)) return
  const known = Object.keys(helpers).join(', ')
  throw at(call, `there is no helper "${name}"; helpers are ${known} and lookup`)
}

/** The partials that a template defines itself, anywhere in it. */
function inlinePartials(program: Program): readonly string[] {
  return program.body.flatMap((statement) => {
    const { type, program: inner, inverse, params } = statement as hbs.AST.DecoratorBlock
    const own =
      type === ('DecoratorBlock' as string) ? params.map((name) => (name as hbs.AST.StringLiteral).value) : []
    return [...own, ...[inner, inverse].flatMap((body) => (body === undefined ? [] : inlinePartials(body)))]
  })
}

function at(statement: Statement, mistake: string): Error {
  return new Error(`line ${statement.loc.start.line}: ${mistake}`)
}
