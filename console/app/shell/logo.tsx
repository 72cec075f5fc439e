import { Group, Text } from '@mantine/core'

/** The product's mark and name. */
export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <svg viewBox="0 0 16 16" width="24" height="24" aria-hidden="true">
        <path
          fill="var(--mantine-primary-color-light-color)"
          d="M1 2h3v2h2V2h4v2h2V2h3v13h-5v-4a2 2 0 0 0-4 0v4H1z"
        />
      </svg>
      <Text fw={700} size="lg" component="span">
        Gatehouse
      </Text>
    </Group>
  )
}
