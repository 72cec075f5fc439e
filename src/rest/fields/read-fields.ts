/** From the paths that a request asks for to the tree of fields that its response shows. */
import { AppError } from '../../errors/app-error.ts'
import { refuseLongPath } from '../../query/read-filters.ts'
import { type RecordMember, readableMembersOf } from '../../record/record-layout.ts'
import type { PublishedEntity, RelatedEntity } from '../../record/record-rules.ts'
import { didYouMean } from '../../util/did-you-mean.ts'
import { shortName } from '../../util/short-name.ts'
import type { AskedFields } from './asked-fields.ts'

/** Which fields of an entity's records are shown, by name, in the order in which they were asked for. */
export interface FieldTree {
  readonly entity: PublishedEntity
  readonly members: ReadonlyMap<string, RecordMember | RelatedFields>
}

/** Which fields of related records are shown. */
interface RelatedFields {
  readonly relation: RelatedEntity
  readonly fields: FieldTree
}

/** Each relation that is followed is a statement. */
const relationsLimit = 50

/** All fields of a record at the end of a path. */
const all = '*'

/**
 * Reads the paths: a field, `tenant.name` for a field of a related record, `*` for all fields, and `tenant` for all
 * fields of a related record. Throws PARAMETER_INVALID, and FIELD_NOT_ALLOWED for a path to an entity whose list the
 * caller may not read.
 */
export function readFields({ parameter, paths }: AskedFields, entity: PublishedEntity): FieldTree {
  const reader = new FieldReader(parameter)
  const root = new Branch(entity)
  for (const path of paths) {
    if (root.addOwn(path)) continue
    refuseLongPath(path, parameter)
    reader.read(path, path, root)
  }
  return root
}

/** A tree that grows. */
class Branch implements FieldTree {
  readonly entity: PublishedEntity
  readonly members = new Map<string, RecordMember | { relation: RelatedEntity; fields: Branch }>()
  readonly #own: ReadonlyMap<string, RecordMember>

  constructor(entity: PublishedEntity) {
    this.entity = entity
    this.#own = new Map(readableMembersOf(entity).map((member) => [member.column.name, member]))
  }

  /** Adds a field, or all; false if there is none of this name. */
  addOwn(name: string): boolean {
    const member = this.#own.get(name)
    if (member !== undefined) this.members.set(name, member)
    else if (name === all) for (const [own, each] of this.#own) this.members.set(own, each)
    return member !== undefined || name === all
  }

  /** The names that a path may go on with. */
  get names(): readonly string[] {
    return [...this.#own.keys(), ...(this.entity.related?.names() ?? [])]
  }

  /** The branch of a relation that was followed before. */
  known(name: string): Branch | undefined {
    const member = this.members.get(name)
    return member !== undefined && 'fields' in member ? member.fields : undefined
  }
}

class FieldReader {
  readonly #parameter: string
  #relations = 0

  constructor(parameter: string) {
    this.#parameter = parameter
  }

  /** Reads the rest of a path, from a branch on. */
  read(path: string, rest: string, branch: Branch): void {
    if (branch.addOwn(rest)) return
    const dot = rest.indexOf('.')
    const name = dot === -1 ? rest : rest.slice(0, dot)
    const before = path.slice(0, path.length - rest.length)
    const inside = branch.known(name) ?? this.#follow(path, name, before, branch)
    if (dot === -1) inside.addOwn(all)
    else this.read(path, rest.slice(dot + 1), inside)
  }

  #follow(path: string, name: string, before: string, branch: Branch): Branch {
    const relation = branch.members.has(name) ? undefined : branch.entity.related?.follow(name)
    if (relation === undefined) {
      const known = branch.names.map((one) => before + one)
      const meant = didYouMean(before + name, known)
      throw this.#invalid(`names the unknown field ${JSON.stringify(shortName(path))}${meant}`)
    }
    if ('forbidden' in relation) throw this.#forbidden(before + name, relation.forbidden)
    this.#relations += 1
    if (this.#relations > relationsLimit)
      throw this.#invalid(
        `follows more than ${relationsLimit} references and collections, which is the limit`,
      )
    const fields = new Branch(relation.entity)
    branch.members.set(name, { relation, fields })
    return fields
  }

  #forbidden(path: string, { name, resource }: Pick<PublishedEntity, 'name' | 'resource'>): AppError {
    const detail = `${this.#parameter}: ${JSON.stringify(shortName(path))} leads to records of ${name}, whose list the caller may not read: it takes a role that allows GET on /apis/${resource}.`
    return new AppError('FIELD_NOT_ALLOWED', { detail })
  }

  #invalid(rest: string): AppError {
    return new AppError('PARAMETER_INVALID', { detail: `${this.#parameter} ${rest}.` })
  }
}
