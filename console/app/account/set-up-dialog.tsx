import { Anchor, Button, Center, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../components/dialog.tsx'
import { FailureAlert } from '../components/failure-alert.tsx'
import { notifyDone } from '../components/notify.ts'
import { ProofDialog } from './proof-dialog.tsx'
import { activateSecondFactor, setUpSecondFactor } from './proofs.ts'

interface SetUpDialogProps {
  readonly onClose: () => void
  /** Gets the recovery codes. */
  readonly onDone: (codes: readonly string[]) => void
}

/** Sets up a second factor: the password first, then a code of the app that has the new key. */
export function SetUpDialog({ onClose, onDone }: SetUpDialogProps) {
  const { t } = useTranslation('account')
  const [made, setMade] = useState<Secret>()
  if (made !== undefined) return <CodeDialog {...made} onClose={onClose} onDone={onDone} />
  return (
    <ProofDialog
      title={t('factor.setUpTitle')}
      action={t('factor.next')}
      onClose={onClose}
      onSubmit={async ({ password }) => setMade(await setUpSecondFactor(password))}
    />
  )
}

interface Secret {
  readonly secret: string
  readonly uri: string
}

function CodeDialog({ secret, uri, onClose, onDone }: Secret & SetUpDialogProps) {
  const { t } = useTranslation('account')
  const [code, setCode] = useState('')
  const activation = useMutation({
    mutationFn: activateSecondFactor,
    onSuccess(codes) {
      notifyDone(t('factor.done'))
      onDone(codes)
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('factor.setUpTitle')}
      centered
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          activation.mutate(code)
        }}
      >
        <Stack>
          <Text>{t('factor.scan')}</Text>
          <QrCode uri={uri} />
          <Text size="sm">
            {t('factor.key')}: <Code>{secret.replaceAll(/.{4}(?=.)/g, '$& ')}</Code>
          </Text>
          <Anchor size="sm" href={uri}>
            {t('factor.open')}
          </Anchor>
          <TextInput
            label={t('factor.code')}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={100}
            required
            data-autofocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
          {activation.error === null ? null : <FailureAlert error={activation.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={activation.isPending}>
              {t('factor.activate')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** What draws it is loaded when it is needed. */
function QrCode({ uri }: Pick<Secret, 'uri'>) {
  const { t } = useTranslation('account')
  const { data: picture } = useQuery({
    queryKey: ['account', 'qr-code', uri],
    gcTime: 0,
    async queryFn() {
      const { renderSVG } = await import('uqr')
      return `data:image/svg+xml,${encodeURIComponent(renderSVG(uri, { border: 4 }))}`
    },
  })
  return (
    <Center h={200}>
      {picture === undefined ? null : <img src={picture} alt={t('factor.qrCode')} width={200} height={200} />}
    </Center>
  )
}
