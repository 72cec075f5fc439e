import { Checkbox, Group, Radio, SegmentedControl, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Format, formats } from './export-format.ts'

/** What a file of rows is to be like. */
export interface ExportChoice {
  readonly format: Format
  readonly hasAllColumns: boolean
  readonly delimiter: string
  readonly isForSpreadsheets: boolean
}

export const firstChoice: ExportChoice = {
  format: 'csv',
  hasAllColumns: false,
  delimiter: ',',
  isForSpreadsheets: true,
}

const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const

interface ExportOptionsProps {
  readonly choice: ExportChoice
  /** `rows` is undefined until they are counted. */
  readonly counts: { readonly rows: number | undefined; readonly shown: number; readonly all: number }
  readonly onChange: (change: Partial<ExportChoice>) => void
}

export function ExportOptions({ choice, counts, onChange }: ExportOptionsProps) {
  const { t, i18n } = useTranslation('transfer')
  const { format, hasAllColumns, delimiter, isForSpreadsheets } = choice
  const { rows } = counts
  return (
    <Stack>
      <Text size="sm">
        {rows === undefined
          ? t('export.what')
          : t('export.whatCounted', { count: rows, shown: rows.toLocaleString(i18n.language) })}
      </Text>
      <SegmentedControl
        aria-label={t('export.format')}
        value={format}
        data={formats.map((value) => ({ value, label: t(`format.${value}`) }))}
        onChange={(value) => onChange({ format: value })}
      />
      <Radio.Group
        label={t('export.columns')}
        value={hasAllColumns ? 'all' : 'shown'}
        onChange={(value) => onChange({ hasAllColumns: value === 'all' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="shown" label={t('export.shownColumns', { count: counts.shown })} />
          <Radio value="all" label={t('export.allColumns', { count: counts.all })} />
        </Stack>
      </Radio.Group>
      {format === 'csv' ? (
        <>
          <Radio.Group
            label={t('delimiter.label')}
            value={delimiter}
            onChange={(value) => onChange({ delimiter: value })}
          >
            <Group gap="md" mt="xs">
              {(['comma', 'semicolon', 'tab'] as const).map((name) => (
                <Radio key={name} value={delimiters[name]} label={t(`delimiter.${name}`)} />
              ))}
            </Group>
          </Radio.Group>
          <Checkbox
            label={t('export.spreadsheets')}
            description={t('export.spreadsheetsWhy')}
            checked={isForSpreadsheets}
            onChange={(event) => onChange({ isForSpreadsheets: event.currentTarget.checked })}
          />
        </>
      ) : null}
      <Text size="sm" c="dimmed">
        {t(`export.about.${format}`)}
      </Text>
    </Stack>
  )
}
