import { AppError } from '../../errors/app-error.ts'

type Query = Readonly<Record<string, unknown>>

/** A parameter that is true or false; without a value it is true. Throws PARAMETER_INVALID. */
export function readYesOrNo(query: Query, name: string): boolean {
  const value = query[name]
  if (value === undefined || value === 'false' || value === '0') return false
  if (value === 'true' || value === '1' || value === '') return true
  throw new AppError('PARAMETER_INVALID', { detail: `The parameter "${name}" takes true or false.` })
}

/** A parameter that may be repeated. Throws PARAMETER_INVALID for an empty one. */
export function readTexts(query: Query, name: string): readonly string[] {
  const values: readonly unknown[] = [query[name] ?? []].flat()
  if (values.every((value) => typeof value === 'string' && value !== '')) return values as readonly string[]
  throw new AppError('PARAMETER_INVALID', { detail: `The parameter "${name}" takes a name.` })
}
