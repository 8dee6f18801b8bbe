import { mayDo } from '#core/operators/role.ts'
import { moneyText } from '#core/money/text.ts'
import {
  endUserSessions,
  freezeUser,
  releaseUserHolds,
  unfreezeUser,
} from '#server/operators/act-on-user.ts'
import { permit } from '#server/operators/operator.ts'
import { readPerson, type Person } from '#server/ops/read-person.ts'
import { html, type Html } from '#server/kernel/html.ts'
import { actionForm, factsOf } from './page.ts'
import type { Visit } from './session.ts'
import { timeText } from './withdrawals-page.ts'

/** A field to find a user by name, and the user who was found. */
export async function usersPage(visit: Visit, name: string): Promise<Html> {
  await permit(visit.context, 'read users')
  const person = name === '' ? undefined : cardOf(await readPerson(visit.context, name), visit)
  return html`<form class="narrow" method="get" action="/users"><label>Username<input name="name" value="${name}" required autocomplete="off"></label><button>Find</button></form>
<div>${person}</div>`
}

function cardOf(person: Person, { context, formToken }: Visit): Html {
  const { name, id, balances, owed, bots, frozen, hold } = person
  const path = `/users/${encodeURIComponent(name)}`
  const reason = { name: 'reason', label: 'Reason, for operators alone', isRequired: true }
  const freezing = frozen
    ? actionForm({ action: `${path}/unfreeze`, label: 'Unfreeze', formToken })
    : actionForm({ action: `${path}/freeze`, label: 'Freeze', formToken, field: reason })
  const acts = html`<div class="acts">${freezing}${actionForm({ action: `${path}/end-sessions`, label: 'End all sessions', formToken, isSecond: true })}</div>`
  const facts: [string, string][] = [
    ['Id', id],
    ['Cash', moneyText({ amount: balances.cash })],
    ['Held', moneyText({ amount: balances.hold })],
    ['Invested', moneyText({ amount: balances.invested })],
    ...(owed > 0n ? [['Owes', moneyText({ amount: owed })] satisfies [string, string]] : []),
    ['Bots', String(bots.length)],
    ...(hold
      ? [
          [
            'Withdrawals wait',
            `${hold.until ? `until ${timeText(hold.until)}` : 'until a new password is set by mail'}: ${hold.reason}`,
          ] satisfies [string, string],
        ]
      : []),
  ]
  return html`<section class="card">
<h2>${name}</h2>
${frozen && html`<p class="refused">Frozen since ${timeText(frozen.at)}: ${frozen.reason}</p>`}
${factsOf(facts)}
${mayDo(context.operator.roles, 'act on users') ? acts : undefined}
${hold && mayDo(context.operator.roles, 'release holds') ? html`<div class="acts">${actionForm({ action: `${path}/release-holds`, label: 'Release holds', formToken, field: reason })}</div>` : undefined}
</section>`
}

type Act = {
  name: string
  verb: 'freeze' | 'unfreeze' | 'end-sessions' | 'release-holds'
  reason: string
}

/** Returns the name of the sentence that the page then shows. */
export async function actOnUser(
  { context }: Visit,
  { name, verb, reason }: Act,
): Promise<'frozen' | 'unfrozen' | 'sessions-ended' | 'holds-released' | 'first-release'> {
  if (verb === 'end-sessions') {
    await endUserSessions(context, name)
    return 'sessions-ended'
  }
  if (verb === 'release-holds') {
    return (await releaseUserHolds(context, { username: name, reason })) === 'first'
      ? 'first-release'
      : 'holds-released'
  }
  if (verb === 'unfreeze') {
    await unfreezeUser(context, name)
    return 'unfrozen'
  }
  await freezeUser(context, { username: name, reason })
  return 'frozen'
}
