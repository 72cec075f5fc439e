import { TagsInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsAllowed } from '../api/access.ts'
import { roleNamesQuery } from '../api/records.ts'

interface RoleNamesInputProps {
  readonly label: string
  readonly description?: ReactNode
  readonly value: readonly string[]
  readonly onChange: (names: readonly string[]) => void
  readonly error?: string | undefined
  readonly isReadOnly?: boolean
  readonly isRequired?: boolean
}

/** Names of roles; those that contain what is typed are offered. */
export function RoleNamesInput({
  label,
  description,
  value,
  onChange,
  error,
  isReadOnly = false,
  isRequired = false,
}: RoleNamesInputProps) {
  const { t } = useTranslation('components')
  const [search, setSearch] = useState('')
  const [text] = useDebouncedValue(search.trim(), 200)
  const mayList = useIsAllowed('GET', '/manage/roles')
  const { data = [] } = useQuery({ ...roleNamesQuery(text), enabled: mayList && !isReadOnly })
  return (
    <TagsInput
      label={label}
      description={description}
      error={error}
      value={[...value]}
      data={data}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={onChange}
      readOnly={isReadOnly}
      required={isRequired}
      placeholder={isReadOnly || value.length > 0 ? '' : t('roleNames')}
    />
  )
}
