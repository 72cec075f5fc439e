import { useAllowed } from '../api/access.ts'
import { type Area, areas } from './areas.ts'
import { useSession } from './session-gate.tsx'

const calls = areas.flatMap(({ needs }) => needs)

/** The areas in which who is logged in may do something; those without a condition until the gateway has said so. */
export function useVisibleAreas(): readonly Area[] {
  const session = useSession()
  const allowed = useAllowed(calls)
  const isAllowed = new Map(calls.map((call, index) => [call, allowed?.[index] ?? false]))
  return areas
    .filter(({ isServed }) => isServed?.(session) ?? true)
    .filter(({ needs }) => needs.length === 0 || needs.some((call) => isAllowed.get(call)))
}
