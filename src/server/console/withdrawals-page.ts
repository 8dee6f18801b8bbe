import { utcMinuteText } from '#core/utc-text.ts'
import { mayDo } from '#core/operators/role.ts'
import { englishMoneyText } from '#core/money/text.ts'
import { auditCommand, operatorOf } from '#server/security/audit.ts'
import { permit } from '#server/operators/operator.ts'
import { actOnWithdrawal } from '#server/withdrawals/act-on-withdrawal.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { listOpenWithdrawals } from '#server/withdrawals/list-withdrawals.ts'
import { whyItWaits } from '#server/withdrawals/why-it-waits.ts'
import { html, type Html } from '#server/kernel/html.ts'
import { actionForm, factsOf } from './page.ts'
import type { Visit } from './session.ts'

type Open = Awaited<ReturnType<typeof listOpenWithdrawals>>[number]

export async function withdrawalsPage(visit: Visit): Promise<Html> {
  const { context } = visit
  await permit(context, 'read payouts')
  await auditCommand(context, { action: 'withdrawal.list', subject: 'withdrawals' })
  const open = await listOpenWithdrawals(context.sql)
  if (open.length === 0) return html`<p>No withdrawal is waiting.</p>`
  return html`<ul>${open.map((withdrawal) => cardOf(withdrawal, visit))}</ul>`
}

function cardOf(
  { id, username, amount, bankName, accountNumberLast4, createdAt, waitsFor, ...held }: Open,
  { context, formToken }: Visit,
): Html {
  const { state } = held
  const waits = [whyItWaits(held), waitsFor ?? undefined].flatMap((reason): [string, string][] =>
    reason === undefined ? [] : [['Waits', reason]],
  )
  const canDecide =
    mayDo(context.operator.roles, 'decide about payouts') &&
    (state === 'pending' || state === 'in_review')
  const note = { name: 'note', label: 'Note', isRequired: false }
  const acts = html`<div class="acts">
${actionForm({
  action: `/withdrawals/${id}/approve`,
  label: `Approve ${englishMoneyText({ amount })}`,
  formToken,
  field: note,
})}
${actionForm({
  action: `/withdrawals/${id}/reject`,
  label: 'Reject',
  formToken,
  isSecond: true,
  field: note,
})}
</div>`
  return html`<li class="card">
<div class="line"><h2>${englishMoneyText({ amount })} to ${username}</h2><span
class="quiet">${state.replace('_', ' ')}</span></div>
${factsOf([
  ['Account', `${bankName} ••${accountNumberLast4}`],
  ['Requested', timeText(createdAt)],
  ['Id', id],
  ...waits,
])}
${canDecide ? acts : undefined}
</li>`
}

export const timeText = (at: Date): string => `${utcMinuteText(at)} UTC`

type Decision = { id: string; verb: 'approve' | 'reject'; note: string }

/** Returns the name of the message that the next page shows. */
export async function decide(
  { context }: Visit,
  { id, verb, note }: Decision,
): Promise<'approved' | 'first-approval' | 'rejected'> {
  await permit(context, 'decide about payouts')
  const noted = { id, ...(note !== '' && { note }) }
  if (verb === 'reject') {
    await actOnWithdrawal(context, { ...noted, action: 'reject', actor: operatorOf(context) })
    return 'rejected'
  }
  const { state } = await approveWithdrawal(context, { ...noted, operator: context.operator })
  return state === 'in_review' ? 'first-approval' : 'approved'
}
