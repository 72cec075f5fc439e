/**
 * The member of an object whose names come from outside, such as names of columns: undefined for what every object has, such as
 * `constructor`.
 */
export function ownMember<Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** The same object without what every object has, so that any name can be looked up in it. */
export function withOwnMembersOnly(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.assign(Object.create(null), object)
}
