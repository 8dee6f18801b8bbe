import { mayDo } from '#core/operators/role.ts'
import { englishMoneyText } from '#core/money/text.ts'
import {
  endUserSessions,
  freezeUser,
  releaseUserHolds,
  unfreezeUser,
} from '#server/operators/act-on-user.ts'
import { permit } from '#server/operators/operator.ts'
import { readPerson, type UserDetails } from '#server/ops/read-person.ts'
import { html, type Html } from '#server/kernel/html.ts'
import { actionForm, factsOf } from './page.ts'
import type { Visit } from './session.ts'
import { timeText } from './withdrawals-page.ts'

/** A search field, and the user found. */
export async function usersPage(visit: Visit, name: string): Promise<Html> {
  await permit(visit.context, 'read users')
  const person = name === '' ? undefined : cardOf(await readPerson(visit.context, name), visit)
  return html`<form class="narrow" method="get" action="/users"><label>Username<input name="name"
value="${name}" required autocomplete="off"></label><button>Find</button></form>
<div>${person}</div>`
}

const REASON = { name: 'reason', label: 'Reason, for operators alone', isRequired: true }

function cardOf(person: UserDetails, visit: Visit): Html {
  const { name, frozen } = person
  return html`<section class="card">
<h2>${name}</h2>
${frozen && html`<p class="refused">Frozen since ${timeText(frozen.at)}: ${frozen.reason}</p>`}
${factsOf(factsAbout(person))}
${actsOn(person, visit)}
</section>`
}

function factsAbout({ id, balances, owed, bots, hold }: UserDetails): [string, string][] {
  const until = hold?.until
    ? `until ${timeText(hold.until)}`
    : 'until a new password is set by mail'
  const facts: [string, string | false | undefined][] = [
    ['Id', id],
    ['Cash', englishMoneyText({ amount: balances.cash })],
    ['Held', englishMoneyText({ amount: balances.hold })],
    ['Invested', englishMoneyText({ amount: balances.invested })],
    ['Owes', owed > 0n && englishMoneyText({ amount: owed })],
    ['Bots', String(bots.length)],
    ['Withdrawals wait', hold && `${until}: ${hold.reason}`],
  ]
  return facts.flatMap(([name, value]) => (value ? [[name, value]] : []))
}

function actsOn({ name, frozen, hold }: UserDetails, { context, formToken }: Visit): Html {
  const formOf = (
    verb: Act['verb'],
    label: string,
    more: { isSecond?: true; field?: typeof REASON },
  ) =>
    actionForm({ action: `/users/${encodeURIComponent(name)}/${verb}`, label, formToken, ...more })
  const freezing = frozen
    ? formOf('unfreeze', 'Unfreeze', {})
    : formOf('freeze', 'Freeze', { field: REASON })
  const ending = formOf('end-sessions', 'End all sessions', { isSecond: true })
  const acts = html`<div class="acts">${freezing}${ending}</div>`
  const release = formOf('release-holds', 'Release holds', { field: REASON })
  const releasing = html`<div class="acts">${release}</div>`
  const { roles } = context.operator
  return html`${mayDo(roles, 'act on users') ? acts : undefined}
${hold && mayDo(roles, 'release holds') ? releasing : undefined}`
}

type Act = {
  name: string
  verb: 'freeze' | 'unfreeze' | 'end-sessions' | 'release-holds'
  reason: string
}

/** Returns the name of the message that the next page shows. */
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
