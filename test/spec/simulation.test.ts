import { afterAll } from 'vitest'
import { press, pressItem, steps, type Check } from './checks.ts'
import { createMarketWorld } from './market-world.ts'
import { openProduct, type Product } from './product.ts'
import { screen } from './rows.ts'
import { toast } from './toasts.ts'

const products: Product[] = []
afterAll(() => Promise.all(products.map((product) => product.close())))

/** Opens the bots screen for a user with one bot, on a market with these price changes. */
async function openWithBot(moveOf: (hoursBeforeNow: number) => number) {
  const product = await openProduct(createMarketWorld(moveOf))
  products.push(product)
  const user = await product.world.user()
  await user.deposit('1000')
  await user.call('createBot', {
    body: {
      name: 'Steady',
      riskLevel: 'aggressive',
      tradingPairs: ['BTC/USDT'],
      investmentAmount: '500',
    },
  })
  return product.open('/bot-config', user)
}

const simulate = (...then: Check[]): Check => {
  return steps(
    press('Actions for Steady'),
    pressItem('Simulate trade with Steady'),
    (page) => page.getByRole('dialog', { name: 'The last 30 days, replayed' }).waitFor(),
    press('Close'),
    ...then,
  )
}

const rising = (hour: number) => 125 + (hour % 2 === 0 ? 90 : -90)
const falling = (hour: number) => -125 + (hour % 2 === 0 ? 90 : -90)
/** Rises for ten days, then loses it all within three. */
const treacherous = (hour: number) => (hour % 312 < 72 ? -400 : 120)

screen(() => openWithBot(rising), {
  '8 Simulation': {
    "a net result above 0: 'Bot executed profitable trades!' (decision 2)": simulate(
      toast('Trading Session Complete', 'Bot executed profitable trades!'),
    ),
  },
})

screen(() => openWithBot(falling), {
  '8 Simulation': {
    "no trade: 'No trade met this bot's rules' (decision 2)": simulate(
      toast('Trading Session Complete', "No trade met this bot's rules"),
    ),
  },
})

screen(() => openWithBot(treacherous), {
  '8 Simulation': {
    'a net result below 0: the number of trades and the loss after fees (decision 2)': simulate(
      toast('Trading Session Complete', /^\d+ trades?, −\$\d+\.\d\d after fees$/),
    ),
  },
})
