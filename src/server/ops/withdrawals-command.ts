import { groupBy } from '#core/group-by.ts'
import { englishMoneyText } from '#core/money/text.ts'
import type { ReviewReason } from '#core/withdrawals/review.ts'
import type { WithdrawalAction, WithdrawalState } from '#core/withdrawals/withdrawal.ts'
import { auditCommand, operatorOf } from '#server/security/audit.ts'
import { isId } from '#server/kernel/ids.ts'
import { permit, type OperatorContext } from '#server/operators/operator.ts'
import { actOnWithdrawal } from '#server/withdrawals/act-on-withdrawal.ts'
import { approveWithdrawal } from '#server/withdrawals/approve-withdrawal.ts'
import { listOpenWithdrawals } from '#server/withdrawals/list-withdrawals.ts'
import { markWithdrawal } from '#server/withdrawals/mark-withdrawal.ts'
import { whyItWaits } from '#server/withdrawals/why-it-waits.ts'
import { done, refusal, type Command } from './command.ts'

const ACTIONS = [
  'review',
  'approve',
  'reject',
  'mark-paid',
  'mark-failed',
  'mark-returned',
] as const satisfies WithdrawalAction[]

export const withdrawalsCommand: Command = async (context, [verb = 'list', id = '', ...rest]) => {
  await permit(context, verb === 'list' ? 'read payouts' : 'decide about payouts')
  if (verb === 'list') return done(...(await list(context)))
  const action = ACTIONS.find((known) => known === verb)
  if (!action) throw refusal(`Unknown action ${verb}: use list, ${ACTIONS.join(', ')}.`)
  if (!isId(id)) throw refusal('Give the id of the withdrawal, as shown by withdrawals list.')
  const [flag, ...words] = rest
  if (flag !== undefined && (flag !== '--note' || words.length === 0)) {
    throw refusal('Only --note TEXT may follow the id.')
  }
  const note = words.join(' ')
  const { state } = await act(context, { id, action, ...(note && { note }) })
  const second = SECOND[action]
  return done(`${id} is ${state}${second?.[0] === state ? second[1] : ''}`)
}

function act(
  context: OperatorContext,
  { action, ...noted }: { id: string; action: (typeof ACTIONS)[number]; note?: string },
): ReturnType<typeof actOnWithdrawal> {
  if (action === 'approve')
    return approveWithdrawal(context, { ...noted, operator: context.operator })
  if (action === 'review' || action === 'reject')
    return actOnWithdrawal(context, { ...noted, action, actor: operatorOf(context) })
  return markWithdrawal(context, { ...noted, action })
}

/**
 * The state in which a withdrawal stays until a second operator does the same, and the sentence
 * that says so.
 */
const SECOND: Partial<
  Record<(typeof ACTIONS)[number], [state: WithdrawalState, sentence: string]>
> = {
  approve: ['in_review', ': a second, different operator must approve it too'],
  'mark-failed': ['submitted', ': a second, different operator must mark it too'],
  'mark-returned': ['paid', ': a second, different operator must mark it too'],
}

const REASONS: Record<ReviewReason, string> = {
  amount: 'above WITHDRAWAL_REVIEW_AMOUNT within 24 hours',
  count: 'above WITHDRAWAL_REVIEW_COUNT within 24 hours',
  'young-deposits': 'above WITHDRAWAL_REVIEW_YOUNG from card deposits of the last 72 hours',
}

async function list(context: Parameters<Command>[0]): Promise<string[]> {
  await auditCommand(context, { action: 'withdrawal.list', subject: 'withdrawals' })
  const open = await listOpenWithdrawals(context.sql)
  if (open.length === 0) return ['No open withdrawals.']
  const lines = open.map(
    ({
      id,
      username,
      amount,
      bankName,
      accountNumberLast4,
      createdAt,
      waitsFor,
      reviewReasons,
      ...held
    }) =>
      [
        id,
        createdAt.toISOString(),
        held.state.padEnd(9),
        englishMoneyText({ amount }).padStart(14),
        username,
        `${bankName} ••${accountNumberLast4}`,
        ...waitOf(waitsFor ?? undefined),
        ...waitOf(whyItWaits(held)),
        ...reviewReasons.map((reason) => REASONS[reason]),
      ].join('  '),
  )
  return [...lines, ...payoutsElsewhere(open, context.payouts.provider)]
}

const waitOf = (reason: string | undefined): string[] =>
  reason === undefined ? [] : [`waits: ${reason}`]

/** Payouts still open at providers other than the one in the settings. */
function payoutsElsewhere(
  open: readonly { id: string; payoutProvider: string | null }[],
  current: string,
): string[] {
  const byProvider = groupBy(
    open.filter(({ payoutProvider }) => payoutProvider !== null && payoutProvider !== current),
    ({ payoutProvider }) => payoutProvider,
  )
  return [...byProvider].map(
    ([provider, payouts]) =>
      `${payouts.map(({ id }) => id).join(', ')}: handed to ${provider}, which PAYOUTS no ` +
      'longer names, so their outcome is not checked. ' +
      `Set PAYOUTS=${provider} again, or mark each of them once you know its outcome.`,
  )
}
