/**
 * Compiles the text of a template once; filling it means going through its parts. A list at the top level of a
 * template is written in slices, so that a file of any length needs little memory.
 */
import Handlebars from 'handlebars'
import type { TextFormat } from '../formats.ts'
import { textRules } from './contexts.ts'
import { each, type Slice } from './each.ts'
import { type EscapeContext, escapeFor } from './escape.ts'
import { escapeHelper, escapeValues } from './escape-values.ts'
import { helpers } from './helpers.ts'
import type { NamedValues } from './named-values.ts'

/** A template that can be filled repeatedly. */
export interface CompiledTemplate {
  /** The text of the file, in pieces. `data` has the values of `{{@name}}`. */
  fill(params: object, data?: Readonly<Record<string, unknown>>): Iterable<string>
}

/** Compiles templates of one format that share partials. */
export interface TemplateCompiler {
  /** Throws an error whose message says what is wrong with the template. */
  compile(text: string): CompiledTemplate
}

/** How many items of a list are written at a time. */
const sliceLength = 200

const compileOptions = {
  knownHelpersOnly: true,
  knownHelpers: {
    ...Object.fromEntries([escapeHelper, ...Object.keys(helpers)].map((name) => [name, true])),
    log: false,
  },
  // The helper around each value escapes.
  noEscape: true,
  preventIndent: true,
} as CompileOptions

const runtimeOptions = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false }

/** A compiler; `partials` are texts by name. Throws the same errors as `compile`. */
export function createTemplateCompiler(
  format: TextFormat,
  partials: Readonly<Record<string, string>>,
): TemplateCompiler {
  const handlebars = Handlebars.create()
  handlebars.unregisterHelper('log')
  handlebars.registerHelper('each', each)
  handlebars.registerHelper(escapeHelper, (value: unknown, context: EscapeContext) =>
    escapeFor(format, value, context),
  )
  for (const [name, helper] of Object.entries(helpers)) {
    handlebars.registerHelper(name, (...given: unknown[]) => {
      const { hash } = given.pop() as { readonly hash: NamedValues }
      return helper(given, hash, format)
    })
  }
  const read = (text: string) => Handlebars.parse(format === 'json' ? withoutTripleEnds(text) : text)
  const parsed = new Map(Object.entries(partials).map(([name, text]) => [name, read(text)]))
  const allPartials = Object.values(partials).join('\n')
  const parse = (text: string) =>
    escapeValues(read(text), parsed, textRules(format, `${text}\n${allPartials}`))
  const compileProgram = (program: hbs.AST.Program) => {
    handlebars.precompile(program, { ...compileOptions })
    return handlebars.compile(program, { ...compileOptions })
  }
  for (const [name, partial] of parsed) {
    handlebars.registerPartial(name, compileProgram(escapeValues(partial, parsed, textRules(format))))
  }

  return {
    compile(text) {
      const pieces = piecesOf(parse(text)).map(({ program, isList }) => ({
        isList,
        write: compileProgram(program),
      }))
      return {
        *fill(params, data = {}) {
          for (const { isList, write } of pieces) {
            if (isList) yield* writeList(write, params, data)
            else yield write(params, { ...runtimeOptions, data })
          }
        },
      }
    },
  }
}

/** In `{"a": {{a}}}` the last brace belongs to the JSON: an empty comment before it says so to Handlebars. */
function withoutTripleEnds(text: string): string {
  return text.replaceAll(/(?<!\{)\{\{(?!\{)[^{}]*\}\}(?=\})/g, '$&{{!}}')
}

function* writeList(write: HandlebarsTemplateDelegate, params: object, data: object): Iterable<string> {
  const slice: Slice = { from: 0, to: sliceLength, length: 0 }
  do {
    yield write(params, { ...runtimeOptions, data: { ...data, slice } })
    slice.from = slice.to
    slice.to += sliceLength
  } while (slice.from < slice.length)
}

interface Piece {
  readonly program: hbs.AST.Program
  /** Whether it consists of a single list. */
  readonly isList: boolean
}

function piecesOf(program: hbs.AST.Program): readonly Piece[] {
  // Only the program that contains an inline partial knows it.
  if (program.body.some(({ type }) => type === 'DecoratorBlock')) return [{ program, isList: false }]
  const groups: { body: hbs.AST.Statement[]; isList: boolean }[] = []
  for (const statement of program.body) {
    const isList = isEach(statement)
    const last = groups.at(-1)
    if (last === undefined || isList || last.isList) groups.push({ body: [statement], isList })
    else last.body.push(statement)
  }
  return groups.map(({ body, isList }) => ({ program: { ...program, body }, isList }))
}

function isEach(statement: hbs.AST.Statement): boolean {
  if (statement.type !== 'BlockStatement') return false
  return (statement as hbs.AST.BlockStatement).path.original === 'each'
}
