import { allScreens, type NamedScreen } from '#contract/screens.ts'
import { addressOf } from '../browser/address.ts'
import type { User } from './user.ts'

const isOpenTo = (who: 'user' | 'visitor') => (screen: NamedScreen) =>
  screen.access === who || screen.access === 'both'

/** Screens whose title is a name, such as a bot's. */
const TITLED_BY_DATA: readonly string[] = ['bot', 'coin', 'compare']

/**
 * A picture of every screen that a visitor, or the user, can open; fails for one that is wider than
 * the phone.
 */
export async function pictureAll(
  user: User,
  { who, theme }: { who: 'user' | 'visitor'; theme: string },
): Promise<void> {
  const botId = who === 'user' ? await firstBot(user) : ''
  for (const { name, path, title } of allScreens.filter(isOpenTo(who))) {
    await user.open(addressOf(path, botId))
    if (!TITLED_BY_DATA.includes(name))
      await user.until(`${name} has its title`, () =>
        user.evaluate(`document.title.startsWith(${JSON.stringify(title)})`),
      )
    if (name === 'coin')
      await user.until('the price chart is drawn', () =>
        user.evaluate(`document.querySelector('canvas') !== null`),
      )
    await user.picture(`${who}-${name}-${theme}`)
    const wider = await user.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    if (wider > 0) throw new Error(`${name} is ${wider} px wider than the phone`)
  }
}

async function firstBot(user: User): Promise<string> {
  const bots = await user.evaluate<{ id: string }[]>(
    `fetch('/api/trading-bots').then((answer) => answer.json())`,
  )
  return bots[0]?.id ?? ''
}
