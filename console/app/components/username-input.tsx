import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useIsAllowed } from '../api/access.ts'
import { usernamesQuery } from '../api/records.ts'

interface UsernameInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (username: string) => void
  readonly error?: string | undefined
  readonly isRequired?: boolean
}

/** The name of an account; those that contain what is typed are offered. */
export function UsernameInput({ label, value, onChange, error, isRequired = false }: UsernameInputProps) {
  const [text] = useDebouncedValue(value.trim(), 200)
  const mayList = useIsAllowed('GET', '/manage/accounts')
  const { data = [] } = useQuery({ ...usernamesQuery(text), enabled: mayList })
  return (
    <Autocomplete
      label={label}
      value={value}
      data={data}
      onChange={onChange}
      error={error}
      required={isRequired}
      maxLength={200}
    />
  )
}
