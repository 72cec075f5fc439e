import { Autocomplete, Button, Group, Pagination, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthorityCard } from './authority-card.tsx'
import type { KnownPath } from './known-path.ts'
import { useKnownPaths } from './known-paths.ts'
import { type RoleDraft, withAuthority, withChanged, withMoved, withoutAuthority } from './role-draft.ts'
import type { Remarks } from './role-remarks.ts'

interface AuthorityEditorProps {
  readonly draft: RoleDraft
  readonly mistakes: Remarks
  readonly warnings: Remarks
  readonly onChange: (draft: RoleDraft) => void
}

/** A role may have a thousand authorities. */
const perPage = 25

/** The authorities of a role, to change, move, remove and add. */
export function AuthorityEditor({ draft, mistakes, warnings, onChange }: AuthorityEditorProps) {
  const { t } = useTranslation('roles')
  const [wanted, setWanted] = useState(1)
  const { authorities } = draft
  const last = Math.max(1, Math.ceil(authorities.length / perPage))
  const page = Math.min(wanted, last)
  const first = (page - 1) * perPage
  return (
    <Stack>
      {authorities.length === 0 ? <Text size="sm">{t('authorities.empty')}</Text> : null}
      <Stack component="ul" p={0} m={0} gap="sm" style={{ listStyle: 'none' }}>
        {authorities.slice(first, first + perPage).map((authority, offset) => {
          const index = first + offset
          return (
            <AuthorityCard
              key={authority.id}
              authority={authority}
              number={index + 1}
              mistakes={mistakes.byAuthority.get(index) ?? []}
              warnings={warnings.byAuthority.get(index) ?? []}
              onChange={(changed) => onChange(withChanged(draft, changed))}
              onRemove={() => onChange(withoutAuthority(draft, authority.id))}
              onUp={index === 0 ? undefined : () => onChange(withMoved(draft, authority.id, -1))}
              onDown={
                index === authorities.length - 1
                  ? undefined
                  : () => onChange(withMoved(draft, authority.id, 1))
              }
            />
          )
        })}
      </Stack>
      {last > 1 ? (
        <Pagination
          total={last}
          value={page}
          onChange={setWanted}
          getControlProps={(control) => ({ 'aria-label': t(`authorities.pages.${control}`) })}
          getItemProps={(number) => ({ 'aria-label': t('authorities.pages.numbered', { number }) })}
        />
      ) : null}
      <AddAuthority
        onAdd={(authority) => {
          onChange(withAuthority(draft, authority))
          setWanted(Math.ceil((authorities.length + 1) / perPage))
        }}
      />
    </Stack>
  )
}

interface AddAuthorityProps {
  readonly onAdd: (authority: { readonly regex: string; readonly methods: readonly string[] }) => void
}

/** Adds an authority: for a path that the gateway serves, or for any expression. */
function AddAuthority({ onAdd }: AddAuthorityProps) {
  const { t } = useTranslation('roles')
  const [text, setText] = useState('')
  const [asked] = useDebouncedValue(text.trim(), 200)
  const known = useKnownPaths(asked)
  const add = (typed: string) => {
    const found = known.find(({ path }) => path === typed)
    onAdd(found ?? { regex: typed, methods: ['GET'] })
    setText('')
  }
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      <Autocomplete
        flex={1}
        label={t('add.label')}
        description={t('add.description')}
        placeholder="/apis/ports"
        value={text}
        onChange={setText}
        data={groupsOf(known).map(([kind, items]) => ({ group: t(`kinds.${kind}`), items }))}
        filter={({ options }) => options}
        onOptionSubmit={(path) => {
          add(path)
          // The component writes the chosen text after this.
          queueMicrotask(() => setText(''))
        }}
        maxDropdownHeight={320}
      />
      <Button variant="default" onClick={() => add(text.trim())}>
        {t('add.button')}
      </Button>
    </Group>
  )
}

function groupsOf(known: readonly KnownPath[]): readonly (readonly [KnownPath['kind'], string[]])[] {
  const groups = Map.groupBy(
    known.filter(({ path }, index) => known.findIndex((other) => other.path === path) === index),
    ({ kind }) => kind,
  )
  return [...groups].map(([kind, paths]) => [kind, paths.map(({ path }) => path)])
}
