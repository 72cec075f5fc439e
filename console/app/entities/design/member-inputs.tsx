/** Inputs for members of a definition: each shows the value at its path, and what is wrong there. */
import { Select, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Path, textAt, valueAt } from '../definition/definition.ts'
import { withValue } from '../definition/edit-definition.ts'
import { useDesign, useMistake } from './design-context.ts'

interface MemberProps {
  readonly path: Path
  readonly label: string
  readonly description?: string
}

interface TextMemberProps extends MemberProps {
  /** Whether an empty text removes the member. */
  readonly isOptional?: boolean
  readonly placeholder?: string
}

/** A text. */
export function TextMember({ path, label, description, isOptional = false, placeholder }: TextMemberProps) {
  const { definition, isReadOnly, change } = useDesign()
  const error = useMistake(path)
  return (
    <TextInput
      label={label}
      description={description}
      placeholder={placeholder}
      error={error}
      readOnly={isReadOnly}
      value={textAt(definition, path)}
      spellCheck={false}
      onChange={({ currentTarget: { value } }) =>
        change(path, (old) => withValue(old, path, isOptional && value === '' ? undefined : value))
      }
    />
  )
}

interface FlagMemberProps extends MemberProps {
  /** What it means if it is left out. */
  readonly otherwise: boolean
}

/** True or false. */
export function FlagMember({ path, label, description, otherwise }: FlagMemberProps) {
  const { definition, isReadOnly, change } = useDesign()
  const error = useMistake(path)
  const value = valueAt(definition, path)
  return (
    <Switch
      label={label}
      description={description}
      error={error}
      disabled={isReadOnly}
      checked={typeof value === 'boolean' ? value : otherwise}
      onChange={({ currentTarget: { checked } }) => change(path, (old) => withValue(old, path, checked))}
    />
  )
}

interface ChoiceMemberProps extends MemberProps {
  readonly choices: readonly string[]
}

/** One of some texts; one that is none of them is shown as well. */
export function ChoiceMember({ path, label, description, choices }: ChoiceMemberProps) {
  const { t } = useTranslation('entities')
  const { definition, isReadOnly, change } = useDesign()
  const error = useMistake(path)
  const value = textAt(definition, path)
  const data = value === '' || choices.includes(value) ? choices : [...choices, value]
  return (
    <Select
      label={label}
      description={description}
      placeholder={t('design.choose')}
      error={error}
      readOnly={isReadOnly}
      data={[...data]}
      value={value === '' ? null : value}
      allowDeselect={false}
      comboboxProps={{ withinPortal: true }}
      onChange={(chosen) => {
        if (chosen !== null) change(path, (old) => withValue(old, path, chosen))
      }}
    />
  )
}
