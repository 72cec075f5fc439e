/** The part of a document that the caller's rights let be written. */
import { isDeepStrictEqual } from 'node:util'
import { jsonPointer } from '../documents/parse-document.ts'
import { AppError, type Mistake, toldMistakes } from '../errors/app-error.ts'
import { unknownField } from './check-record.ts'
import type { RecordMistakes, RecordPath } from './record-mistakes.ts'
import { isKnown, isReadable, type RecordRights, type WriteGrant } from './record-rights.ts'
import type { FieldRule, PublishedEntity, WriteRules } from './record-rules.ts'

/** How one record may be written. */
export interface PermittedWrite {
  readonly rights: RecordRights
  /** The rights to write that admit the record. */
  readonly grants: readonly WriteGrant[]
  /** The record as the caller may read it; undefined for a new one. */
  readonly current: Readonly<Record<string, unknown>> | undefined
}

/** Collects fields that may not be written, and throws them together as FIELD_NOT_ALLOWED. */
export class FieldRefusals {
  readonly #mistakes: Mistake[] = []

  /** Whether there is none. */
  get areNone(): boolean {
    return this.#mistakes.length === 0
  }

  add(path: RecordPath, field: string, detail: string): void {
    if (this.#mistakes.length <= toldMistakes) {
      this.#mistakes.push({ pointer: jsonPointer([...path, field]), detail })
    }
  }

  /** FIELD_NOT_ALLOWED with all of them. */
  get error(): AppError {
    return new AppError('FIELD_NOT_ALLOWED', { mistakes: this.#mistakes })
  }

  throwIfAny(): void {
    if (!this.areNone) throw this.error
  }
}

/** Whether one of some rights gives a field, or sets it. */
export function mayWrite(name: string, grants: readonly WriteGrant[]): boolean {
  return grants.some(({ fields, set }) => fields === undefined || fields.has(name) || set.has(name))
}

/** The rules of the fields that the caller knows of. */
export function knownRules({ rules, rights }: Pick<PublishedEntity, 'rules' | 'rights'>): WriteRules {
  if (rights === undefined) return rules
  return { ...rules, fields: new Map([...rules.fields].filter(([name]) => isKnown(rights, name))) }
}

/**
 * A document without the fields that the caller may only read and sends unchanged, and with those that its rights set.
 * Refuses every other field that it may not write; one that it may not read either is unknown, whatever its value.
 */
export function permittedDocument(
  document: unknown,
  path: RecordPath,
  rules: WriteRules,
  { rights, grants, current }: PermittedWrite,
  refusals: FieldRefusals,
  mistakes: RecordMistakes,
): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document
  const set = new Map(grants.flatMap((grant) => [...grant.set]))
  const known = knownRules({ rules, rights })
  const members = Object.entries(document).filter(([name, value]) => {
    if (set.has(name)) {
      if (isDeepStrictEqual(set.get(name), value)) return false
      refusals.add(path, name, 'The rights of the caller set this field. Leave it out.')
      return false
    }
    if (mayWrite(name, grants)) return true
    const isRead = isReadable(rights, name)
    const isField = rules.fields.has(name) || rules.systemColumns.some((system) => system === name)
    // The check of the record refuses what is not a field.
    if (!isField) return true
    if (!isRead) mistakes.invalid(path, name, unknownField(name, known))
    else if (current === undefined || !isDeepStrictEqual(current[name] ?? null, value)) {
      refusals.add(
        path,
        name,
        'The caller may not write this field. Leave it out, or send it as it was read.',
      )
    }
    return false
  })
  return { ...Object.fromEntries(members), ...Object.fromEntries(set) }
}

/** Whether a field that was not sent stays as it is, because it may not be written. */
export function isUntouched({ name }: FieldRule, grants: readonly WriteGrant[] | undefined): boolean {
  return grants !== undefined && !mayWrite(name, grants)
}
