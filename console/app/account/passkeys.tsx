import { Button, Group, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyDone } from '../components/notify.ts'
import { QueryContent } from '../components/query-content.tsx'
import { Section } from '../components/section.tsx'
import { PasskeyTable } from './passkey-table.tsx'
import { ProofDialog } from './proof-dialog.tsx'
import {
  addPasskey,
  listPasskeys,
  type OwnPasskeys,
  type Passkey,
  passkeysKey,
  readSecondFactor,
  removePasskey,
  renamePasskey,
  secondFactorKey,
} from './proofs.ts'

/** The passkeys of who is logged in. */
export function Passkeys() {
  const { t } = useTranslation('account')
  const query = useQuery({ queryKey: passkeysKey, queryFn: listPasskeys })
  const factor = useQuery({ queryKey: secondFactorKey, queryFn: readSecondFactor })
  const [isAdding, setIsAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey>()
  const [removed, setRemoved] = useState<Passkey>()
  // Whether a code is asked for must be known first.
  const canAdd = query.data !== undefined && obstacleTo(query.data) === undefined && !factor.isLoading
  return (
    <Section
      title={t('passkeys.title')}
      description={t('passkeys.description')}
      actions={
        canAdd ? (
          <Button variant="default" onClick={() => setIsAdding(true)}>
            {t('passkeys.create')}
          </Button>
        ) : null
      }
    >
      <QueryContent query={query}>
        {(own) => (
          <>
            <Obstacle own={own} />
            {own.passkeys.length === 0 ? (
              <Text size="sm">{t('passkeys.none')}</Text>
            ) : (
              <PasskeyTable
                passkeys={own.passkeys}
                actions={(passkey) => (
                  <PasskeyButtons passkey={passkey} onRename={setRenamed} onRemove={setRemoved} />
                )}
              />
            )}
          </>
        )}
      </QueryContent>
      {isAdding ? (
        <AddDialog asksCode={factor.data?.active ?? false} onClose={() => setIsAdding(false)} />
      ) : null}
      {renamed === undefined ? null : (
        <RenameDialog passkey={renamed} onClose={() => setRenamed(undefined)} />
      )}
      {removed === undefined ? null : (
        <RemoveDialog passkey={removed} onClose={() => setRemoved(undefined)} />
      )}
    </Section>
  )
}

/** Why this page can make no passkey; undefined if it can. */
function obstacleTo({ origins }: OwnPasskeys): 'turnedOff' | 'elsewhere' | 'unsupported' | undefined {
  if (origins.length === 0) return 'turnedOff'
  if (!origins.includes(location.origin)) return 'elsewhere'
  return 'PublicKeyCredential' in window ? undefined : 'unsupported'
}

function Obstacle({ own }: { readonly own: OwnPasskeys }) {
  const { t } = useTranslation('account')
  const obstacle = obstacleTo(own)
  if (obstacle === undefined) return null
  return <Text size="sm">{t(`passkeys.${obstacle}`, { origins: own.origins.join(', ') })}</Text>
}

interface PasskeyButtonsProps {
  readonly passkey: Passkey
  readonly onRename: (passkey: Passkey) => void
  readonly onRemove: (passkey: Passkey) => void
}

function PasskeyButtons({ passkey, onRename, onRemove }: PasskeyButtonsProps) {
  const { t } = useTranslation('account')
  const { name } = passkey
  return (
    <Group gap="xs" justify="flex-end">
      <Button
        size="xs"
        variant="default"
        aria-label={t('passkeys.renameNamed', { name })}
        onClick={() => onRename(passkey)}
      >
        {t('passkeys.rename')}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={t('passkeys.removeNamed', { name })}
        onClick={() => onRemove(passkey)}
      >
        {t('passkeys.remove')}
      </Button>
    </Group>
  )
}

interface AddDialogProps {
  readonly asksCode: boolean
  readonly onClose: () => void
}

function AddDialog({ asksCode, onClose }: AddDialogProps) {
  const { t } = useTranslation('account')
  const finish = useFinish(onClose)
  return (
    <ProofDialog
      title={t('passkeys.create')}
      action={t('passkeys.create')}
      name=""
      asksCode={asksCode}
      onClose={onClose}
      onSubmit={async ({ name, ...confirmation }) => {
        await addPasskey(name, confirmation)
        await finish(t('passkeys.added', { name }))
      }}
    />
  )
}

interface PasskeyDialogProps {
  readonly passkey: Passkey
  readonly onClose: () => void
}

function RenameDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation('account')
  const finish = useFinish(onClose)
  return (
    <ProofDialog
      title={t('passkeys.renameNamed', { name })}
      action={t('save')}
      name={name}
      asksPassword={false}
      onClose={onClose}
      onSubmit={async (entered) => {
        await renamePasskey(id, entered.name)
        await finish()
      }}
    />
  )
}

function RemoveDialog({ passkey: { id, name }, onClose }: PasskeyDialogProps) {
  const { t } = useTranslation('account')
  const finish = useFinish(onClose)
  return (
    <ProofDialog
      title={t('passkeys.removeNamed', { name })}
      action={t('passkeys.remove')}
      isDangerous
      onClose={onClose}
      onSubmit={async ({ password }) => {
        await removePasskey(id, password)
        await finish(t('passkeys.removed', { name }))
      }}
    >
      <Text>{t('passkeys.removeText')}</Text>
    </ProofDialog>
  )
}

/** Closes a dialog after its work, says what is done, and reads the passkeys again. */
function useFinish(onClose: () => void): (done?: string) => Promise<void> {
  const client = useQueryClient()
  return async (done) => {
    onClose()
    if (done !== undefined) notifyDone(done)
    await client.invalidateQueries({ queryKey: passkeysKey })
  }
}
