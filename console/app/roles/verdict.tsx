import { ThemeIcon } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'

/** A mark beside what is met or not; a text beside it says it, too. */
export function Verdict({ isGood }: { readonly isGood: boolean }) {
  return (
    <ThemeIcon size={18} radius="xl" color={isGood ? 'teal.9' : 'gray.7'} aria-hidden>
      {isGood ? <IconCheck size={12} /> : <IconX size={12} />}
    </ThemeIcon>
  )
}
