import { Center, Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'

interface PlainPageProps {
  readonly title: string
  readonly children: ReactNode
}

/** A page outside the shell: one box in the middle. */
export function PlainPage({ title, children }: PlainPageProps) {
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440} shadow="sm">
        <Stack>
          <Logo />
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}
