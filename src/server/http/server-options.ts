import { LogController } from 'fastify'
import type { Context } from '#server/context.ts'
import { trustedProxies } from './trusted-proxies.ts'

/** The options that all our HTTP servers have in common. */
export const serverOptions = ({ config, log }: Pick<Context, 'config' | 'log'>) => ({
  loggerInstance: log,
  logController: new LogController({ disableRequestLogging: true }),
  trustProxy: trustedProxies(config),
  forceCloseConnections: true,
  // The framework's own ten seconds would end the start of a server on a busy machine or a cold
  // disk.
  pluginTimeout: 0,
})
