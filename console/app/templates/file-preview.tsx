import { Button, Code, Group, Loader, Stack, Text } from '@mantine/core'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../components/section.tsx'
import { pageNonce } from '../page-nonce.ts'
import { previewPage } from './preview-page.ts'
import type { MadeFile } from './template-calls.ts'

/** Longer texts make a page slow. */
const mostShown = 100_000

/** A file that was made: what it looks like, and links to open and to download it. */
export function FilePreview({ file }: { readonly file: MadeFile }) {
  const { t } = useTranslation('templates')
  const address = useObjectAddress(file.content)
  if (address === undefined) return <Loader />
  const { name, content } = file
  return (
    <Section
      title={name}
      description={t('size', { size: content.size.toLocaleString('en') })}
      actions={
        <Group gap="xs">
          {content.type === 'application/pdf' ? (
            <Button
              component="a"
              href={address}
              target="_blank"
              variant="default"
              leftSection={<IconExternalLink size={16} />}
            >
              {t('open')}
            </Button>
          ) : null}
          <Button component="a" href={address} download={name} leftSection={<IconDownload size={16} />}>
            {t('download')}
          </Button>
        </Group>
      }
    >
      <Content file={file} address={address} />
    </Section>
  )
}

/** An address of some content, as long as it is shown. */
function useObjectAddress(content: Blob): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(content)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [content])
  return address
}

function Content({ file, address }: { readonly file: MadeFile; readonly address: string }) {
  const { t } = useTranslation('templates')
  const { name, content } = file
  if (content.type.startsWith('image/')) {
    return (
      <img
        src={address}
        alt={t('preview', { name })}
        style={{ maxWidth: '100%', height: 'auto', alignSelf: 'flex-start', background: '#fff' }}
      />
    )
  }
  if (content.type === 'application/pdf') {
    // Where a browser cannot show it, a frame would download it.
    if (!navigator.pdfViewerEnabled) return <Text size="sm">{t('noPreview')}</Text>
    return (
      <iframe
        src={address}
        title={t('preview', { name })}
        style={{ width: '100%', height: '80dvh', border: 0 }}
      />
    )
  }
  return <TextContent file={file} />
}

function TextContent({ file: { name, content } }: { readonly file: MadeFile }) {
  const { t } = useTranslation('templates')
  const { data } = useQuery({
    queryKey: ['templates', 'text', name, content],
    queryFn: () => content.text(),
    gcTime: 0,
  })
  if (data === undefined) return <Loader />
  if (content.type.startsWith('text/html')) {
    return (
      <iframe
        sandbox=""
        srcDoc={previewPage(data, pageNonce)}
        title={t('preview', { name })}
        style={{ width: '100%', height: '60dvh', border: 0, background: '#fff', colorScheme: 'light' }}
      />
    )
  }
  return (
    <Stack gap="xs">
      <Code block tabIndex={0} mah="60dvh" style={{ overflow: 'auto' }}>
        {data.slice(0, mostShown)}
      </Code>
      {data.length > mostShown ? <Text size="sm">{t('cut')}</Text> : null}
    </Stack>
  )
}
