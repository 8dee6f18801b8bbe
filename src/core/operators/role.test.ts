import { expect, test } from 'vitest'
import { areApart, mayDo, OPERATOR_ROLES, readRoles } from './role.ts'

test('roles are parsed from a list, in their own order and once each', () => {
  expect(readRoles('auditor, support,support')).toEqual(['support', 'auditor'])
  expect(readRoles('payouts')).toEqual(['payouts'])
  for (const text of ['', 'root', 'support,root', 'support,', 'SUPPORT'])
    expect(readRoles(text), `${text} is none`).toBeUndefined()
})

test('no role both manages operators and decides about payouts', () => {
  expect(areApart(['admin', 'payouts'])).toBe(false)
  expect(areApart(['admin', 'support', 'auditor'])).toBe(true)
  expect(areApart(['support', 'payouts'])).toBe(true)
})

test('an auditor only reads, support moves no money, and an admin sees no user', () => {
  const dutiesOf = (role: (typeof OPERATOR_ROLES)[number]) =>
    DUTIES.filter((duty) => mayDo([role], duty))
  expect(dutiesOf('auditor')).toEqual([
    'read users',
    'read payouts',
    'compare the exchange',
    'read the audit trail',
  ])
  expect(dutiesOf('support')).toEqual([
    'read users',
    'act on users',
    'read payouts',
    'read the mailbox',
    'halt orders',
  ])
  expect(dutiesOf('payouts')).toEqual([
    'read users',
    'read payouts',
    'decide about payouts',
    'release holds',
    'halt orders',
    'resume orders',
    'compare the exchange',
    'book money at the exchange',
  ])
  expect(dutiesOf('admin')).toEqual(['manage operators', 'read the audit trail'])
  expect(mayDo(['auditor', 'support'], 'act on users')).toBe(true)
})

const DUTIES = [
  'manage operators',
  'read users',
  'act on users',
  'read payouts',
  'read the mailbox',
  'decide about payouts',
  'release holds',
  'halt orders',
  'resume orders',
  'compare the exchange',
  'book money at the exchange',
  'read the audit trail',
] as const
