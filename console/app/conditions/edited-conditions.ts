import { conditionsOf, type RecordConditions } from '../components/record-conditions.ts'

/** Conditions on records while they are edited. */
export interface EditedConditions extends RecordConditions {
  /** What was written for `rows` and is no list in JSON; absent if all that was written is taken. */
  readonly unread?: string
}

/** The conditions of what has them, without what else it has. */
export function editedOf(whole: EditedConditions): EditedConditions {
  const { unread } = whole
  return { ...conditionsOf(whole), ...(unread === undefined ? {} : { unread }) }
}
