import { ActionIcon, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLoaded } from '../components/use-loaded.ts'
import { useNamedTables } from '../conditions/named-tables.ts'
import { identifierOf, relationTo } from './address-relation.ts'

const load = async () => (await import('../data/edit/reference-picker.tsx')).ReferencePicker

interface RecordInputProps {
  /** A path of records. */
  readonly path: string
  /** The identifier of one, as in its address, but decoded; '' for none. */
  readonly value: string
  readonly onChange: (identifier: string) => void
}

/** A record of a path; those that who is logged in may read can be looked for. */
export function RecordInput({ path, value, onChange }: RecordInputProps) {
  const { t } = useTranslation('roles')
  const { Opened: ReferencePicker, open, close } = useLoaded(load)
  const [table] = useNamedTables(path, true).tables
  const reference = table && relationTo(table)
  return (
    <>
      <TextInput
        label={t('tester.row')}
        description={t('tester.rowHint')}
        value={value}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
        rightSection={
          reference === undefined ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('tester.findRow', { table: reference.table })}
              onClick={open}
            >
              <IconSearch size={16} />
            </ActionIcon>
          )
        }
      />
      {ReferencePicker !== undefined && table !== undefined && reference !== undefined ? (
        <ReferencePicker
          reference={reference}
          known={{}}
          onPick={(keys) => {
            onChange(identifierOf(table, reference, keys))
            close()
          }}
          onClose={close}
        />
      ) : null}
    </>
  )
}
