import type { Balances } from '#server/ledger/read.ts'

type StoredUser = {
  id: string
  username: string
  email: string | null
  firstName: string
  lastName: string
  profileImageUrl: string | null
  createdAt: Date
}

/** A user and every balance, at one moment. */
export type UserWithBalances = StoredUser & Balances
