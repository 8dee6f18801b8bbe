import { clockNonces, keepsNonces, storedNonces, type Nonces } from '#server/exchange/nonces.ts'
import { readSettings, type Environment } from '#server/settings/config.ts'
import { SECRET_SETTINGS, type Settings } from '#server/settings/settings.ts'
import type { Connection } from './connect.ts'
import { connectTo, examineDatabase } from './doctor/examine-database.ts'
import {
  examineExchange,
  examineMail,
  examinePush,
  examineStripe,
} from './doctor/examine-services.ts'
import { examineSettings } from './doctor/examine-settings.ts'
import { named, wrong, type Finding, type Verdict } from './doctor/finding.ts'

type DoctorInput = { words: string[]; now: () => Date; environment?: Environment }

/**
 * Prints one line per finding, with the remedy. Changes nothing and works before the first start. A
 * start stops at the first fault; the doctor lists all of them.
 */
export async function doctor({
  words: [backupFile],
  now,
  environment,
}: DoctorInput): Promise<{ lines: string[]; ok: boolean }> {
  const read = readSettings(environment)
  const findings =
    'wrong' in read
      ? named({ settings: read.wrong.map(wrong) })
      : await examine(read.settings, { now, backupFile })
  const secrets = 'settings' in read ? secretsOf(read.settings) : []
  const faults = findings.filter(({ state }) => state !== 'ok').length
  const lines = findings.map(
    ({ state, about, message }) =>
      `${state.padEnd(8)} ${about}: ` +
      secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message),
  )
  const sum = faults === 1 ? '1 problem to fix.' : `${faults} problems to fix.`
  return { lines: [...lines, faults === 0 ? 'Everything is in order.' : sum], ok: faults === 0 }
}

async function examine(
  settings: Settings,
  { now, backupFile }: { now: () => Date; backupFile: string | undefined },
): Promise<Finding[]> {
  const stripe = await examineStripe(settings)
  const connection = await connectTo(settings)
  try {
    const nonces = await noncesOf(connection, now)
    const exchange = await examineExchange({ settings, now, nonces })
    const mayAskExchange = exchange.some(
      ({ about, state }) => about === 'account' && state === 'ok',
    )
    const database =
      'sql' in connection
        ? await examineDatabase({ settings, now, backupFile, mayAskExchange, sql: connection.sql })
        : named({ database: connection })
    const mail = await examineMail(settings)
    return [
      ...(await examineSettings(settings)),
      ...named({ stripe, mail, push: examinePush(settings) }),
      ...exchange,
      ...database,
    ]
  } finally {
    if ('sql' in connection) await connection.close()
  }
}

/** Uses the book's stored nonces, if it has any, because a trading server may be running. */
async function noncesOf(connection: Connection | Verdict, now: () => Date): Promise<Nonces> {
  const keeps = 'sql' in connection && (await keepsNonces(connection.sql).catch(() => false))
  return keeps ? storedNonces({ sql: connection.sql, now }) : clockNonces(now)
}

/**
 * Secrets to remove from the output. Threat: the output is pasted into chats, and error messages of
 * services may quote a secret.
 */
const secretsOf = (settings: Settings): string[] =>
  SECRET_SETTINGS.flatMap((name) => {
    const secret = settings[name] ?? []
    return typeof secret === 'string' ? secret : Object.values(secret)
  })
