import { Group, NumberInput, Stack, Switch, TagsInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RoleNamesInput } from '../components/role-names-input.tsx'
import type { RoleDraft } from './role-draft.ts'

interface RoleSettingsProps {
  readonly draft: RoleDraft
  readonly isReadOnly: boolean
  readonly onChange: (draft: RoleDraft) => void
}

/** What a role has besides its authorities. */
export function RoleSettings(props: RoleSettingsProps) {
  return (
    <Stack>
      <Gives {...props} />
      <Limits {...props} />
      <Targets {...props} />
    </Stack>
  )
}

function Gives({ draft, isReadOnly, onChange }: RoleSettingsProps) {
  const { t } = useTranslation('roles')
  const { gives } = draft
  return (
    <Stack gap="xs">
      <Switch
        label={t('gives.every')}
        description={t('gives.description')}
        checked={gives === '*'}
        disabled={isReadOnly}
        onChange={(event) => onChange({ ...draft, gives: event.currentTarget.checked ? '*' : [] })}
      />
      {gives === '*' ? null : (
        <RoleNamesInput
          label={t('gives.names')}
          value={gives}
          isReadOnly={isReadOnly}
          onChange={(names) => onChange({ ...draft, gives: names })}
        />
      )}
    </Stack>
  )
}

const usualLimits = { requests: 1000, per: 60 }

function Limits({ draft, isReadOnly, onChange }: RoleSettingsProps) {
  const { t } = useTranslation('roles')
  const { limits } = draft
  const change = (part: Partial<typeof usualLimits>) =>
    onChange({ ...draft, limits: { ...(limits ?? usualLimits), ...part } })
  return (
    <Stack gap="xs">
      <Switch
        label={t('limits.switch')}
        description={t('limits.description')}
        checked={limits !== undefined}
        disabled={isReadOnly}
        onChange={(event) =>
          onChange({ ...draft, limits: event.currentTarget.checked ? usualLimits : undefined })
        }
      />
      {limits === undefined ? null : (
        <Group grow preventGrowOverflow={false} maw="24rem">
          {(['requests', 'per'] as const).map((key) => (
            <NumberInput
              key={key}
              label={t(`limits.${key}`)}
              value={limits[key]}
              min={1}
              hideControls
              readOnly={isReadOnly}
              onChange={(value) => change({ [key]: Number(value) })}
            />
          ))}
        </Group>
      )}
    </Stack>
  )
}

function Targets({ draft, isReadOnly, onChange }: RoleSettingsProps) {
  const { t } = useTranslation('roles')
  const { targets } = draft
  return (
    <Stack gap="xs">
      <Switch
        label={t('targets.switch')}
        description={t('targets.description')}
        checked={targets !== undefined}
        disabled={isReadOnly}
        onChange={(event) => onChange({ ...draft, targets: event.currentTarget.checked ? [] : undefined })}
      />
      {targets === undefined ? null : (
        <TagsInput
          label={t('targets.origins')}
          placeholder={isReadOnly || targets.length > 0 ? '' : 'http://10.0.0.5:3000'}
          value={[...targets]}
          readOnly={isReadOnly}
          onChange={(origins) => onChange({ ...draft, targets: origins })}
        />
      )}
    </Stack>
  )
}
