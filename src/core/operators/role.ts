/**
 * admin: adds and disables operators, moves no money · support: helps users · payouts: decides on
 * payouts and the exchange · auditor: reads.
 */
export const OPERATOR_ROLES = ['admin', 'support', 'payouts', 'auditor'] as const

export type OperatorRole = (typeof OPERATOR_ROLES)[number]

const DUTIES = {
  'manage operators': ['admin'],
  'read users': ['support', 'payouts', 'auditor'],
  'act on users': ['support'],
  'read payouts': ['support', 'payouts', 'auditor'],
  'read the mailbox': ['support'],
  'decide about payouts': ['payouts'],
  'release holds': ['payouts'],
  'halt orders': ['support', 'payouts'],
  'resume orders': ['payouts'],
  'compare the exchange': ['payouts', 'auditor'],
  'book money at the exchange': ['payouts'],
  'read interest': ['payouts', 'auditor'],
  'book interest': ['payouts'],
  'read the audit trail': ['admin', 'auditor'],
} as const satisfies Record<string, OperatorRole[]>

export type Duty = keyof typeof DUTIES

export function mayDo(roles: readonly OperatorRole[], duty: Duty): boolean {
  const allowed: readonly OperatorRole[] = DUTIES[duty]
  return roles.some((role) => allowed.includes(role))
}

/** Reads 'support,auditor'; undefined if one is unknown or none is given. */
export function readRoles(text: string): OperatorRole[] | undefined {
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const roles = OPERATOR_ROLES.filter((role) => names.includes(role))
  return roles.length === names.length ? roles : undefined
}

/**
 * Whether one operator may have all these roles. Threat: whoever adds operators could add a
 * second account of their own and approve a payout twice.
 */
export function areApart(roles: readonly OperatorRole[]): boolean {
  return !(roles.includes('admin') && roles.includes('payouts'))
}
