import * as v from 'valibot'

const problemSchema = v.object({
  title: v.string(),
  detail: v.string(),
  requestId: v.optional(v.string()),
  errors: v.optional(v.array(v.object({ pointer: v.string(), detail: v.string() })), []),
})

/** The problem document of an answer, as far as people need it; undefined when it is none. */
export function readProblem(document: unknown): v.InferOutput<typeof problemSchema> | undefined {
  const reading = v.safeParse(problemSchema, document)
  return reading.success ? reading.output : undefined
}

/** What a refusal says, a line for each mistake with its place in what was sent. */
export function describeProblem(status: number, document: unknown): readonly string[] {
  const problem = readProblem(document)
  if (problem === undefined) return [`The answer has status ${status} and says nothing else.`]
  const { title, detail, requestId, errors } = problem
  const trace =
    status >= 500 && requestId !== undefined ? [`The log of the gateway has it as ${requestId}.`] : []
  if (errors.length === 0) return [detail, ...trace]
  return [
    title,
    ...errors.map((mistake) => `  ${mistake.pointer || '(the whole)'}: ${mistake.detail}`),
    ...trace,
  ]
}
