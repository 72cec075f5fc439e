import { Button, Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { Loading } from '../../components/loading.tsx'
import type { Place } from '../table-view.ts'
import type { Relation } from '../tables.ts'
import classes from './edit.module.css'
import { type ReferablePage, referablesQuery } from './find-references.ts'

interface ReferencePickerProps {
  readonly reference: Relation
  /** Values of referenced fields that the record must have, by name. */
  readonly known: Readonly<Record<string, string>>
  /** Takes the values of the referenced fields of the record that was picked, in the order of the foreign key. */
  readonly onPick: (keys: readonly string[]) => void
  readonly onClose: () => void
}

/** Finds a record of the other table by its key or its name. */
export function ReferencePicker({ reference, known, onPick, onClose }: ReferencePickerProps) {
  const { t } = useTranslation('data')
  const { t: shared } = useTranslation('components')
  const [{ text, place }, setSearch] = useState<Search>({ text: '', place: { kind: 'start' } })
  const find = useDebouncedCallback(
    (typed: string) => setSearch({ text: typed, place: { kind: 'start' } }),
    250,
  )
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(
    referablesQuery(reference, { text, known, place }, useQueryClient()),
  )
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('edit.pick', { table: reference.table })}
      closeButtonProps={{ 'aria-label': shared('close') }}
    >
      <Stack gap="sm">
        <TextInput
          type="search"
          data-autofocus
          aria-label={t('edit.pickSearch')}
          placeholder={t('edit.pickSearch')}
          onChange={(event) => find(event.currentTarget.value.trim())}
        />
        {error === null ? null : <FailureAlert error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          error === null ? (
            <Loading />
          ) : null
        ) : (
          <Found
            page={data}
            place={place}
            isBusy={isFetching}
            isOfOther={isPlaceholderData}
            onPick={onPick}
            onPlace={(next) => setSearch({ text, place: next })}
          />
        )}
      </Stack>
    </Dialog>
  )
}

interface Search {
  readonly text: string
  readonly place: Place
}

interface FoundProps extends Pick<ReferencePickerProps, 'onPick'> {
  readonly page: ReferablePage
  readonly place: Place
  readonly isBusy: boolean
  /** Whether it is the page before, shown until the wanted one is read. */
  readonly isOfOther: boolean
  readonly onPlace: (place: Place) => void
}

function Found({ page, place, isBusy, isOfOther, onPick, onPlace }: FoundProps) {
  const { t } = useTranslation('data')
  const { found, hasNext, hasPrevious, cursors } = page
  const offset = place.kind === 'offset' ? place.offset : 0
  const at = (by: number): Place => {
    if (cursors === undefined) return { kind: 'offset', offset: Math.max(0, offset + by * found.length) }
    return by > 0 ? { kind: 'after', cursor: cursors.last } : { kind: 'before', cursor: cursors.first }
  }
  const step = (by: number) => ({
    'aria-disabled': isOfOther,
    onClick: () => {
      if (!isOfOther) onPlace(at(by))
    },
  })
  if (found.length === 0) return <Text size="sm">{t('rows.noneFound')}</Text>
  return (
    <>
      <ul className={classes.found} aria-label={t('edit.found')} aria-busy={isBusy}>
        {found.map(({ keys, telling }) => (
          <li key={JSON.stringify(keys)}>
            <UnstyledButton className={classes.foundOne ?? ''} onClick={() => onPick(keys)}>
              <Text span size="sm" fw={500} className={classes.foundKey ?? ''}>
                {keys.map((key, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a key have an order.
                  <Fragment key={index}>
                    {index === 0 ? null : ' · '}
                    <bdi>{key}</bdi>
                  </Fragment>
                ))}
              </Text>
              {telling === '' ? null : (
                <Text span size="sm" c="dimmed" truncate>
                  <bdi>{telling.slice(0, 200)}</bdi>
                </Text>
              )}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {hasNext || hasPrevious ? (
        <Group justify="space-between">
          <Button size="xs" variant="default" disabled={!hasPrevious} {...step(-1)}>
            {t('pager.previous')}
          </Button>
          <Button size="xs" variant="default" disabled={!hasNext} {...step(1)}>
            {t('pager.next')}
          </Button>
        </Group>
      ) : null}
    </>
  )
}
