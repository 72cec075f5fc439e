import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureAlert } from '../components/failure-alert.tsx'
import { notifyDone } from '../components/notify.ts'
import { readEntries } from './audit-calls.ts'
import { csvOf, jsonOf, mostExported, readAll } from './audit-export.ts'
import type { AuditFilters } from './audit-filters.ts'

const formats = {
  csv: { write: csvOf, type: 'text/csv' },
  json: { write: jsonOf, type: 'application/json' },
} as const

type Format = keyof typeof formats

/** Saves the selected entries as a file, which the browser puts together from many calls. */
export function ExportMenu({ filters }: { readonly filters: AuditFilters }) {
  const { t } = useTranslation('audit')
  const [count, setCount] = useState(0)
  const work = useMutation({
    async mutationFn(format: Format) {
      setCount(0)
      const { entries, isWhole } = await readAll(
        (limit, before) => readEntries(filters, limit, before),
        setCount,
      )
      const { write, type } = formats[format]
      save(new Blob([write(entries)], { type }), `audit.${format}`)
      notifyDone(
        isWhole ? t('export.done', { count: entries.length }) : t('export.part', { most: mostExported }),
      )
    },
  })
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button variant="default" leftSection={<IconDownload size={16} />} disabled={work.isPending}>
            {work.isPending ? t('export.progress', { count }) : t('export.button')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['csv', 'json'] as const).map((format) => (
            <Menu.Item key={format} onClick={() => work.mutate(format)}>
              {t(`export.${format}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {work.error === null ? null : <FailureAlert error={work.error} />}
    </>
  )
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
