import { setTimeout as delay } from 'node:timers/promises'
import type { PublicClient } from 'viem'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import type { Chain, Signed } from '#server/ports/chain.ts'
import { isSignedByKey, loadViem, toAddress, toHex } from './signature.ts'

/** Addresses of JSON-RPC servers, by chain number. */
export type RpcUrls = Readonly<Record<number, string | undefined>>

const TIMEOUT_MS = 3_000
const RETRIES = 2
const RETRY_DELAY_MS = 150
/** Limit for one request with all its retries: a server may ask us to retry after an hour. */
const DEADLINE_MS = 8_000

/**
 * A contract's answer for an accepted signature: `isValidSignature(bytes32,bytes)`. Source:
 * EIP-1271.
 */
const ACCEPTED = '0x1626ba7e'

const IS_VALID_SIGNATURE = {
  type: 'function',
  name: 'isValidSignature',
  stateMutability: 'view',
  inputs: [
    { name: 'hash', type: 'bytes32' },
    { name: 'signature', type: 'bytes' },
  ],
  outputs: [{ type: 'bytes4' }],
} as const

/** Uses the configured JSON-RPC servers. Signatures by keys are verified locally. */
export function rpcChain(urls: RpcUrls): Chain {
  const clients = openClients(urls)
  return {
    canonicalAddress: async (text) => {
      const { getAddress, isAddress } = await loadViem()
      return isAddress(text) ? getAddress(text) : undefined
    },
    verifySignature: async (signed) => {
      if (await isSignedByKey(signed)) return true
      const client = clients(signed.chainId)
      return client !== undefined && inTime(async () => isAcceptedByContract(await client, signed))
    },
    balanceOf: async ({ address, chainId }) => {
      const client = clients(chainId)
      if (client === undefined) throw new Refusal('chain-unconfigured')
      return inTime(async () => (await client).getBalance({ address: toAddress(address) }))
    },
  }
}

/**
 * One client for each chain, created on first use, after its server has confirmed that it serves
 * this chain.
 */
function openClients(urls: RpcUrls): (chainId: number) => Promise<PublicClient> | undefined {
  const proven = new Map<number, PublicClient>()
  return (chainId) => {
    const url = urls[chainId]
    if (url === undefined) return undefined
    const known = proven.get(chainId)
    return known
      ? Promise.resolve(known)
      : proveClient({ url, chainId }).then((client) => (proven.set(chainId, client), client))
  }
}

async function proveClient({
  url,
  chainId,
}: {
  url: string
  chainId: number
}): Promise<PublicClient> {
  const { createPublicClient, http } = await loadViem()
  const client = createPublicClient({
    transport: http(url, { timeout: TIMEOUT_MS, retryCount: RETRIES, retryDelay: RETRY_DELAY_MS }),
  })
  const served = await client.getChainId()
  // A balance of another chain would look valid and be wrong.
  if (served !== chainId)
    throw new Refusal('chain-unavailable', {
      sentence: t('The configured access to chain {wanted} serves chain {served}.', {
        wanted: chainId,
        served,
      }),
    })
  return client
}

async function isAcceptedByContract(
  client: PublicClient,
  { address, message, signature }: Signed,
): Promise<boolean> {
  const {
    BaseError,
    ContractFunctionExecutionError,
    HttpRequestError,
    RpcRequestError,
    TimeoutError,
    hashMessage,
  } = await loadViem()
  const contract = toAddress(address)
  if ((await client.getCode({ address: contract })) === undefined) return false
  try {
    const args = [hashMessage(message), toHex(signature)] as const
    const answer = await client.readContract({
      address: contract,
      abi: [IS_VALID_SIGNATURE],
      functionName: 'isValidSignature',
      args,
    })
    return answer === ACCEPTED
  } catch (error) {
    const isUnreachable = (cause: unknown) =>
      cause instanceof HttpRequestError || cause instanceof TimeoutError
    if (error instanceof BaseError && error.walk(isUnreachable)) throw error
    // A contract that reverts, lacks the function or returns an invalid value does not accept the
    // signature.
    if (error instanceof ContractFunctionExecutionError || error instanceof RpcRequestError)
      return false
    throw error
  }
}

/** The result within the deadline; any failure becomes one refusal, with its cause in the log. */
async function inTime<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const over = new AbortController()
  const late = delay(DEADLINE_MS, undefined, { signal: over.signal, ref: false }).then(() =>
    Promise.reject(new Error('the chain did not answer in time')),
  )
  try {
    return await Promise.race([ask(), late])
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw Object.assign(new Refusal('chain-unavailable'), { cause: error })
  } finally {
    late.catch(() => undefined)
    over.abort()
  }
}
