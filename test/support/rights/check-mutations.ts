/** Random mutations of the account, compared with what the contract says of the calls that they stand for. */
import { isDeepStrictEqual } from 'node:util'
import type { Random } from '../random.ts'
import type { Answer } from '../test-gateway.ts'
import { described, sortedRows, withInstances } from './check-writes.ts'
import { evaluateRightsMutation, type RightsOutcome } from './evaluate-rights-mutation.ts'
import type { Refusal } from './plain-writes.ts'
import type { RightsBench } from './rights-bench.ts'
import { printRightsMutations, type RightsMutation, randomMutation } from './rights-mutation.ts'
import type { State } from './rights-world.ts'

/** One random mutation; undefined if it was answered, and did, what the contract says, otherwise a description. */
export async function checkMutation(bench: RightsBench, random: Random): Promise<string | undefined> {
  const { state } = bench
  const mutations: RightsMutation[] = []
  for (let count = 1 + random.below(2); count > 0; count -= 1)
    mutations.push(await randomMutation(bench, random, mutations.length === 0))
  const printed = printRightsMutations(mutations)
  const outcomes = evaluateAll(mutations, bench)
  const answer = await bench.call('POST', '/graphql', printed)
  const after = await bench.readState()
  const told = `${JSON.stringify(printed)}\nanswered ${answer.status} ${JSON.stringify(answer.body)}`
  const last = outcomes.at(-1) as RightsOutcome
  if ('refusals' in last || isUnknown(answer)) {
    const expected = 'refusals' in last ? [...last.refusals].join(', ') : JSON.stringify(last.shown)
    if (!isRefusal(answer, outcomes)) return `${told}\nexpected ${expected}`
    return isDeepStrictEqual(after, state) ? undefined : `${told}\nIt was refused and changed something.`
  }
  const expected = withInstances(last.state, after)
  if (!isDeepStrictEqual(sortedRows(expected), sortedRows(after)))
    return `${told}\nexpected rows\n${describedAll(expected)}\nfound\n${describedAll(after)}`
  const shown = outcomes.map((outcome, index) => [`m${index}`, 'shown' in outcome && outcome.shown] as const)
  const data = Object.fromEntries(shown)
  return isDeepStrictEqual(answer.body, { data })
    ? undefined
    : `${told}\nexpected ${JSON.stringify({ data })}`
}

/** Until one is refused. */
function evaluateAll(mutations: readonly RightsMutation[], bench: RightsBench): readonly RightsOutcome[] {
  const outcomes: RightsOutcome[] = []
  let { state } = bench
  for (const mutation of mutations) {
    const outcome = evaluateRightsMutation(mutation, bench, state)
    outcomes.push(outcome)
    if ('refusals' in outcome) break
    state = outcome.state
  }
  return outcomes
}

const describedAll = (state: State) => [...state.values()].map(described).join('\n')

const codes: Readonly<Record<Refusal, readonly string[]>> = {
  401: ['ROLE_NOT_ALLOWED'],
  404: ['RECORD_NOT_FOUND'],
  409: ['VALUE_NOT_UNIQUE', 'IN_USE'],
  412: ['PRECONDITION_FAILED'],
  422: ['RECORD_INVALID'],
  ROW_NOT_ALLOWED: ['ROW_NOT_ALLOWED'],
  FIELD_NOT_ALLOWED: ['FIELD_NOT_ALLOWED'],
}

interface Refused {
  readonly data?: null
  readonly errors?: readonly {
    readonly path?: readonly string[]
    readonly extensions: { readonly code: string }
  }[]
}

const beforehand = ['GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT', 'OPERATION_RESOLUTION_FAILURE']

/** Whether the caller's schema does not have what was sent, or it may not ask at all. */
function isUnknown({ status, body }: Answer): boolean {
  if (status === 401) return true
  const { data, errors = [] } = body as Refused
  return data === undefined && errors.every(({ extensions }) => beforehand.includes(extensions.code))
}

function isRefusal(answer: Answer, outcomes: readonly RightsOutcome[]): boolean {
  if (isUnknown(answer)) return outcomes.some((outcome) => 'refusals' in outcome || outcome.mayBeUnknown)
  const last = outcomes.at(-1)
  const { data, errors: [error, ...others] = [] } = answer.body as Refused
  const refusals = last !== undefined && 'refusals' in last ? [...last.refusals] : []
  const isKnown = refusals.some((refusal) => codes[refusal].includes(error?.extensions.code ?? ''))
  const isInPlace = isDeepStrictEqual(error?.path, [`m${outcomes.length - 1}`])
  return data === null && others.length === 0 && isInPlace && isKnown
}
