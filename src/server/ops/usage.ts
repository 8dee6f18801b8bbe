import type { Refusal } from '#core/refusal.ts'
import { refusal } from './command.ts'

/** Capitals: a typed value. `…`: one word or more. Brackets: optional words. */
type Form = readonly [form: string, purpose: string]

export const USAGES = {
  doctor: [
    [
      'doctor [BACKUP]',
      'list what is missing or wrong in the configuration; exit 1 if anything is',
    ],
  ],
  reconcile: [
    ['reconcile', 'recompute the whole book and list each row that differs; exit 1 if any does'],
  ],
  withdrawals: [
    ['withdrawals [list]', 'list every open withdrawal'],
    [
      'withdrawals review|approve|reject|mark-paid|mark-failed|mark-returned ID [--note TEXT…]',
      'mark-failed and mark-returned take two different operators',
    ],
  ],
  payouts: [
    ['payouts [list]', 'list the newest batches for the bank'],
    [
      'payouts export FOLDER [BATCH]',
      "write everything approved to a file for the bank, or a batch's file again",
    ],
    [
      'payouts mark-paid|mark-failed BATCH',
      'mark the payouts of a batch that are still on their way',
    ],
    ['payouts halt [REASON…]', 'let nothing more be sent, as after a restore'],
    ['payouts resume', 'let payouts go on'],
  ],
  halt: [['halt [REASON…]', 'stop all new orders within a second, in every process']],
  resume: [['resume', 'allow orders again']],
  venue: [
    ['venue [compare]', "compare the exchange's balances with the book"],
    [
      'venue funded|withdrew AMOUNT REFERENCE',
      'book money moved from the bank to the exchange, or back; with the bank’s own reference',
    ],
    [
      'venue settle PAIR PRICE|last REASON…',
      'buy the coins of a pair that is no longer traded; takes two different operators',
    ],
  ],
  interest: [
    ['interest', 'interest paid on idle cash, and what the bank received for it'],
    [
      'interest funded AMOUNT REFERENCE',
      'book money that the bank received for it, with its own reference',
    ],
  ],
  mail: [
    [
      'mail [NAME]',
      'show the newest messages of a paper book without a mail server; else how many wait',
    ],
  ],
  user: [
    ['user NAME', "show a user's balances and bots"],
    ['user NAME freeze REASON…', 'let a user see everything but change nothing; payouts wait'],
    ['user NAME unfreeze', 'let a user change things again'],
    [
      'user NAME release-holds REASON…',
      'let withdrawals be sent before their hold ends; takes two different operators',
    ],
    ['user NAME end-sessions', 'sign a user out everywhere'],
  ],
  audit: [
    ['audit', 'list the newest events of the audit trail'],
    ['audit list [SUBJECT]', 'list those of one subject'],
  ],
  operator: [
    [
      'operator add NAME --role ROLE',
      'add an operator: admin, support, payouts or auditor, several with commas',
    ],
    ['operator [list]', 'list everybody who is or was an operator'],
    ['operator disable NAME', "end an operator's access"],
  ],
  'sign-in': [['sign-in NAME', 'sign in for 8 hours, with password and code']],
  'sign-out': [['sign-out', 'end that session']],
  backup: [['backup FILE', 'write a snapshot of everything to one file']],
  restore: [['restore FILE', 'restore a backup into an empty database']],
  distribute: [
    [
      'distribute [--shards NUMBER] [--yes]',
      "plan how Citus distributes the users' tables, in 32 shards; with --yes, do it",
    ],
  ],
} satisfies Record<string, readonly Form[]>

export type UsageName = keyof typeof USAGES

const WIDTH = 44

export function usage(): string {
  const lines = Object.values(USAGES)
    .flat()
    .map(([form, purpose]) =>
      form.length < WIDTH
        ? `  ${form.padEnd(WIDTH)} ${purpose}`
        : `  ${form}\n${' '.repeat(WIDTH + 3)}${purpose}`,
    )
  return [
    'npm run ops -- COMMAND',
    ...lines,
    'All but doctor, reconcile, backup, restore and distribute need an operator who is ' +
      'signed in. Everything is audited under their name.',
  ].join('\n')
}

/**
 * Undefined if every word belongs to a form; missing and wrong values are refused by the command.
 */
export function sentenceOfSurplus(name: UsageName, words: readonly string[]): string | undefined {
  const surplus = USAGES[name].map(([form]) => firstSurplus(partsOf(form).slice(1), words))
  if (surplus.some((index) => index === undefined)) return undefined
  const word = words[Math.max(...surplus.map((index) => index ?? 0))]
  return word === undefined ? undefined : `"${word}" is not understood: use ${formsOf(name)}`
}

const formsOf = (name: UsageName): string =>
  USAGES[name].map(([form]) => `npm run ops -- ${form}`).join(', or ')

/** The refusal of a command that lacks words. */
export const misused = (name: UsageName): Refusal => refusal(`Use ${formsOf(name)}`)

type Part = { texts: string[]; isOptional: boolean }

/** 'halt [REASON…]' has the parts halt and, optional, REASON…. */
function partsOf(form: string): Part[] {
  return [...form.matchAll(/\[([^\]]+)\]|(\S+)/g)].map(([, optional, plain = '']) => ({
    texts: (optional ?? plain).split(' '),
    isOptional: optional !== undefined,
  }))
}

function firstSurplus(parts: readonly Part[], words: readonly string[]): number | undefined {
  let index = 0
  for (const { texts, isOptional } of parts) {
    const taken = texts.map((text, offset) => fits(text, words[index + offset]))
    if (index === words.length) return undefined
    if (taken.every(Boolean))
      index = texts.at(-1)?.endsWith('…')
        ? words.length
        : Math.min(words.length, index + texts.length)
    else if (!isOptional) return index + taken.indexOf(false)
  }
  return index < words.length ? index : undefined
}

/** A form in capitals matches any word, another one only its choices. A missing word matches. */
function fits(text: string, word: string | undefined): boolean {
  if (word === undefined) return !text.startsWith('-')
  return /^[A-Z]/.test(text) || text.split('|').includes(word)
}
