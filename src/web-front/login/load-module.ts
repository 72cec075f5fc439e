import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError } from '../../errors/app-error.ts'

/** A module of the operator, and its settings. */
export interface ModuleSettings {
  /** Relative to the current folder. */
  readonly path: string
  readonly settings: object
}

/** The result of the function that a module exports by default. Throws MODULE_UNUSABLE. */
export async function loadModule<Part extends object>(
  { path, settings }: ModuleSettings,
  functions: readonly (string & keyof Part)[],
): Promise<Part> {
  const made = await makePart(path, settings)
  const isWhole =
    typeof made === 'object' && made !== null && functions.every((name) => isFunction(made, name))
  if (!isWhole) throw unusable(path, `the result of its default export lacks ${functions.join(' or ')}`)
  return made as Part
}

async function makePart(path: string, settings: object): Promise<unknown> {
  if (!existsSync(path)) throw unusable(path, 'there is no such file')
  let make: unknown
  try {
    const exported: { readonly default?: unknown } = await import(pathToFileURL(resolve(path)).href)
    make = exported.default
  } catch (cause) {
    throw unusable(path, cause instanceof Error ? cause.message : 'it cannot be loaded', cause)
  }
  if (typeof make !== 'function') throw unusable(path, 'its default export is not a function')
  return make(settings)
}

function isFunction(part: object, name: string): boolean {
  return typeof (part as Readonly<Record<string, unknown>>)[name] === 'function'
}

function unusable(path: string, reason: string, cause?: unknown): AppError {
  return new AppError('MODULE_UNUSABLE', {
    detail: `The module ${JSON.stringify(path)} cannot be used: ${reason}.`,
    cause,
  })
}
