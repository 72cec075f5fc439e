/** Mutations as data: what `print-mutation.ts` writes and `plain-mutations.ts` evaluates. */
import type { FilterElement, ObjectMember, Selected } from '../plain-evaluator.ts'

/** An input: values of fields, and references that are given in place of fields, by their names. */
export interface PlainInput {
  readonly values: Readonly<Record<string, unknown>>
  readonly references: Readonly<Record<string, PlainReference>>
}

/** Null, or a record that is created, or one that is found by its key; both or neither is a mistake. */
export type PlainReference = {
  readonly create?: PlainInput
  readonly connect?: Readonly<Record<string, unknown>>
} | null

/** By what a record is named: its `GlobalId`, or the fields of its key; both or neither is a mistake. */
export type PlainAddress = Readonly<Record<string, string | number | null | undefined>>

type Selection = readonly Selected<ObjectMember>[]

/** What is selected of records that were changed or deleted. */
export type ChangesMember =
  | { readonly kind: 'count' }
  | { readonly kind: 'typeName' }
  | { readonly kind: 'records'; readonly select: Selection }

type ChangesSelection = readonly Selected<ChangesMember>[]

/** One field of `Mutation`. */
export type MutationField = { readonly as: string } & (
  | { readonly kind: 'typeName' }
  | ({ readonly entity: string } & EntityMutation)
)

export type EntityMutation =
  | { readonly kind: 'create' | 'upsert'; readonly input: PlainInput; readonly select: Selection }
  | { readonly kind: 'createAll'; readonly inputs: readonly PlainInput[]; readonly select: Selection }
  | ({ readonly kind: 'update'; readonly input: PlainInput; readonly select: Selection } & OfOne)
  | ({ readonly kind: 'delete'; readonly select: Selection } & OfOne)
  | ({ readonly kind: 'updateAll'; readonly input: PlainInput } & OfMany)
  | ({ readonly kind: 'deleteAll' } & OfMany)

export interface OfOne {
  readonly address: PlainAddress
  readonly ifMatch?: string | undefined
}

interface OfMany {
  readonly where: readonly FilterElement[]
  readonly select: ChangesSelection
}
