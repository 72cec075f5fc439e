import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../components/code-editor.tsx'
import { CopyText } from '../../components/show-as-button.tsx'
import type { TextLanguage } from '../definition/definition-text.ts'
import type { Draft } from './draft.ts'

interface DefinitionTextEditorProps {
  readonly draft: Draft
  readonly isReadOnly: boolean
  readonly onText: (text: string) => void
  readonly onLanguage: (language: TextLanguage) => void
}

/** The same definition as text. */
export function DefinitionTextEditor({ draft, isReadOnly, onText, onLanguage }: DefinitionTextEditorProps) {
  const { t } = useTranslation('entities')
  const { text, language, mistake } = draft
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('design.text')}
        </Title>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={t('design.language')}
            data={[
              { value: 'json', label: 'JSON' },
              { value: 'yaml', label: 'YAML' },
            ]}
            value={language}
            disabled={mistake !== undefined}
            onChange={(chosen) => onLanguage(chosen as TextLanguage)}
          />
          <CopyText text={text} />
        </Group>
      </Group>
      <CodeEditor
        label={t('design.textLabel', { language: language.toUpperCase() })}
        value={text}
        language={language}
        isReadOnly={isReadOnly}
        height="min(70vh, 48rem)"
        error={mistake === undefined ? undefined : (mistake ?? t('design.notObject'))}
        onChange={onText}
      />
      {mistake === undefined ? null : <Text size="sm">{t('design.textBroken')}</Text>}
    </Stack>
  )
}
