import { assert } from '#core/assert.ts'
import { PAIRS } from '#core/market/pair.ts'

/** A user with money and a bot that has traded, created over HTTP like in the app. */
export type User = { cookie: string; id: string; botId: string }

const TRADES_WITHIN_MS = 90_000

export async function makeUser(origin: string): Promise<User> {
  const { id, cookie } = await signUp(origin)
  const ask = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(origin + path, {
      method: body ? 'POST' : 'GET',
      headers: { cookie, origin, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    assert(answer.ok, `${path} answers ${answer.status}: ${await answer.clone().text()}`)
    return (await answer.json()) as Answer
  }
  const { clientSecret, paymentIntentId } = await ask<{
    clientSecret: string
    paymentIntentId: string
  }>('/api/create-payment-intent', { amount: '5000' })
  await ask('/api/sandbox/card-payments', {
    clientSecret,
    number: '4242424242424242',
    expMonth: 12,
    expYear: 2040,
    cvc: '123',
  })
  await ask('/api/confirm-deposit', { paymentIntentId, amount: '5000' })
  const bot = await ask<{ id: string }>('/api/trading-bots', {
    name: 'Steady',
    riskLevel: 'aggressive',
    tradingPairs: PAIRS,
    investmentAmount: '3000',
  })
  const deadline = performance.now() + TRADES_WITHIN_MS
  while (
    (await ask<{ items: unknown[] }>(`/api/trading-bots/${bot.id}/trades`)).items.length === 0
  ) {
    assert(performance.now() < deadline, 'the bot trades')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  return { cookie, id, botId: bot.id }
}

/** A new user's id, and the cookies that signing up sets. */
export async function signUp(origin: string): Promise<Pick<User, 'cookie' | 'id'>> {
  const answer = await fetch(`${origin}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({
      username: 'bench',
      password: 'correct horse battery',
      firstName: 'Ben',
      lastName: 'Ch',
    }),
  })
  assert(answer.ok, `signing up answers ${answer.status}: ${answer.statusText}`)
  const { id } = (await answer.json()) as { id: string }
  const cookies = answer.headers.getSetCookie().map((text) => text.split(';', 1)[0])
  return { cookie: cookies.join('; '), id }
}
