/** What the inputs of fields have in common. */
import type { Field, Relation } from '../tables.ts'
import { type Entered, emptied } from './entered.ts'

/** The fields of a form that refer to a record together, by their names. */
export interface ReferenceSiblings {
  readonly values: Readonly<Record<string, Entered>>
  /** Those whose values stay as they are. */
  readonly fixed: ReadonlySet<string>
  /** Takes the values of all fields that do not stay. */
  readonly onPick: (values: Readonly<Record<string, string>>) => void
}

export interface FieldInputProps {
  readonly field: Field
  readonly value: Entered
  readonly onChange: (value: Entered) => void
  /** Why the value is refused. */
  readonly error?: string | undefined
  /** Where the value leads: such records can be looked for. */
  readonly reference?: Relation | undefined
  /** The other fields of that foreign key; absent if the value is the whole of it. */
  readonly siblings?: ReferenceSiblings | undefined
  /** Whether the field may be left out, as in a new record; otherwise there always is a value. */
  readonly isOptional?: boolean
  readonly isReadOnly?: boolean
  /** In a cell of a grid: small, and without its name above. */
  readonly isInCell?: boolean
}

/** The same with what is told about the field. */
export interface ValueInputProps extends FieldInputProps {
  readonly label: string
  readonly description: string | undefined
  readonly placeholder: string
  readonly isRequired: boolean
}

/** What Mantine's inputs have in common. */
export function inputProps({ label, description, placeholder, ...props }: ValueInputProps) {
  const { error, isRequired, isReadOnly = false, isInCell = false } = props
  return {
    ...(isInCell ? { 'aria-label': label, size: 'xs' as const } : { label, description, error }),
    placeholder,
    withAsterisk: isRequired,
    readOnly: isReadOnly,
    'aria-required': isRequired,
    ...(isInCell && error !== undefined ? { error: true, 'aria-invalid': true } : {}),
  }
}

/** What an input with a text stands for. */
export function enteredIn(
  text: string,
  { field, isOptional = false }: Pick<FieldInputProps, 'field' | 'isOptional'>,
): Entered {
  return text === '' ? emptied(field, isOptional) : text
}
