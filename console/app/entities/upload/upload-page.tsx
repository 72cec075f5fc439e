import { Button, FileButton, Group, List, Stack, Text } from '@mantine/core'
import { IconFileUpload, IconListCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { CodeEditor } from '../../components/code-editor.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RestoredNotice } from '../../components/restored-notice.tsx'
import { useKeptForm } from '../../components/use-kept-form.ts'
import { BackLink } from '../back-link.tsx'
import type { Mistake } from '../definition/mistakes.ts'
import { type FileMistake, readDefinitions, type TextFile } from '../definition/read-definitions.ts'
import { entitiesPath } from '../entity-paths.ts'
import { Notice } from '../notice.tsx'
import { PlanDialog } from '../plan/plan-dialog.tsx'
import { uploadOf } from '../plan/planned-operation.ts'
import { FoundDefinitions } from './found-definitions.tsx'

/** The name under which typed text is told of. */
const typedName = ''

/** Uploads the definitions of files, or of a text, all of them or none. */
export function UploadPage() {
  const { t } = useTranslation('entities')
  const navigate = useNavigate()
  const kept = useKeptForm<{ readonly files: readonly TextFile[]; readonly typed: string }>()
  const [files, setFiles] = useState(kept.restored?.files ?? [])
  const [typed, setTyped] = useState(kept.restored?.typed ?? '')
  const [mistakes, setMistakes] = useState<readonly Mistake[]>([])
  const [isPlanned, setIsPlanned] = useState(false)
  const [isDone, setIsDone] = useState(false)
  const isEntered = (files.length > 0 || typed !== '') && !isDone
  kept.hold(isEntered ? { files, typed } : undefined)
  const reading = useMemo(() => {
    const text = typed.trim() === '' ? [] : [{ name: typedName, text: typed }]
    return readDefinitions([...files, ...text])
  }, [files, typed])
  const { definitions } = reading
  const operation = useMemo(() => uploadOf(definitions.map(({ definition }) => definition)), [definitions])
  const change = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      setMistakes([])
      set(value)
    }
  }
  const add = async (chosen: readonly File[]) => {
    const read = await readFiles(chosen)
    const names = new Set(read.map(({ name }) => name))
    change(setFiles)([...files.filter(({ name }) => !names.has(name)), ...read])
  }
  return (
    <>
      <BackLink />
      <PageHeader title={t('upload.title')} description={t('upload.description')} />
      <LeaveGuard isChanged={isEntered} />
      {isEntered && kept.restored !== undefined ? <RestoredNotice /> : null}
      <Stack maw="56rem">
        <FileButtons
          hasFiles={files.length > 0}
          onChoose={(chosen) => void add(chosen)}
          onClear={() => change(setFiles)([])}
        />
        <CodeEditor
          label={t('upload.text')}
          description={t('upload.textText')}
          language="yaml"
          value={typed}
          onChange={change(setTyped)}
        />
        <UnreadableFiles mistakes={reading.mistakes} />
        {definitions.length === 0 ? (
          <Text c="dimmed">{t('upload.nothing')}</Text>
        ) : (
          <FoundDefinitions definitions={definitions} mistakes={mistakes} />
        )}
        <Group>
          <Button
            leftSection={<IconListCheck size={16} />}
            disabled={definitions.length === 0 || reading.mistakes.length > 0}
            onClick={() => setIsPlanned(true)}
          >
            {t('design.plan')}
          </Button>
        </Group>
      </Stack>
      {isPlanned ? (
        <PlanDialog
          title={t('upload.plan', { count: definitions.length })}
          operation={operation}
          onMistakes={setMistakes}
          onDone={() => setIsDone(true)}
          onClose={() => {
            setIsPlanned(false)
            if (isDone) void navigate(entitiesPath)
          }}
        />
      ) : null}
    </>
  )
}

function readFiles(files: readonly File[]): Promise<readonly TextFile[]> {
  return Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })))
}

interface FileButtonsProps {
  readonly hasFiles: boolean
  readonly onChoose: (files: readonly File[]) => void
  readonly onClear: () => void
}

function FileButtons({ hasFiles, onChoose, onClear }: FileButtonsProps) {
  const { t } = useTranslation('entities')
  return (
    <Group>
      <FileButton multiple accept=".json,.yaml,.yml,application/json,application/yaml" onChange={onChoose}>
        {(props) => (
          <Button variant="default" leftSection={<IconFileUpload size={16} />} {...props}>
            {t('upload.choose')}
          </Button>
        )}
      </FileButton>
      {hasFiles ? (
        <Button variant="subtle" color="gray" onClick={onClear}>
          {t('upload.clear')}
        </Button>
      ) : null}
    </Group>
  )
}

function UnreadableFiles({ mistakes }: { readonly mistakes: readonly FileMistake[] }) {
  const { t } = useTranslation('entities')
  if (mistakes.length === 0) return null
  return (
    <Notice role="alert" kind="loss" title={t('upload.unreadable', { count: mistakes.length })}>
      <List size="sm">
        {mistakes.map(({ file, message }) => (
          <List.Item key={file}>
            <bdi>{file === typedName ? t('upload.typed') : file}</bdi>: {message ?? t('upload.noDefinition')}
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
