import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Stack, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelOf } from './field-label.ts'
import type { ChosenColumns } from './use-columns.ts'

/** How many columns are listed; others are found by their names. */
const listed = 100

/** Chooses the columns of a grid and their order. */
export function ColumnMenu({ columns }: { readonly columns: ChosenColumns }) {
  const { t } = useTranslation('data')
  const [search, setSearch] = useState('')
  const { all, shown } = columns
  const found = all
    .map(({ column, isShown }, place) => {
      const { name, kind } = column
      return { name, kind, label: kind === 'field' ? labelOf(column.field) : name, isShown, place }
    })
    .filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
  return (
    <Popover position="bottom-end" width={320} trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} />}>
          {shown.length === all.length
            ? t('columns.button')
            : t('columns.some', { shown: shown.length, all: all.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns.button')}>
        <Stack gap="xs">
          {all.length > 12 ? (
            <TextInput
              size="xs"
              aria-label={t('columns.search')}
              placeholder={t('columns.search')}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          ) : null}
          <ScrollArea.Autosize mah={320} type="auto" viewportProps={{ tabIndex: 0 }}>
            <Stack gap={6} pr="md">
              {found.slice(0, listed).map(({ name, kind, label, isShown, place }) => (
                <Group key={name} gap={2} wrap="nowrap" justify="space-between">
                  <Checkbox
                    size="xs"
                    label={kind === 'collection' ? t('columns.collection', { name }) : label}
                    checked={isShown}
                    onChange={(event) => columns.show(name, event.currentTarget.checked)}
                  />
                  <Group gap={2} wrap="nowrap">
                    <ActionIcon
                      size="xs"
                      variant="subtle"
                      color="gray"
                      disabled={place === 0}
                      aria-label={t('columns.earlier', { name })}
                      onClick={() => columns.move(name, place - 1)}
                    >
                      <IconArrowUp size={14} />
                    </ActionIcon>
                    <ActionIcon
                      size="xs"
                      variant="subtle"
                      color="gray"
                      disabled={place === all.length - 1}
                      aria-label={t('columns.later', { name })}
                      onClick={() => columns.move(name, place + 1)}
                    >
                      <IconArrowDown size={14} />
                    </ActionIcon>
                  </Group>
                </Group>
              ))}
            </Stack>
          </ScrollArea.Autosize>
          <Button size="compact-xs" variant="default" onClick={columns.reset}>
            {t('columns.reset')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
