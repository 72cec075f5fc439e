import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedValue, useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Relation } from '../tables.ts'
import { tellingQuery } from './find-references.ts'
import { enteredIn, inputProps, type ValueInputProps } from './input-props.ts'
import { ReferencePicker } from './reference-picker.tsx'

/** The key of another record, or a part of it, with what tells people which one it is; others can be looked for. */
export function ReferenceInput(props: ValueInputProps & { readonly reference: Relation }) {
  const { field, reference, siblings, value, onChange, description, isReadOnly = false } = props
  const { t } = useTranslation('data')
  const [isOpen, { open, close }] = useDisclosure()
  const keys = reference.fields.map(({ own }) => (own === field.name ? value : siblings?.values[own]))
  const key = JSON.stringify(keys)
  const [settled] = useDebouncedValue(key, 300)
  const { data: telling } = useQuery({
    ...tellingQuery(reference, keys.map(String)),
    enabled: settled === key && keys.every((one) => typeof one === 'string' && one !== '') && !props.isInCell,
  })
  const name = settled === key && telling ? `→ ${telling}` : undefined
  const told = [description, reference.table, name].filter((part) => part !== undefined).join(' · ')
  const stays = ({ own }: Relation['fields'][number]) => siblings?.fixed.has(own) === true
  const pick = (picked: readonly string[]) => {
    const pairs = reference.fields.map((pair, index) => ({ ...pair, key: picked[index] ?? '' }))
    if (siblings === undefined) onChange(pairs[0]?.key ?? '')
    else
      siblings.onPick(
        Object.fromEntries(pairs.filter((pair) => !stays(pair)).map((one) => [one.own, one.key])),
      )
    close()
  }
  return (
    <>
      <TextInput
        {...inputProps({ ...props, description: told })}
        {...(props.isInCell ? { description: undefined } : {})}
        value={value ?? ''}
        onChange={(event) => onChange(enteredIn(event.currentTarget.value, props))}
        rightSection={
          isReadOnly ? null : (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('edit.find', { field: field.name, table: reference.table })}
              onClick={open}
            >
              <IconSearch size={16} />
            </ActionIcon>
          )
        }
      />
      {isOpen ? (
        <ReferencePicker
          reference={reference}
          known={Object.fromEntries(
            reference.fields.filter(stays).map(({ own, other }) => [other, siblings?.values[own] ?? '']),
          )}
          onPick={pick}
          onClose={close}
        />
      ) : null}
    </>
  )
}
