import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import type { ListedApi } from './api-queries.ts'
import classes from './apis.module.css'
import { filled, useApis } from './apis-context.ts'
import type { Place } from './place.ts'

const itemHeight = 52

interface ApiListProps {
  readonly apis: readonly ListedApi[]
  readonly place: Place
}

interface FoundProps extends ApiListProps {
  readonly isSearched: boolean
}

/** A list of APIs with a search; only those in its frame are in the document. */
export function ApiList({ apis, place }: ApiListProps) {
  const { texts } = useApis()
  const [search, setSearch] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const found = useMemo(() => {
    const wanted = search.trim().toLowerCase()
    return apis.filter(({ name, label = '', path = '' }) =>
      `${name}\n${label}\n${path}`.toLowerCase().includes(wanted),
    )
  }, [apis, search])
  if (apis.length === 0) return <p>{texts.none}</p>
  return (
    <>
      <input
        type="search"
        className={classes.search}
        aria-label={texts.find}
        placeholder={texts.find}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'ArrowDown') return
          event.preventDefault()
          const first = list.current?.querySelector('a')
          if (event.key === 'Enter') first?.click()
          else first?.focus()
        }}
      />
      <p role="status" className={classes.count}>
        {found.length === 0 ? texts.noneFound : filled(texts.count, { count: found.length })}
      </p>
      <div ref={list}>
        <Found key={search} apis={found} place={place} isSearched={search !== ''} />
      </div>
    </>
  )
}

function Found({ apis, place: { kind, name: shown }, isSearched }: FoundProps) {
  const { texts, Link } = useApis()
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: apis.length,
    getScrollElement: () => frame.current,
    estimateSize: () => itemHeight,
    overscan: 8,
    initialOffset: () =>
      isSearched ? 0 : Math.max(0, apis.findIndex(({ name }) => name === shown) - 2) * itemHeight,
  })
  return (
    <div ref={frame} className={classes.frame}>
      <ul
        aria-label={texts.kinds[kind]}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          const item = event.target instanceof Element ? event.target.closest('li') : null
          const next = event.key === 'ArrowDown' ? item?.nextElementSibling : item?.previousElementSibling
          event.preventDefault()
          next?.querySelector('a')?.focus()
        }}
      >
        {virtual.getVirtualItems().map(({ index, start }) => {
          const { name = '', label = name, path } = apis[index] ?? {}
          return (
            <li
              key={name}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={apis.length}
              aria-posinset={index + 1}
            >
              <Link to={{ kind, name }} className={classes.item} isCurrent={name === shown}>
                <bdi>{label}</bdi>
                {path === undefined ? null : <code>{path}</code>}
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
