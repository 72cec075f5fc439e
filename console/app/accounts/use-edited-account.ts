import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Account, accountQuery, accountsKey, readAccount } from '../api/records.ts'
import { notifyWithUndo } from '../components/notify-undo.tsx'
import { useKeptForm } from '../components/use-kept-form.ts'
import { useNewer } from '../components/use-newer.ts'
import { changeAccount } from './account-calls.ts'
import {
  type AccountDifference,
  type AccountEdit,
  changeOf,
  editOf,
  membersOf,
  withSaved,
} from './account-change.ts'

interface Begun {
  /** The account as the edit began with it. */
  readonly base: Account
  readonly edit: AccountEdit
}

interface Saved {
  /** The version of the account that it is saved over. */
  readonly seen: Account
  readonly sent: AccountEdit
  readonly change: AccountDifference
}

/** An account while it is edited. What others change meanwhile is shown at once where nothing is being edited. */
export function useEditedAccount(account: Account) {
  const { t } = useTranslation('accounts')
  const { username } = account
  const client = useQueryClient()
  const kept = useKeptForm<Begun>()
  const [{ base, edit }, setEdited] = useState<Begun>(() => kept.restored ?? begin(account))
  const change = changeOf(base, edit)
  const isChanged = JSON.stringify(edit) !== JSON.stringify(editOf(base))
  kept.hold(isChanged ? { base, edit } : undefined)
  const { newer, forget, saveOver } = useNewer<Account>({
    async read() {
      const account = await readAccount(username)
      client.setQueryData(accountQuery(username).queryKey, account.value)
      return account
    },
    // What is not sent stays as others have made it.
    isSame: (one, other) =>
      JSON.stringify(membersOf(one, change)) === JSON.stringify(membersOf(other, change)),
  })
  const refresh = () => client.invalidateQueries({ queryKey: accountsKey })
  const save = useMutation({
    mutationFn: ({ seen, change }: Saved) => saveOver(seen, (etag) => changeAccount(username, change, etag)),
    async onSuccess(written, { seen, sent, change }) {
      if (written === undefined) return
      const { value, etag } = written
      client.setQueryData(accountQuery(username).queryKey, value)
      setEdited((entered) => ({ base: value, edit: withSaved(entered.edit, sent, editOf(value)) }))
      const undo = async () => {
        await changeAccount(username, membersOf(seen, change), etag)
        await refresh()
      }
      notifyWithUndo({ message: t('saved', { username }), label: t('undo'), undo })
      await refresh()
    },
  })
  useEffect(() => {
    if (!isChanged) setEdited(begin(account))
  }, [account, isChanged])
  return {
    base,
    edit,
    change,
    newer,
    isChanged,
    isRestored: isChanged && kept.restored !== undefined,
    isSaving: save.isPending,
    error: save.error,
    update: (part: Partial<AccountEdit>) => setEdited({ base, edit: { ...edit, ...part } }),
    /** Saves it over the version of the account that was seen. */
    save: (seen: Account) => save.mutate({ seen, sent: edit, change }),
    /** Begins again with what someone else has stored. */
    load() {
      setEdited(begin(newer ?? account))
      forget()
    },
  }
}

function begin(account: Account): Begun {
  return { base: account, edit: editOf(account) }
}
