import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Mistake, toldMistakes } from '../../errors/app-error.ts'

/** Returns the mistakes of params, by JSON pointer; none if they are valid. */
export type ParamsCheck = (params: object) => readonly Mistake[]

/**
 * Compiles a JSON Schema (draft 2020-12, with the usual formats): https://json-schema.org/draft/2020-12 Throws an
 * error whose message says what is wrong with the schema.
 */
export function compileParamsSchema(schema: object): ParamsCheck {
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    logger: false,
  })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  return (params) => (validate(params) ? [] : (validate.errors ?? []).slice(0, toldMistakes).map(mistakeOf))
}

function mistakeOf({ keyword, instancePath, params, message }: ErrorObject): Mistake {
  const escaped = (key: unknown) => String(key).replaceAll('~', '~0').replaceAll('/', '~1')
  switch (keyword) {
    case 'required':
      return { pointer: `${instancePath}/${escaped(params.missingProperty)}`, detail: 'This is required.' }
    case 'additionalProperties':
      return {
        pointer: `${instancePath}/${escaped(params.additionalProperty)}`,
        detail: 'This is not known here.',
      }
    case 'enum':
      return { pointer: instancePath, detail: `This must be one of ${listOf(params.allowedValues)}.` }
    default:
      return { pointer: instancePath, detail: `This ${message}.` }
  }
}

function listOf(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ')
}
