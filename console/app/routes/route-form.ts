/** A route as the form has it: what people set often in fields, all else as JSON. */
import type { GatewayRoute, RouteToSend } from './gateway-routes.ts'

export interface RouteForm {
  readonly name: string
  readonly path: string
  readonly methods: readonly string[]
  readonly scope: 'public' | 'protected'
  /** Empty for an API of the gateway itself. */
  readonly targets: readonly string[]
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
  more: '{}',
}

/** The form of a route that there is. */
export function formOf({ name, path, methods, scope, target = [], ...more }: GatewayRoute): RouteForm {
  const targets = typeof target === 'string' ? [target] : target
  return { name, path, methods, scope, targets, more: JSON.stringify(more, null, 2) }
}

/** What the form sends. Throws a `SyntaxError` if the other keys are no JSON object. */
export function routeOf({ name, path, methods, scope, targets, more }: RouteForm): RouteToSend {
  const read: unknown = more.trim() === '' ? {} : JSON.parse(more)
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new SyntaxError('It must be a JSON object.')
  }
  const [first, ...others] = targets
  const target = first === undefined ? {} : { target: others.length === 0 ? first : [...targets] }
  return { ...read, name, path, methods: [...methods] as RouteToSend['methods'], scope, ...target }
}
