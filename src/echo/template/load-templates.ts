import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { TemplateSettings, TemplatesSettings, TextSource } from '../echo-settings.ts'
import type { TextFormat } from '../formats.ts'
import { type CompiledTemplate, createTemplateCompiler, type TemplateCompiler } from './compile-template.ts'
import { compileParamsSchema, type ParamsCheck } from './params-schema.ts'

/** A template that is ready to be filled. */
export interface LoadedTemplate {
  readonly settings: TemplateSettings
  readonly body: CompiledTemplate
  readonly header?: CompiledTemplate
  readonly footer?: CompiledTemplate
  readonly check: ParamsCheck
}

/** The templates by name, and a sentence for each mistake. */
export interface LoadedTemplates {
  readonly templates: ReadonlyMap<string, LoadedTemplate>
  readonly mistakes: readonly string[]
}

/** Reads and compiles all templates. */
export function loadTemplates({ templates, partials }: TemplatesSettings): LoadedTemplates {
  const mistakes: string[] = []
  const attempt = <Result>(what: string, work: () => Result): Result | undefined => {
    try {
      return work()
    } catch (error) {
      mistakes.push(`${what}: ${messageOf(error)}`)
      return undefined
    }
  }
  const partialTexts = Object.fromEntries(
    Object.entries(partials).map(([name, source]) => [
      name,
      attempt(`partial ${name}`, () => readSource(source)) ?? '',
    ]),
  )
  const compilers = new Map<TextFormat, TemplateCompiler | undefined>()
  const compilerFor = (format: TextFormat) => {
    if (!compilers.has(format)) {
      compilers.set(
        format,
        attempt(`partials in ${format}`, () => createTemplateCompiler(format, partialTexts)),
      )
    }
    return compilers.get(format)
  }
  const compile = (format: TextFormat, text: string) => {
    const compiler = compilerFor(format)
    return compiler?.compile(text) ?? emptyTemplate
  }
  const loaded = templates.flatMap((settings) => {
    const { name, source, engine, format, page } = settings
    const where = `template ${name}`
    const body = attempt(where, () => {
      const text = readSource(source)
      return engine === 'plain' ? plainTemplate(text) : compile(format, text)
    })
    const edge = (part: 'header' | 'footer') => {
      const text = page[part]
      if (text === undefined) return {}
      const compiled = attempt(`${where}, page.${part}`, () => compile('html', text))
      return compiled === undefined ? {} : { [part]: compiled }
    }
    const check = attempt(`${where}, schema`, () => paramsCheckOf(settings))
    if (body === undefined || check === undefined) return []
    return [[name, { settings, body, check, ...edge('header'), ...edge('footer') }] as const]
  })
  return { templates: new Map(loaded), mistakes }
}

function paramsCheckOf({ schema }: TemplateSettings): ParamsCheck {
  return schema === undefined ? () => [] : compileParamsSchema(schema)
}

const emptyTemplate = plainTemplate('')

function plainTemplate(text: string): CompiledTemplate {
  return { fill: () => [text] }
}

/** The source files of templates. */
export function filesOf({ templates, partials }: TemplatesSettings): readonly string[] {
  const sources = [...templates.map(({ source }) => source), ...Object.values(partials)]
  return sources.flatMap((source) => ('file' in source ? [source.file] : []))
}

function readSource(source: TextSource): string {
  if ('text' in source) return source.text
  const bytes = readFileSync(source.file)
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

function messageOf(error: unknown): string {
  const isFileError = error instanceof Error && 'code' in error && 'path' in error
  if (isFileError) return fileMistake(String(error.path), String(error.code))
  return error instanceof Error ? error.message : String(error)
}

/** The folder of a relative path depends on where the program was started. */
function fileMistake(path: string, code: string): string {
  const what = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  const folder = isAbsolute(path)
    ? ''
    : ` in the folder ${JSON.stringify(process.cwd())}, where the program was started`
  return `the file ${JSON.stringify(path)} ${what}${folder}`
}
