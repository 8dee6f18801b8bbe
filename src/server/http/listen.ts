import type { FastifyInstance } from 'fastify'
import { codeOf, StartupError } from '#server/kernel/errors.ts'
import type { Config } from '#server/settings/config.ts'

type Place = { host: 'HOST' | 'OPERATOR_HOST'; port: 'PORT' | 'OPERATOR_PORT' }

/** `host` and `port` name the settings in the sentence of a failure. Returns the address. */
export async function listen(
  app: FastifyInstance,
  config: Pick<Config, Place['host'] | Place['port']>,
  { host, port }: Place,
): Promise<string> {
  try {
    return await app.listen({ host: config[host], port: config[port] ?? 0 })
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `Port ${config[port]} is taken: stop what uses it, or set ${port} to another.`,
      )
    if (code === 'EACCES')
      throw new StartupError(
        `Port ${config[port]} may not be used by this user: set ${port} to one above 1023.`,
      )
    if (/^(E[A-Z_]+)$/.test(code))
      throw new StartupError(`${host} ${config[host]} is not an address of this machine (${code}).`)
    throw error
  }
}
