import { Alert, Code, Group } from '@mantine/core'
import { CopyText } from './show-as-button.tsx'

interface ShownOnceProps {
  /** What it is, and that it is not shown again. */
  readonly title: string
  readonly secret: string
}

/** A secret that was just made, to copy. */
export function ShownOnce({ title, secret }: ShownOnceProps) {
  return (
    <Alert color="teal" variant="outline" title={title} role="status">
      <Group wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{secret}</Code>
        <CopyText text={secret} />
      </Group>
    </Alert>
  )
}
