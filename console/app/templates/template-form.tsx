import { Button, Code, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../components/code-editor.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { Section } from '../components/section.tsx'
import { quoted } from '../components/show-as.ts'
import { CopyText } from '../components/show-as-button.tsx'
import { FilePreview } from './file-preview.tsx'
import { makeFile, type Template } from './template-calls.ts'

/** Fills a template with params, and shows the file. */
export function TemplateForm({ template: { name, extensions } }: { readonly template: Template }) {
  const { t } = useTranslation('templates')
  const [params, setParams] = useState('{}')
  const [extension, setExtension] = useState(extensions[0] ?? '')
  const [base, setBase] = useState(name)
  const make = useMutation({ mutationFn: makeFile })
  const object = objectIn(params)
  const filename = `${base}.${extension}`
  return (
    <Stack>
      <Section title={t('fill')}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (object !== undefined) make.mutate({ template: name, params: object, filename })
          }}
        >
          <Stack>
            <CodeEditor
              label={t('params')}
              language="json"
              value={params}
              error={object === undefined ? t('notObject') : undefined}
              onChange={setParams}
            />
            <Group align="flex-end">
              <NativeSelect
                label={t('kind')}
                data={[...extensions]}
                value={extension}
                onChange={(event) => setExtension(event.currentTarget.value)}
              />
              <TextInput
                label={t('filename')}
                required
                value={base}
                rightSection={<Text size="sm">.{extension}</Text>}
                rightSectionWidth="4rem"
                onChange={(event) => setBase(event.currentTarget.value)}
              />
              <Button type="submit" loading={make.isPending} disabled={object === undefined}>
                {t('make')}
              </Button>
            </Group>
            <Command text={`gatehouse echo ${quoted(name)} --params params.json --out ${quoted(filename)}`} />
          </Stack>
        </form>
      </Section>
      {make.error === null ? null : <FailureAlert error={make.error} />}
      {make.data === undefined ? null : <FilePreview file={make.data} />}
    </Stack>
  )
}

function Command({ text }: { readonly text: string }) {
  const { t } = useTranslation('templates')
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('command')}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
        <CopyText text={text} />
      </Group>
    </div>
  )
}

/** The JSON object of a text; undefined if it is none. */
function objectIn(text: string): object | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}
