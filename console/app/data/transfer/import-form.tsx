import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ShowAsButton } from '../../components/show-as-button.tsx'
import { FileFormInputs } from './file-form-inputs.tsx'
import type { ImportChoice, ImportPlanProps } from './import-plan.tsx'
import { ImportPreview } from './import-preview.tsx'
import { readRow } from './match-columns.ts'
import { MatchTable } from './match-table.tsx'
import { type Import, refusalModes } from './run-import.ts'

interface ImportFormProps extends Omit<ImportPlanProps, 'onRunning' | 'onClose' | 'keeper'> {
  readonly plan: Import
  readonly choice: ImportChoice
  readonly onChoice: (change: Partial<ImportChoice>) => void
  readonly onCheck: () => void
  readonly onImport: () => void
}

/** How a file is read, which column goes where, and what the gateway says of the first rows. */
export function ImportForm({ form, read, plan, choice, onForm, onChoice, ...props }: ImportFormProps) {
  const { t, i18n } = useTranslation('transfer')
  const count = read?.summary.count ?? 0
  const isMatched = Object.keys(choice.matches).length > 0
  const shown = count.toLocaleString(i18n.language)
  const example = read?.summary.sample.slice(0, 2).flatMap((row) => readRow(row, plan.reading).record ?? [])
  return (
    <Stack>
      <FileFormInputs
        form={form}
        empty={choice.empty}
        onForm={onForm}
        onEmpty={(empty) => onChoice({ empty })}
      />
      {read === undefined ? null : (
        <>
          <Text size="sm" role="status">
            {t('import.found', { count, shown })}
          </Text>
          <MatchTable
            summary={read.summary}
            fields={plan.reading.fields}
            matches={choice.matches}
            onChange={(matches) => onChoice({ matches })}
          />
          {isMatched ? (
            <ImportPreview plan={plan} read={read} />
          ) : (
            <Alert color="yellow">{t('import.noMatch')}</Alert>
          )}
          <Radio.Group
            label={t('import.mode.label')}
            description={t('import.mode.why')}
            value={choice.mode}
            onChange={(value) => onChoice({ mode: refusalModes.find((mode) => mode === value) ?? 'row' })}
          >
            <Stack gap="xs" mt="xs">
              {refusalModes.map((mode) => (
                <Radio key={mode} value={mode} label={t(`import.mode.${mode}`)} />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <ShowAsButton call={{ method: 'POST', path: plan.path, body: example }} />
            <Button variant="default" disabled={!isMatched} onClick={props.onCheck}>
              {t('import.checkAll')}
            </Button>
            <Button disabled={!isMatched} onClick={props.onImport}>
              {t('import.action', { count, shown })}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
