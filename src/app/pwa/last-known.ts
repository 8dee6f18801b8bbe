import type { Query, QueryClient } from '@tanstack/react-query'
import type { User } from '#contract/auth.ts'
import { routes, type Route } from '#contract/routes.ts'
import { ApiError, isSignedOut } from '#app/api/call.ts'
import { isUnconfirmed, setUnconfirmed } from '#app/api/answer-times.ts'
import { notifyOtherTabs } from './other-tabs.ts'

/**
 * Long enough that the code for storing answers is loaded after everything that the first screen
 * needs.
 */
const SAVE_DELAY_MS = 1_000

/** A slow disk must not delay the start of the app. */
const READ_TIMEOUT_MS = 1_500

/** Loaded only without a network, or to store or delete answers. */
const loadStore = () => import('./last-known-store.ts')

export async function restoreLastKnown(client: QueryClient): Promise<void> {
  const known = await Promise.race([
    loadStore().then(({ readLastKnown }) => readLastKnown()),
    new Promise<undefined>((resolve) => setTimeout(resolve, READ_TIMEOUT_MS, undefined)),
  ])
  const present = userOf(client)
  if (!known || present === null || (present && present.id !== known.userId)) return
  setUnconfirmed(true)
  for (const { queryKey, data, updatedAt } of known.answers) {
    if (client.getQueryData(queryKey) === undefined)
      client.setQueryData(queryKey, data, { updatedAt })
  }
}

/**
 * Refetches the user, then everything else, because answers shown without a network may be out of
 * date.
 */
export async function confirmLastKnown(client: QueryClient): Promise<void> {
  if (!isUnconfirmed()) return
  await client.refetchQueries({ queryKey: ['getUser'] })
  if (!isUnconfirmed())
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getUser' })
}

/**
 * Stores the signed-in user's answers on this device, and deletes them as soon as the session ends.
 */
export function keepLastKnown(client: QueryClient): void {
  const { note, save, forget } = openKeeper(client)
  const queries = client.getQueryCache()
  queries.subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'success') {
      if (query.queryKey[0] === 'getUser' && action.manual !== true) setUnconfirmed(false)
      // Not for figures computed between two answers: see `live-figures.ts`.
      if (action.dataUpdatedAt === undefined) note(query)
    }
    if (action.type === 'error') {
      if (isSignedOut(action.error)) forget()
      if (isUnreachable(action.error)) keepShowing(query)
    }
  })
  client.getMutationCache().subscribe(({ mutation }) => {
    if (isSignedOut(mutation?.state.error)) forget()
  })
  window.addEventListener('pagehide', save)
  for (const query of queries.getAll()) note(query)
}

function openKeeper(client: QueryClient) {
  const changed = new Set<Query>()
  let owner: string | null | undefined
  let isNew = true
  let saving: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(saving)
    saving = undefined
    const answers = [...changed].map(answerOf)
    changed.clear()
    if (typeof owner !== 'string' || answers.length === 0) return
    const known = { userId: owner, answers, isNew }
    inTurn(({ keepAnswers }) => keepAnswers(known))
    isNew = false
  }
  const forget = () => {
    changed.clear()
    inTurn(({ wipeLastKnown }) => wipeLastKnown())
  }
  const followUser = () => {
    const user = userOf(client)
    if (user === undefined || owner === (user?.id ?? null)) return
    const delayMs = owner === undefined ? SAVE_DELAY_MS : 0
    owner = user?.id ?? null
    isNew = true
    notifyOtherTabs(owner)
    // Checks again, because a user who signs in during the delay has answers to store.
    if (owner === null) setTimeout(() => owner === null && forget(), delayMs)
  }
  const note = (query: Query) => {
    if (query.state.data === undefined || !isKept(query.queryKey[0])) return
    if (query.queryKey[0] === 'getUser') followUser()
    changed.add(query)
    saving ??= setTimeout(save, SAVE_DELAY_MS)
  }
  return { note, save, forget }
}

/**
 * If the server cannot be reached, the screen keeps its figures, with their age, instead of showing
 * an error.
 */
function keepShowing(query: Query): void {
  if (query.state.data === undefined) return
  setUnconfirmed(true)
  query.setState({ status: 'success', error: null })
}

function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0
}

function userOf(client: QueryClient): User | null | undefined {
  return client.getQueryData<User | null>(['getUser'])
}

const calls: Partial<Record<string, Route>> = routes

/** Whether the device stores the answers to a query. */
export const isKept = (name: unknown): boolean => calls[String(name)]?.kept === true

function answerOf({ queryHash, queryKey, state: { data, dataUpdatedAt } }: Query) {
  return { hash: queryHash, queryKey, data, updatedAt: dataUpdatedAt }
}

let turn: Promise<void> = Promise.resolve()

/**
 * Runs one write at a time. Ignores failures, because a browser may deny storage; then only the
 * offline screens are missing.
 */
function inTurn(work: (store: Awaited<ReturnType<typeof loadStore>>) => Promise<void>): void {
  turn = turn
    .then(loadStore)
    .then(work)
    .catch((error: unknown) => console.warn('Figures not stored.', error))
}
