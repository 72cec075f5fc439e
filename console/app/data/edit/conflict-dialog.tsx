import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../components/dialog.tsx'
import { showValue } from '../show-value.ts'
import { ShownText } from '../value-cell.tsx'
import { chosenChanges, type Difference, firstSide, type Side } from './conflict.ts'
import classes from './edit.module.css'
import type { RecordValues } from './stored-record.ts'

interface ConflictDialogProps {
  readonly differences: readonly Difference[]
  readonly isSaving: boolean
  /** Writes these values over the newer record; none if everything is to stay as the others have it. */
  readonly onChoose: (changes: RecordValues) => void
  readonly onClose: () => void
}

/** Shows what I and what others have made of a record, field by field, and lets choose. */
export function ConflictDialog({ differences, isSaving, onChoose, onClose }: ConflictDialogProps) {
  const { t } = useTranslation('data')
  const { t: shared } = useTranslation('components')
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({})
  const sideOf = (difference: Difference) => sides[difference.field.api_name] ?? firstSide(difference)
  const all = (side: Side) =>
    setSides(Object.fromEntries(differences.map(({ field }) => [field.api_name, side])))
  return (
    <Dialog
      opened
      onClose={onClose}
      size="xl"
      title={t('conflict.title')}
      closeButtonProps={{ 'aria-label': shared('close') }}
    >
      <Stack>
        <Text size="sm">{t('conflict.text')}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => all('mine')}>
            {t('conflict.allMine')}
          </Button>
          <Button size="xs" variant="default" onClick={() => all('theirs')}>
            {t('conflict.allTheirs')}
          </Button>
        </Group>
        {differences.map((difference) => (
          <OneDifference
            key={difference.field.api_name}
            difference={difference}
            side={sideOf(difference)}
            onSide={(side) => setSides({ ...sides, [difference.field.api_name]: side })}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {shared('cancel')}
          </Button>
          <Button loading={isSaving} onClick={() => onChoose(chosenChanges(differences, sideOf))}>
            {t('conflict.save')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

interface OneDifferenceProps {
  readonly difference: Difference
  readonly side: Side
  readonly onSide: (side: Side) => void
}

function OneDifference({ difference, side, onSide }: OneDifferenceProps) {
  const { t } = useTranslation('data')
  const { field, mine, theirs, changedBy } = difference
  return (
    <section className={classes.difference} aria-label={field.name}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {field.name}
          <Text span size="xs" c="dimmed" ml={6}>
            {t(`conflict.changedBy.${changedBy}`)}
          </Text>
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('conflict.choose', { field: field.name })}
          data={[
            { value: 'mine', label: t('conflict.mine') },
            { value: 'theirs', label: t('conflict.theirs') },
          ]}
          value={side}
          onChange={(value) => onSide(value === 'mine' ? 'mine' : 'theirs')}
        />
      </Group>
      <dl className={classes.versions}>
        {(['mine', 'theirs'] as const).map((one) => (
          <div key={one} data-chosen={one === side}>
            <dt>{t(`conflict.${one}`)}</dt>
            <dd>
              <Version value={one === 'mine' ? mine : theirs} field={field} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Version({ value, field }: { readonly value: unknown; readonly field: Difference['field'] }) {
  const shown = showValue(value, field)
  const full = 'full' in shown && shown.kind !== 'bytes' ? shown.full : undefined
  return full === undefined ? (
    <ShownText shown={shown} />
  ) : (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard.
    <pre className={classes.version} tabIndex={0}>
      {full}
    </pre>
  )
}
