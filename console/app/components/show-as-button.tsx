import { ActionIcon, Button, Code, CopyButton, Group, Stack, Tabs, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCode, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog.tsx'
import { curlOf, fileOf, type ShownCall } from './show-as.ts'

interface ShowAsButtonProps {
  /** What the form would send now; without secrets. */
  readonly call: ShownCall
  /** What the form would send after that. */
  readonly further?: readonly ShownCall[]
  /** What must be said of the requests. */
  readonly note?: string
  /** The command that does the same, if there is one. */
  readonly command?: string
  /** The document of GraphQL that reads the same, if there is one. */
  readonly graphql?: string
  /** The document for `gatehouse apply` that does the same, if there is one. */
  readonly file?: unknown
}

/** Shows the command, the request and the file that do the same as a form. */
export function ShowAsButton({ call, further = [], note, command, graphql, file }: ShowAsButtonProps) {
  const { t } = useTranslation('components')
  const [isOpen, { open, close }] = useDisclosure()
  const texts = {
    ...(command === undefined ? {} : { command }),
    request: [call, ...further].map(curlOf).join('\n'),
    ...(graphql === undefined ? {} : { graphql }),
    ...(file === undefined ? {} : { file: fileOf(file) }),
  }
  return (
    <>
      <Button variant="subtle" color="gray" leftSection={<IconCode size={16} />} onClick={open}>
        {t('showAs.button')}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={close}
        title={t('showAs.title')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Tabs defaultValue={Object.keys(texts)[0] ?? null}>
          <Tabs.List>
            {Object.keys(texts).map((kind) => (
              <Tabs.Tab key={kind} value={kind}>
                {t(`showAs.${kind as keyof typeof texts}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {Object.entries(texts).map(([kind, text]) => (
            <Tabs.Panel key={kind} value={kind} pt="sm">
              <Stack gap="xs">
                <Group justify="flex-end">
                  <CopyText text={text} />
                </Group>
                <Code block tabIndex={0}>
                  {text}
                </Code>
                {kind === 'request' && note !== undefined ? <Text size="sm">{note}</Text> : null}
                {kind === 'file' ? <Text size="sm">{t('showAs.apply')}</Text> : null}
              </Stack>
            </Tabs.Panel>
          ))}
        </Tabs>
      </Dialog>
    </>
  )
}

/** Copies a text. */
export function CopyText({ text }: { readonly text: string }) {
  const { t } = useTranslation('components')
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <ActionIcon variant="default" onClick={copy} aria-label={copied ? t('copied') : t('copy')}>
          <IconCopy size={16} />
        </ActionIcon>
      )}
    </CopyButton>
  )
}
