/** A route as the form has it: what people set often in fields, all else as JSON. */
import { conditionsOf } from '../components/record-conditions.ts'
import { type EditedConditions, editedOf } from '../conditions/edited-conditions.ts'
import type { GatewayRoute, RouteToSend } from './gateway-routes.ts'

type SentConditions = Pick<RouteToSend, 'rows' | 'fields' | 'set'>

export interface RouteForm {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  readonly scope: 'public' | 'protected'
  /** Empty for an API of the gateway itself. */
  readonly targets: readonly string[]
  /** What it opens of records, if it is public and has no targets. */
  readonly conditions: EditedConditions
  /** A JSON object of the other keys. */
  readonly more: string
}

/** The form of a new route. */
export const emptyForm: RouteForm = {
  name: '',
  path: '',
  methods: ['GET'],
  scope: 'protected',
  targets: [],
  conditions: {},
  more: '{}',
}

/** The form of a route that there is. */
export function formOf(route: GatewayRoute): RouteForm {
  const { name, path, methods, scope, target = [], rows: _rows, fields: _fields, set: _set, ...more } = route
  const targets = typeof target === 'string' ? [target] : target
  const conditions = editedOf(route)
  return { name, path, methods, scope, targets, conditions, more: JSON.stringify(more, null, 2) }
}

/** Whether a route may have conditions on records. */
export function mayHaveConditions({ scope, targets }: Pick<RouteForm, 'scope' | 'targets'>): boolean {
  return scope === 'public' && targets.length === 0
}

/** What the form sends. Throws a `SyntaxError` if the other keys are no JSON object, or the rows no list. */
export function routeOf(form: RouteForm): RouteToSend {
  const { name, path, methods, scope, targets, conditions, more } = form
  if (conditions.unread !== undefined) throw new SyntaxError('The rows must be a JSON list.')
  const read: unknown = more.trim() === '' ? {} : JSON.parse(more)
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new SyntaxError('It must be a JSON object.')
  }
  const [first, ...others] = targets
  const target = first === undefined ? {} : { target: others.length === 0 ? first : [...targets] }
  const own = { name, path, methods: [...methods] as RouteToSend['methods'], scope, ...target }
  // A copy: documents to send are not read-only.
  return { ...read, ...own, ...(structuredClone(conditionsOf(conditions)) as SentConditions | undefined) }
}
