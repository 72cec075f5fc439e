/** From a query as data to a GraphQL document and its variables. */
import {
  type ConnectionMember,
  type EdgeMember,
  entityNamed,
  type FilterElement,
  type ListQuery,
  type ObjectMember,
  type OpaqueTexts,
  type PageInfoMember,
  type PlainData,
  type RootQuery,
  type Selected,
} from './plain-evaluator.ts'

export interface PrintedQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * `style` decides what is written in the document, what comes as a variable, and where fragments are;
 * 0 is everything in the document, without fragments. The meaning is always the same.
 */
export function printQuery(
  roots: readonly RootQuery[],
  data: PlainData,
  texts: OpaqueTexts,
  style = 0,
): PrintedQuery {
  return new Printer(data, texts, style).print(roots)
}

class Printer {
  readonly #data: PlainData
  readonly #texts: OpaqueTexts
  readonly #variables: Record<string, unknown> = {}
  readonly #declarations: string[] = []
  readonly #fragments: string[] = []
  #random: number

  constructor(data: PlainData, texts: OpaqueTexts, style: number) {
    this.#data = data
    this.#texts = texts
    this.#random = style
  }

  print(roots: readonly RootQuery[]): PrintedQuery {
    const fields = roots.map((root) => {
      if (root.kind === 'list') return this.#list(root.as, root.list.entity, root.list)
      const { entity, row, select } = root.node
      const id = this.#texts.globalIdOf(entityNamed(this.#data, entity), row)
      return `${root.as}: ${root.kind}(GlobalId: ${this.#value(id, 'ID!')}) { ... on ${entity}_ ${this.#object(entity, select, false)} }`
    })
    const header = this.#declarations.length === 0 ? '' : `query (${this.#declarations.join(', ')}) `
    const document = [`${header}{ ${fields.join(' ')} }`, ...this.#fragments].join('\n')
    return { query: document, variables: this.#variables }
  }

  #list(as: string, field: string, list: ListQuery): string {
    const given = this.#arguments(list)
    return `${named(as, field)}${given === '' ? '' : `(${given})`} { ${list.select.map((member) => this.#connectionMember(list.entity, member)).join(' ')} }`
  }

  #arguments(list: ListQuery): string {
    const parts = list.equal.map(([name, value]) => `${name}: ${this.#value(value, 'GenericScalar')}`)
    if (list.filters.length > 0) parts.push(`filters: ${this.#filters(list.filters)}`)
    for (const name of ['asc', 'desc'] as const) {
      const fields = list[name]
      if (fields.length === 1 && this.#chance(2)) parts.push(`${name}: ${JSON.stringify(fields[0])}`)
      else if (fields.length > 0) parts.push(`${name}: ${this.#value(fields, '[String]')}`)
    }
    for (const name of ['offset', 'limit', 'first', 'last'] as const)
      if (list[name] !== undefined) parts.push(`${name}: ${this.#value(list[name], 'Int')}`)
    for (const name of ['after', 'before'] as const) {
      const row = list[name]
      if (row !== undefined) parts.push(`${name}: ${this.#value(this.#texts.cursorOf(list, row), 'String')}`)
    }
    return parts.join(', ')
  }

  /** As one value, or with variables somewhere inside. */
  #filters(filters: readonly FilterElement[]): string {
    if (this.#chance(3)) return this.#value(filters, 'GenericScalar')
    return `[${filters.map((element) => this.#element(element)).join(', ')}]`
  }

  #element(element: FilterElement): string {
    if ('key' in element) {
      return `{key: ${JSON.stringify(element.key)}, op: ${JSON.stringify(element.op)}, val: ${this.#value(element.val, 'GenericScalar')}}`
    }
    return `[${element.map((inner) => this.#element(inner)).join(', ')}]`
  }

  #connectionMember(entity: string, member: Selected<ConnectionMember>): string {
    switch (member.kind) {
      case 'edges':
        return `${named(member.as, 'edges')} { ${member.select.map((inner) => this.#edgeMember(entity, inner)).join(' ')} }`
      case 'pageInfo':
        return `${named(member.as, 'pageInfo')} { ${member.select.map(pageInfoMember).join(' ')} }`
      default:
        return leaf(member)
    }
  }

  #edgeMember(entity: string, member: Selected<EdgeMember>): string {
    return member.kind === 'node'
      ? `${named(member.as, 'node')} ${this.#object(entity, member.select, true)}`
      : leaf(member)
  }

  #object(entity: string, select: readonly Selected<ObjectMember>[], mayBeFragment: boolean): string {
    const members = select.map((member) => this.#objectMember(entity, member)).join(' ')
    if (mayBeFragment && this.#chance(4)) {
      const name = `F${this.#fragments.length}`
      this.#fragments.push(`fragment ${name} on ${entity}_ { ${members} }`)
      return `{ ...${name} }`
    }
    return mayBeFragment && this.#chance(5) ? `{ ... on ${entity}_ { ${members} } }` : `{ ${members} }`
  }

  #objectMember(entity: string, member: Selected<ObjectMember>): string {
    switch (member.kind) {
      case 'scalar':
        return named(member.as, member.field)
      case 'globalId':
        return named(member.as, 'GlobalId')
      case 'typeName':
        return leaf(member)
      case 'collection':
        return this.#list(member.as, member.field, member.list)
      case 'reference': {
        const target = entityNamed(this.#data, entity).relations.get(member.field)?.target ?? ''
        return `${named(member.as, member.field)} ${this.#object(target, member.select, true)}`
      }
    }
  }

  #value(value: unknown, type: string): string {
    if (!this.#chance(2)) return literal(value)
    const name = `v${this.#declarations.length}`
    this.#declarations.push(`$${name}: ${type}`)
    this.#variables[name] = value
    return `$${name}`
  }

  /** Once in so many times; never in style 0. */
  #chance(of: number): boolean {
    if (this.#random === 0) return false
    this.#random = (this.#random * 48_271) % 2_147_483_647
    return this.#random % of === 0
  }
}

const fieldNames = { typeName: '__typename' } as const

function leaf({ as, kind }: { readonly as: string; readonly kind: string }): string {
  return named(as, kind === 'typeName' ? fieldNames.typeName : kind)
}

const pageInfoMember = (member: Selected<PageInfoMember>) => leaf(member)

function named(as: string, field: string): string {
  return as === field ? field : `${as}: ${field}`
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, inner]) => `${key}: ${literal(inner)}`)
      .join(', ')}}`
  return JSON.stringify(value)
}
