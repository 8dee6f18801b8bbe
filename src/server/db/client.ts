import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '../kernel/errors.ts'
import { addressesOf } from '../settings/database-address.ts'

/**
 * Time limits for connecting, for probing each host, and for polling the hosts while none accepts
 * writes. On a busy machine, a cold disk or during a failover a start may take a minute.
 */
const PROMPT = { connectMs: 4_000, probeMs: 1_500, chooseMs: 4_000 }
const PATIENT = { connectMs: 300_000, probeMs: 30_000, chooseMs: 60_000 }

let limits = PROMPT

export function connectPatiently(): () => void {
  limits = PATIENT
  return () => void (limits = PROMPT)
}

export const connectWithinMs = (): number => limits.connectMs

const POLL_MS = 200

/**
 * Error code: no host of the address accepts writes, because a standby is not promoted yet or only
 * standbys answer.
 */
export const NO_PRIMARY = 'NO_PRIMARY'
const noPrimary = (): Error =>
  Object.assign(new Error('no host takes writes'), { code: NO_PRIMARY })

const IS_READ_ONLY = 'show transaction_read_only'
/** Parameter of an address. The start has refused all values that allow a host without writes. */
const ASKS = /[?&]target_session_attrs=/

/** For each address with several hosts: the number of the host that last accepted writes. */
const lastPrimaries = new Map<string, number>()

type Options = Omit<pg.ClientConfig, 'connectionString'> & { connectionString: string }

/**
 * Connects to the host that accepts writes. A single host is checked only if the address has
 * `target_session_attrs`, because a proxy may lead to a standby during a switch.
 */
export class Client extends pg.Client {
  readonly #url: string
  readonly #addresses: readonly string[]

  // The type of the pool's constructor allows missing settings, but the pool always passes them.
  constructor(config?: pg.ClientConfig) {
    const { connectionString: url } = config as Options
    const addresses = addressesOf(url)
    super({ ...config, connectionString: addresses[0], connectionTimeoutMillis: connectWithinMs() })
    // Without a listener, a connection lost before its user listens for errors would end the
    // process. With this one, the next statement fails instead.
    this.on('error', () => undefined)
    this.#url = url
    this.#addresses = addresses
  }

  override connect(): Promise<pg.Client>
  override connect(whenReady: (error?: Error) => void): void
  override connect(whenReady?: (error?: Error) => void): Promise<pg.Client> | void {
    const connected = this.#choose()
      .then(() => super.connect())
      .then(() => this.#refuseStandby())
    if (whenReady === undefined) return connected.then(() => this)
    connected.then(() => whenReady(), whenReady)
  }

  /** Queried on this very connection, because a proxy may route the next one to another host. */
  async #refuseStandby(): Promise<void> {
    if (this.#addresses.length > 1 || !ASKS.test(this.#url)) return
    try {
      const { rows } = await this.query<{ transaction_read_only: string }>(IS_READ_ONLY)
      if (rows[0]?.transaction_read_only !== 'off') throw noPrimary()
    } catch (error) {
      await this.end()
      throw error
    }
  }

  async #choose(): Promise<void> {
    if (this.#addresses.length === 1) return
    const untilMs = performance.now() + limits.chooseMs
    for (
      let failure = await this.#chooseOnce();
      failure !== undefined;
      failure = await this.#chooseOnce()
    ) {
      if (performance.now() > untilMs) throw failure
      await delay(POLL_MS)
    }
  }

  async #chooseOnce(): Promise<unknown> {
    const first = lastPrimaries.get(this.#url) ?? 0
    const failures: unknown[] = []
    for (let step = 0; step < this.#addresses.length; step += 1) {
      const number = (first + step) % this.#addresses.length
      const place = await writableAt(this.#addresses[number] as string).catch(
        (error: unknown) => void failures.push(error),
      )
      if (place === undefined) continue
      lastPrimaries.set(this.#url, number)
      Object.assign(this, place)
      return undefined
    }
    const failed = (code: string) => failures.find((failure) => codeOf(failure) === code)
    // '53300' (too many connections) comes first, because beside a standby, a primary without free
    // connections looks like a missing primary.
    return failed('53300') ?? failed(NO_PRIMARY) ?? failures[0]
  }
}

/**
 * The host and port of the database at this address; throws if it cannot be reached or takes no
 * writes.
 */
async function writableAt(address: string): Promise<{ host: string; port: number }> {
  const probe = new pg.Client({
    connectionString: address,
    application_name: 'trading-bot probe',
    connectionTimeoutMillis: limits.probeMs,
    query_timeout: limits.probeMs,
  })
  probe.on('error', () => undefined)
  try {
    await probe.connect()
    const { rows } = await probe.query<{ transaction_read_only: string }>(IS_READ_ONLY)
    if (rows[0]?.transaction_read_only === 'off') return { host: probe.host, port: probe.port }
    throw noPrimary()
  } finally {
    await probe.end().catch(() => undefined)
  }
}
