/** Responses of the management API to uploads of entity definitions, for people. */
import * as v from 'valibot'
import { AdminFailure } from './admin-failure.ts'
import { mistakeLine } from './describe-problem.ts'
import { printable } from './printable.ts'

const planSchema = v.object({
  problems: v.optional(
    v.array(v.object({ pointer: v.string(), detail: v.string(), allowed_by: v.nullable(v.string()) })),
    [],
  ),
  entities: v.array(
    v.object({
      name: v.string(),
      renamed_from: v.optional(v.string()),
      drift: v.optional(v.array(v.string()), []),
      steps: v.array(
        v.object({
          kind: v.string(),
          description: v.string(),
          sql: v.array(v.string()),
          rows: v.optional(v.string(), ''),
          destructive: v.optional(v.boolean(), false),
        }),
      ),
    }),
  ),
})
const namedSchema = v.object({ name: v.string(), warnings: v.optional(v.array(v.string()), []) })
const storedSchema = v.union([v.array(namedSchema), namedSchema])

/** What an upload would do, and what prevents it. */
export type EntityPlan = v.InferOutput<typeof planSchema>

/** The plan of an upload, from the response of the management API. */
export function readEntityPlan(document: unknown): EntityPlan {
  const reading = v.safeParse(planSchema, document)
  if (reading.success) return reading.output
  throw new AdminFailure(['The gateway returned a plan in a form that this program does not know.'])
}

/** A paragraph for each entity. */
export function entityPlanText({ entities }: EntityPlan): string {
  return entities
    .map(({ name, drift, steps }) =>
      [name, ...drift.map((sentence) => `  ${printable(sentence)}`), ...steps.flatMap(stepLines)].join('\n'),
    )
    .join('\n\n')
}

/** What prevents an upload, a line each with its location in what was sent. */
export function planProblemLines({ problems }: EntityPlan): readonly string[] {
  if (problems.length === 0) return []
  return ['It would be refused:', ...problems.map(mistakeLine)]
}

/** The question before an upload by which rows lose data; undefined if none does. */
export function lossQuestion({ entities }: EntityPlan): string | undefined {
  const losses = entities.flatMap(({ steps }) => steps).filter(({ destructive }) => destructive)
  if (losses.length === 0) return undefined
  const lines = losses.map(({ description, rows }) => `  ${printable(`${description} ${rows}`.trim())}`)
  return ['Rows lose data:', ...lines, 'Go ahead?'].join('\n')
}

/** The uploaded entities. */
export function entityUploadText(document: unknown, done = 'Uploaded'): string {
  const reading = v.safeParse(storedSchema, document)
  if (!reading.success) return 'The definitions are uploaded.'
  const names = [reading.output].flat().map(({ name }) => printable(name))
  return `${done}: ${names.join(', ')}.`
}

/** What an adoption leaves out of tables, or makes read-only, a line each with its entity. */
export function adoptionWarningLines(document: unknown): readonly string[] {
  const reading = v.safeParse(storedSchema, document)
  if (!reading.success) return []
  return [reading.output].flat().flatMap(({ name, warnings }) => warnings.map((line) => `${name}: ${line}`))
}

type Step = EntityPlan['entities'][number]['steps'][number]

function stepLines({ description, sql, rows, destructive }: Step): readonly string[] {
  const statements = sql.flatMap((statement) => statement.split('\n')).map((line) => `    ${printable(line)}`)
  return [
    `  ${printable(description)}${destructive ? ' (rows lose data)' : ''}`,
    ...(rows === '' ? [] : [`  ${printable(rows)}`]),
    ...statements,
  ]
}
