import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../../components/failure-alert.tsx'
import { SimpleTable } from '../../components/simple-table.tsx'
import { download, fileName } from './file-sink.ts'
import type { ReadFile } from './import-dialog.tsx'

import { Reasons } from './import-preview.tsx'
import { type ImportResult, isUnfinished } from './import-result.ts'
import { isForgotten, isInterrupted } from './leave-out.ts'
import { refusedFile } from './refused-file.ts'
import type { Import } from './run-import.ts'
import type { RefusedRow } from './send-rows.ts'

interface ImportOutcomeProps {
  readonly result: ImportResult
  readonly plan: Import
  readonly read: ReadFile
  /** Sends the rows that were not answered again, and then those after them. */
  readonly onContinue: () => void
  /** Goes on after the rows that were not answered. */
  readonly onLeaveOut: () => void
  readonly onBack: () => void
  readonly onClose: () => void
}

const shownRefused = 100

/** What was imported, what was refused and why, and what was not sent. */
export function ImportOutcome({ result, plan, read, ...props }: ImportOutcomeProps) {
  const { t, i18n } = useTranslation('transfer')
  const { report, isDryRun, error } = result
  const { imported, refused, done, unanswered } = report
  const number = (count: number) => count.toLocaleString(i18n.language)
  const unsent = read.summary.count - (unanswered?.last ?? done)
  const hasRest = isUnfinished(result)
  const isLost = isForgotten(report)
  const kind = isDryRun ? 'checked' : 'imported'
  const saveRefused = async () => {
    const text = await refusedFile(read, refused, t('preview.mistakes'), new AbortController().signal)
    download(
      fileName(`${read.file.name.replace(/\.\w+$/, '')}-refused`, text.ending),
      new Blob([text.content]),
    )
  }
  return (
    <Stack>
      <Alert color={refused.length === 0 && !hasRest ? 'teal' : 'yellow'} role="status">
        <Text size="sm">{t(`outcome.${kind}`, { count: imported, shown: number(imported) })}</Text>
        <Text size="sm">
          {t(`outcome.${kind}Refused`, { count: refused.length, shown: number(refused.length) })}
        </Text>
        {unanswered === undefined ? null : (
          <Text size="sm">
            {t(isLost ? 'outcome.forgotten' : 'outcome.unanswered', {
              count: unanswered.positions.length,
              first: unanswered.positions[0],
              last: unanswered.positions.at(-1),
            })}
          </Text>
        )}
        {unsent <= 0 ? null : (
          <Text size="sm">
            {t('outcome.unsent', {
              count: unsent,
              shown: number(unsent),
              first: read.summary.count - unsent + 1,
            })}
          </Text>
        )}
      </Alert>
      {unanswered?.error === undefined ? null : <FailureAlert error={unanswered.error} />}
      {error === undefined ? null : <FailureAlert error={error} />}
      {refused.length === 0 ? null : (
        <>
          <SimpleTable<RefusedRow>
            label={t('outcome.refusedRows')}
            rows={refused.slice(0, shownRefused)}
            keyOf={({ position }) => String(position)}
            columns={[
              { key: 'row', title: t('preview.row'), isHeading: true, show: ({ position }) => position },
              {
                key: 'mistakes',
                title: t('preview.mistakes'),
                show: ({ reasons }) => <Reasons reasons={reasons} />,
              },
            ]}
          />
          {refused.length > shownRefused ? (
            <Text size="sm">{t('outcome.more', { count: shownRefused })}</Text>
          ) : null}
        </>
      )}
      <Group justify="flex-end">
        {refused.length === 0 ? null : (
          <Button variant="default" onClick={() => void saveRefused()}>
            {t('outcome.saveRefused')}
          </Button>
        )}
        {isDryRun || !(isLost || isInterrupted(report)) ? null : (
          <Button variant="default" onClick={props.onLeaveOut}>
            {t('outcome.leaveOut')}
          </Button>
        )}
        {isDryRun || !hasRest || isLost ? null : (
          <Button onClick={props.onContinue}>{t('outcome.goOn')}</Button>
        )}
        {isDryRun ? (
          <Button onClick={props.onBack}>{t('outcome.back')}</Button>
        ) : (
          <Button variant="default" onClick={props.onClose}>
            {t('close')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
