import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '#server/settings/config.ts'
import { doctor } from '#server/ops/doctor-command.ts'
import { createWorld, type World } from '../world/world.ts'

const EMAIL = 'help@bots.example'

let silent: World
let known: World
beforeAll(async () => {
  ;[silent, known] = await Promise.all([createWorld(), createWorld({ config: { SUPPORT: EMAIL } })])
})
afterAll(() => Promise.all([silent.close(), known.close()]))

/** The articles that tell readers whom to contact. */
const ARTICLES = [
  'change-details',
  'close-account',
  'deposit-arrival',
  'errors',
  'forgot-password',
  'privacy',
  'refunds',
  'support',
  'suspicious',
  'withdraw-failed',
  'withdraw-time',
]

const article = async (world: World, id: string) =>
  (await world.stranger().call('getHelpArticle', { query: { id } })).body
const unknown = async (world: World) =>
  (await world.stranger().call('askHelp', { body: { message: 'xylophone zebra quantum' } })).message

describe('the address of support', () => {
  test('the address is an email address or a page', async () => {
    expect((await known.stranger().call('getConfig')).support).toEqual({
      address: EMAIL,
      href: `mailto:${EMAIL}`,
    })
    const url = 'https://bots.example/help'
    const { supportOf } = await import('#server/settings/settings.ts')
    expect(supportOf({ SUPPORT: url })).toEqual({ address: url, href: url })
  })

  test.each(['nobody', 'bots.example', 'javascript:alert(1)', 'mailto:a@b.example'])(
    '%s is no address',
    (address) => {
      expect(readSettings({ SUPPORT: address })).toEqual({
        wrong: [expect.stringMatching(/^The setting SUPPORT is not valid/)],
      })
    },
  )

  test.each(ARTICLES)('the address is in the article %s', async (id) => {
    expect(await article(known, id)).toMatch(new RegExp(`contact support at ${EMAIL}`, 'i'))
  })

  test('the address is in the answer to a question that no article answers', async () => {
    expect(await unknown(known)).toContain(`You can also contact support at ${EMAIL}`)
  })
})

describe('without an address', () => {
  test('no text mentions one, or a support that nobody can reach', async () => {
    expect((await silent.stranger().call('getConfig')).support).toBeNull()
    for (const id of silent.context.help().ids) {
      const text = await article(silent, id)
      expect(text, `the article ${id}`).not.toMatch(
        /contact support|contact the operator|operator of this service/i,
      )
    }
    expect(await unknown(silent)).not.toMatch(/support|operator/i)
    expect(await article(silent, 'support')).toContain('Ask the person who runs this installation')
  })

  test('the doctor reports a missing address for a live book only', async () => {
    const told = async (environment: Record<string, string>) =>
      (
        await doctor({
          words: [],
          now: () => new Date(),
          environment: { DATA_DIR: '/nonexistent/support', ...environment },
        })
      ).lines.filter((line) => line.includes(' support: '))
    expect(await told({ BOOK: 'live', EXCHANGE_REST_URL: 'http://127.0.0.1:1' })).toEqual([
      'missing  support: users have no way to reach you: set SUPPORT',
    ])
    expect(await told({ SUPPORT: EMAIL })).toEqual([`ok       support: shown to users: ${EMAIL}`])
    expect(await told({})).toEqual([])
  })
})
