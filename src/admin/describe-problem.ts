import * as v from 'valibot'

const problemSchema = v.object({
  title: v.string(),
  detail: v.string(),
  requestId: v.optional(v.string()),
  errors: v.optional(v.array(v.object({ pointer: v.string(), detail: v.string() })), []),
})

/** The parts of a response's problem document that people need; undefined if it is not one. */
export function readProblem(document: unknown): v.InferOutput<typeof problemSchema> | undefined {
  const reading = v.safeParse(problemSchema, document)
  return reading.success ? reading.output : undefined
}

/** A refusal as text, a line for each mistake with its location in what was sent. */
export function describeProblem(status: number, document: unknown): readonly string[] {
  const problem = readProblem(document)
  if (problem === undefined) return [`The response has status ${status} and no explanation.`]
  const { title, detail, requestId, errors } = problem
  const trace =
    status >= 500 && requestId !== undefined ? [`The request id in the gateway's log is ${requestId}.`] : []
  if (errors.length === 0) return [forCommands(detail), ...trace]
  return [title, ...errors.map(mistakeLine), ...trace]
}

/** A mistake with its location in what was sent, as a line. */
export function mistakeLine({
  pointer,
  detail,
}: {
  readonly pointer: string
  readonly detail: string
}): string {
  return `  ${pointer || '(the whole)'}: ${forCommands(detail)}`
}

/** The gateway names parameters of its API; commands have flags. */
function forCommands(detail: string): string {
  return detail.replaceAll(/Add \?allow_destructive=true to/g, 'Give --allow_destructive to')
}
