import { useSyncExternalStore, type ReactNode } from 'react'
import { usePortfolio } from '#app/api/queries.ts'
import { useDeviceFact } from '#app/ui/device/device-facts.ts'
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

/** Width from which screens have columns (`lg:` in class names). */
const WIDE = '(width >= 64rem)'

/**
 * Whether the screen is wide enough for columns. False on the server, which does not know the
 * width.
 */
function useWide(): boolean {
  return useSyncExternalStore(onChange, isWide, () => false)
}

/**
 * Like `useWide`, but the server guesses, so that a page for a desktop has the column from its
 * first paint on. Because the window may be narrow, callers must wrap what depends on the guess in
 * `hidden lg:block`.
 */
export function useProbablyWide(): boolean {
  return useDeviceFact({ onDevice: isWide, onPage: ({ isDesk }) => isDesk, subscribe: onChange })
}

function isWide(): boolean {
  return window.matchMedia(WIDE).matches
}

function onChange(listener: () => void): () => void {
  const query = window.matchMedia(WIDE)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
