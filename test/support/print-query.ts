/** From a query as data to a GraphQL document and its variables. */
import type { PlainGroupTerm, PlainHaving } from './plain-aggregates.ts'
import {
  type AggregateMember,
  type Condition,
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
  return new DocumentPrinter(data, texts, style).print(roots)
}

/** Prints one document, and collects its variables and fragments. */
export class DocumentPrinter {
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
      return `${root.as}: ${root.kind}(GlobalId: ${this.value(id, 'ID!')}) { ... on ${entity}_ ${this.#object(entity, select, false)} }`
    })
    return this.whole('query', fields)
  }

  /** The document with these root fields, which were printed before. */
  whole(operation: 'query' | 'mutation', fields: readonly string[]): PrintedQuery {
    const declared = this.#declarations.length === 0 ? '' : `(${this.#declarations.join(', ')}) `
    const header = operation === 'query' && declared === '' ? '' : `${operation} ${declared}`
    const document = [`${header}{ ${fields.join(' ')} }`, ...this.#fragments].join('\n')
    return { query: document, variables: this.#variables }
  }

  /** A selection of an entity's fields. */
  object(entity: string, select: readonly Selected<ObjectMember>[]): string {
    return this.#object(entity, select, true)
  }

  /** The same conditions as the typed argument takes them. */
  where(entity: string, filters: readonly FilterElement[], type = `${entity}_Where`): string {
    return this.value(whereOf(entity, filters, this.#data), type)
  }

  #list(as: string, field: string, list: ListQuery): string {
    const given = this.#arguments(list)
    return `${named(as, field)}${given === '' ? '' : `(${given})`} { ${list.select.map((member) => this.#connectionMember(list.entity, member)).join(' ')} }`
  }

  #arguments(list: ListQuery): string {
    const parts = list.equal.map(([name, value]) => `${name}: ${this.value(value, 'GenericScalar')}`)
    if (list.filters.length > 0) {
      const isTyped = this.chance(2)
      parts.push(
        isTyped
          ? `where: ${this.where(list.entity, list.filters)}`
          : `filters: ${this.#filters(list.filters)}`,
      )
    }
    const isTypedOrder = list.asc.length + list.desc.length > 0 && this.chance(2)
    if (isTypedOrder) parts.push(`orderBy: [${orderOf(list).join(', ')}]`)
    for (const name of ['asc', 'desc'] as const) {
      const fields = isTypedOrder ? [] : list[name]
      if (fields.length === 1 && this.chance(2)) parts.push(`${name}: ${JSON.stringify(fields[0])}`)
      else if (fields.length > 0) parts.push(`${name}: ${this.value(fields, '[String]')}`)
    }
    for (const name of ['offset', 'limit', 'first', 'last'] as const)
      if (list[name] !== undefined) parts.push(`${name}: ${this.value(list[name], 'Int')}`)
    for (const name of ['after', 'before'] as const) {
      const row = list[name]
      if (row !== undefined) parts.push(`${name}: ${this.value(this.#texts.cursorOf(list, row), 'String')}`)
    }
    return parts.join(', ')
  }

  /** As one value, or with variables somewhere inside. */
  #filters(filters: readonly FilterElement[]): string {
    if (this.chance(3)) return this.value(filters, 'GenericScalar')
    return `[${filters.map((element) => this.#element(element)).join(', ')}]`
  }

  #element(element: FilterElement): string {
    if ('key' in element) {
      return `{key: ${JSON.stringify(element.key)}, op: ${JSON.stringify(element.op)}, val: ${this.value(element.val, 'GenericScalar')}}`
    }
    return `[${element.map((inner) => this.#element(inner)).join(', ')}]`
  }

  #connectionMember(entity: string, member: Selected<ConnectionMember>): string {
    switch (member.kind) {
      case 'edges':
        return `${named(member.as, 'edges')} { ${member.select.map((inner) => this.#edgeMember(entity, inner)).join(' ')} }`
      case 'pageInfo':
        return `${named(member.as, 'pageInfo')} { ${member.select.map(pageInfoMember).join(' ')} }`
      case 'aggregates':
        return `${named(member.as, 'aggregates')} { ${member.select.map(aggregateMember).join(' ')} }`
      case 'groups': {
        const having =
          member.having.length === 0
            ? ''
            : `, having: ${this.value(havingOf(member.having), `${entity}_Having`)}`
        return `${named(member.as, 'groups')}(by: ${this.#groupBy(entity, member.by)}${having}${this.#groupOrder(entity, member)}) { ${member.select.map(aggregateMember).join(' ')} }`
      }
      default:
        return leaf(member)
    }
  }

  #groupOrder(
    entity: string,
    { orderBy, offset, limit }: Extract<ConnectionMember, { readonly kind: 'groups' }>,
  ): string {
    const terms = orderBy.map(({ of, direction }) => {
      if ('key' in of) return { keys: { [of.key]: direction } }
      return { [of.fn]: of.field === undefined ? direction : { [of.field]: direction } }
    })
    const order = () =>
      this.chance(2)
        ? this.value(terms, `[${entity}_GroupOrderBy!]`, true)
        : literal(terms).replace(/"(ASC|DESC)"/g, '$1')
    const parts = [
      ...(terms.length === 0 ? [] : [`orderBy: ${order()}`]),
      ...(offset === undefined ? [] : [`offset: ${this.value(offset, 'Int')}`]),
      ...(limit === undefined ? [] : [`limit: ${this.value(limit, 'Int')}`]),
    ]
    return parts.map((part) => `, ${part}`).join('')
  }

  #groupBy(entity: string, by: readonly PlainGroupTerm[]): string {
    if (this.chance(2)) return this.value(by, `[${entity}_GroupBy!]!`, true)
    const terms = by.map(
      ({ field, every }) => `{field: ${field}${every === undefined ? '' : `, every: ${every}`}}`,
    )
    return `[${terms.join(', ')}]`
  }

  #edgeMember(entity: string, member: Selected<EdgeMember>): string {
    return member.kind === 'node'
      ? `${named(member.as, 'node')} ${this.#object(entity, member.select, true)}`
      : leaf(member)
  }

  #object(entity: string, select: readonly Selected<ObjectMember>[], mayBeFragment: boolean): string {
    const members = select.map((member) => this.#objectMember(entity, member)).join(' ')
    if (mayBeFragment && this.chance(4)) {
      const name = `F${this.#fragments.length}`
      this.#fragments.push(`fragment ${name} on ${entity}_ { ${members} }`)
      return `{ ...${name} }`
    }
    return mayBeFragment && this.chance(5) ? `{ ... on ${entity}_ { ${members} } }` : `{ ${members} }`
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

  /** A value in the document, or as a variable of the type. */
  value(value: unknown, type: string, isVariable = this.chance(2)): string {
    if (!isVariable) return literal(value)
    const name = `v${this.#declarations.length}`
    this.#declarations.push(`$${name}: ${type}`)
    this.#variables[name] = value
    return `$${name}`
  }

  /** Once in so many times; never in style 0. */
  chance(of: number): boolean {
    if (this.#random === 0) return false
    this.#random = (this.#random * 48_271) % 2_147_483_647
    return this.#random % of === 0
  }
}

/** The same conditions as the typed argument takes them. */
function whereOf(entity: string, filters: readonly FilterElement[], data: PlainData): object {
  const [first] = filters
  if (filters.length === 1 && first !== undefined && 'key' in first) return conditionOf(entity, first, data)
  return { and: filters.map((element) => elementOf(entity, element, 'or', data)) }
}

function elementOf(entity: string, element: FilterElement, kind: 'and' | 'or', data: PlainData): object {
  if ('key' in element) return conditionOf(entity, element, data)
  return { [kind]: element.map((inner) => elementOf(entity, inner, kind === 'or' ? 'and' : 'or', data)) }
}

const typedOperators: Readonly<Record<string, string>> = {
  '==': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
  'not in': 'notIn',
  isnull: 'isNull',
  starts: 'startsWith',
  ends: 'endsWith',
  istarts: 'istartsWith',
  iends: 'iendsWith',
}

function conditionOf(entity: string, { key, op, val }: Condition, data: PlainData): object {
  const [path = '', inJson] = key.split('->')
  const dot = path.indexOf('.')
  const { columns, relations } = entityNamed(data, entity)
  if (dot !== -1) {
    const name = key.slice(0, dot)
    const target = relations.get(name)?.target ?? ''
    return { [name]: conditionOf(target, { key: key.slice(dot + 1), op, val } as Condition, data) }
  }
  if (op === 'some' || op === 'every' || op === 'none') {
    const relation = relations.get(key)
    const inner = whereOf(relation?.target ?? '', val as readonly FilterElement[], data)
    if (relation?.kind === 'collection') return { [key]: { [op]: inner } }
    // Of a reference there is one row at most.
    if (op === 'some') return { [key]: inner }
    return { not: { [key]: op === 'none' ? inner : { not: inner } } }
  }
  if (inJson !== undefined) return { [path]: { at: { path: inJson, [typedOperators[op] ?? op]: val } } }
  const type = columns.get(key)
  const typed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(typed)
    if (value === null || typeof value === 'boolean') return value
    if (type === 'integer' || type === 'float') return Number(value)
    return type === 'string' || type === 'decimal' ? String(value) : value
  }
  return { [key]: { [typedOperators[op] ?? op]: typed(val) } }
}

/** The same conditions as the typed argument takes them. */
function havingOf(having: PlainHaving): object {
  const conditions = having.map(({ fn, field, op, val }) => {
    const condition = { [typedOperators[op] ?? op]: val }
    return { [fn]: field === undefined ? condition : { [field]: condition } }
  })
  const [only] = conditions
  return conditions.length === 1 && only !== undefined ? only : { and: conditions }
}

function aggregateMember(member: Selected<AggregateMember>): string {
  if (member.kind === 'count')
    return `${named(member.as, 'count')}${member.field === undefined ? '' : `(field: ${member.field})`}`
  return `${named(member.as, member.kind === 'keys' ? 'keys' : member.fn)} { ${member.fields.join(' ')} }`
}

function orderOf({ asc, desc }: ListQuery): readonly string[] {
  const item = (path: string, direction: string) =>
    path.split('.').reduceRight((inner, name) => `{${name}: ${inner}}`, direction)
  return [...asc.map((path) => item(path, 'ASC')), ...desc.map((path) => item(path, 'DESC'))]
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
