import type { ReactNode } from 'react'
import { usePortfolio } from '#app/api/queries.ts'
import { useWide } from '#app/ui/device/wide.ts'
import { BotList } from './bot-list.tsx'

/**
 * Two columns from 1024 px: the list of bots, which scrolls separately, and one bot or a new one.
 */
export const BOTS_GRID = 'lg:grid lg:grid-cols-[minmax(20rem,26rem)_minmax(0,1fr)] lg:gap-x-6'
export const BOTS_COLUMN =
  'lg:sticky lg:top-0 lg:max-h-dvh lg:self-start lg:overflow-y-auto lg:border-r ' +
  'lg:border-hairline lg:pb-8'

export function BesideBots({ current, children }: { current?: string; children: ReactNode }) {
  const isWide = useWide()
  return (
    <div className={BOTS_GRID}>
      <div className={`hidden lg:block ${BOTS_COLUMN}`}>{isWide && <List current={current} />}</div>
      <div className="min-w-0">{children}</div>
    </div>
  )
}

function List({ current }: { current: string | undefined }) {
  return <BotList portfolio={usePortfolio()} current={current} />
}
