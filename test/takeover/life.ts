import type { Random } from '../world/random.ts'
import type { Owner, Preview } from './owner.ts'
import type { Thief } from './thief.ts'

/** The outcome of lives with an owner who presses 'This was not me'. Amounts are in units. */
export type Lives = {
  lives: number
  /**
   * Lives by outcome: the owner pressed in the message; thieves had pressed before and left no
   * link; thieves could do nothing.
   */
  pressed: Record<string, number>
  thievesPressed: number
  quiet: number
  /** Presses that undid a withdrawal, a bank account, a factor and an address. */
  undone: { withdrawals: number; accounts: number; factors: number; addresses: number }
  stolen: bigint
  lockedOut: number
  /** Sessions, factors, bank accounts and addresses of thieves that were left. */
  surviving: number
  /** Messages that a channel did not get. */
  untold: number
  /** Presses that gave back another address than the page had named. */
  misleading: number
  /** The first ways in which a life ended badly, to look into. */
  faults: string[]
}

/**
 * The ways in which a user can be reached before something happens: the verified address, and the
 * browsers that get pushes. `last`: the newest notice by then.
 */
export type Channels = {
  userId: string
  last: string | null
  addresses: string[]
  browsers: string[]
}

/** Everything that gives access to an account and its money. */
export type Belongings = {
  factors: string[]
  accounts: string[]
  sessions: string[]
  email: string | null
  pending: string | null
  browsers: number
  delayHours: number
  allowedOnly: boolean
}

export type Life = {
  number: number
  random: Random
  owner: Owner
  thieves: Thief[]
  /**
   * Number of the owner's messages that mail readers among the thieves have seen; undefined while
   * they still read.
   */
  readUntil: Map<string, number> | undefined
  hours: number
  /**
   * Number of steps that thieves have made when the owner presses; higher if no message had arrived
   * by then, because no step changed anything.
   */
  moment: number
  before: Belongings
  /** The newest notice when the life began: later ones belong to it. */
  first: string
  channels: Channels
  /** The steps that succeeded, in order, to understand a bad end. */
  story: string[]
  /** The list on the page of 'This was not me' before the press. */
  preview: Preview | undefined
}
