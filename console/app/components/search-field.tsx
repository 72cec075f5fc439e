import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'

interface SearchFieldProps {
  /** What is searched, for screen readers and while nothing is typed. */
  readonly label: string
  /** Called with the text when typing pauses; '' for everything. */
  readonly onSearch: (text: string) => void
}

/** Searches a list. */
export function SearchField({ label, onSearch }: SearchFieldProps) {
  const search = useDebouncedCallback(onSearch, 250)
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      maxLength={200}
      maw="24rem"
      onChange={(event) => search(event.currentTarget.value.trim())}
    />
  )
}
