import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SimpleTable } from '../../components/simple-table.tsx'
import type { BulkAction, Written } from './bulk-actions.ts'
import type { BulkProblem, BulkReport } from './run-bulk.ts'

interface BulkOutcomeProps {
  readonly kind: BulkAction['kind']
  /** Whether this is what became of taking it back. */
  readonly isUndo: boolean
  readonly report: BulkReport<Written>
  /** Undefined if there is nothing that can be taken back. */
  readonly onUndo: (() => void) | undefined
  readonly onClose: () => void
}

const shownProblems = 100

/** How many records were written, and why others were not. */
export function BulkOutcome({ kind, isUndo, report, onUndo, onClose }: BulkOutcomeProps) {
  const { t, i18n } = useTranslation('bulk')
  const { t: shared } = useTranslation('components')
  const { count: done, problems, unsent } = report
  const words = (count: number) => ({ count, shown: count.toLocaleString(i18n.language) })
  const isWhole = problems.length === 0 && unsent === 0
  return (
    <Stack>
      <Alert color={isWhole ? 'teal' : 'yellow'} role="status">
        <Text size="sm">{t(isUndo ? 'undone' : `${kind}.done`, words(done))}</Text>
        {problems.length === 0 ? null : <Text size="sm">{t('problems', words(problems.length))}</Text>}
        {unsent === 0 ? null : <Text size="sm">{t('unsent', words(unsent))}</Text>}
        {report.hasSessionEnded ? <Text size="sm">{t('sessionEnded')}</Text> : null}
      </Alert>
      {problems.length === 0 ? null : (
        <SimpleTable<BulkProblem & { readonly place: number }>
          label={t('problemList')}
          rows={problems.slice(0, shownProblems).map((problem, place) => ({ ...problem, place }))}
          keyOf={({ place }) => String(place)}
          columns={[
            { key: 'name', title: t('record'), isHeading: true, show: ({ name }) => <bdi>{name}</bdi> },
            {
              key: 'reason',
              title: t('reason'),
              show: ({ kind: why, reason }) => (
                <Text size="sm">
                  {t(`problem.${why}`)} {why === 'refused' || why === 'unknown' ? reason : ''}
                </Text>
              ),
            },
          ]}
        />
      )}
      {problems.length > shownProblems ? <Text size="sm">{t('more', { count: shownProblems })}</Text> : null}
      <Group justify="flex-end">
        {onUndo === undefined ? null : (
          <Button variant="default" onClick={onUndo}>
            {t('undo')}
          </Button>
        )}
        <Button onClick={onClose}>{shared('close')}</Button>
      </Group>
    </Stack>
  )
}
