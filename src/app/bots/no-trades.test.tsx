import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { BotPerformance } from '#contract/bots.ts'
import type { PageFacts } from '#contract/page-data.ts'
import { PageFactsContext } from '#app/ui/device/device-facts.ts'
import { AddressContext } from '#app/ui/frame/address.ts'
import { NoTrades } from './no-trades.tsx'

const WAITING = {
  status: 'active',
  strategy: 'trend',
  tradeCount: 0,
  wanted: ['0.00', '0.00'],
  available: '500.00',
  hidesBalance: false,
}

const ADDRESS = {
  navigate: () => undefined,
  page: { path: '/bot-config/1', search: '', redirect: () => undefined },
}

function markupOf({ status, strategy, wanted, available, ...shown }: typeof WAITING): string {
  const { tradeCount, hidesBalance } = shown
  const client = new QueryClient()
  client.setQueryData(['getUser'], { availableBalance: available })
  const performance = {
    bot: { status, strategy, tradingPairs: ['SOL/USDT', 'UNI/USDT'], investmentAmount: '500.00' },
    tradeCount,
    holdings: wanted.map((wantedPercent) => ({ wantedPercent })),
  } as unknown as BotPerformance
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <PageFactsContext value={{ hidesBalance } as PageFacts}>
        <AddressContext value={ADDRESS}>
          <NoTrades performance={performance} onReplay={() => undefined} />
        </AddressContext>
      </PageFactsContext>
    </QueryClientProvider>,
  )
}

const HOLD = '/bot-config/new?strategy=hold&pairs=SOL-USD%2CUNI-USD'

function waysOn(change: Partial<typeof WAITING>): string[] {
  const markup = markupOf({ ...WAITING, ...change })
  const links = [...markup.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '')
  const replays = markup.includes('The last 30 days, replayed') ? ['replay'] : []
  return [...replays, ...links.map((href) => href.replaceAll('&amp;', '&'))]
}

test.each([
  ['waits for a trend', {}, ['replay', `${HOLD}&amount=500.00`]],
  ['waits, and the balance pays no second one', { available: '499.99' }, ['replay', HOLD]],
  ['waits while amounts are hidden', { hidesBalance: true }, ['replay', HOLD]],
  ['buys a coin at the next price', { wanted: ['0.00', '25.00'] }, []],
  ['traded', { tradeCount: 1 }, []],
  ['is paused', { status: 'paused' }, []],
  ['is stopped', { status: 'stopped' }, []],
  ['is closing', { status: 'closing' }, []],
  ['holds its coins anyway', { strategy: 'hold' }, []],
])('ways on of a bot that %s', (_what, change, ways) => expect(waysOn(change)).toEqual(ways))

test('only a bot that follows trends is said to wait for one', () => {
  const said = (strategy: string) => markupOf({ ...WAITING, strategy }).includes('price trend')
  expect([said('trend'), said('hold'), said('balanced')]).toEqual([true, false, false])
})
