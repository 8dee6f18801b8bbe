import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Refusal } from '#core/refusal.ts'
import { t } from '#words/words.ts'
import type { Chain, SignedMessage } from '#server/ports/chain.ts'
import { hashMessage, isKeySignature, isSignedByKey, unwrapSignature } from './signature.ts'

type RpcUrls = Readonly<Record<number, string | undefined>>

/**
 * A call of the node, which returns hexadecimal text. Rejects with `CallFailed` if the EVM failed.
 */
type Call = (method: string, ...params: readonly unknown[]) => Promise<string>

const TIMEOUT_MS = 3_000
const RETRIES = 2
const RETRY_DELAY_MS = 150
/** Time limit for all calls of one request, with their retries. */
const DEADLINE_MS = 8_000

/** `isValidSignature(bytes32,bytes)`, and a contract's answer to a valid signature (EIP-1271). */
const IS_VALID_SIGNATURE = '1626ba7e'

const ANSWER = z.union([
  z.object({ result: z.string().regex(/^0x[0-9a-f]*$/i) }),
  z.object({
    error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
  }),
])

/** Codes of geth and OpenEthereum for a call that the contract made fail. */
const FAILED_CODES: readonly number[] = [3, -32_015]
/** Other nodes report the reason as text, under codes that also mean something else. */
const FAILED_TEXT = new RegExp(
  [
    'revert|out ?of ?gas|gas required exceeds allowance|stack ?(?:under|over)flow',
    'invalid ?\\w*(?:opcode|jump)|bad instruction',
  ].join('|'),
  'i',
)

class CallFailed extends Error {}

/** Accesses chains by RPC. Signatures by keys are verified locally. */
export function rpcChain(urls: RpcUrls): Chain {
  /** Ids of chains whose node has confirmed its chain id. */
  const proven = new Set<number>()

  /** Turns any failure into the same refusal, and logs its cause. */
  async function read<Answer>(
    chainId: number,
    answer: (call: Call) => Promise<Answer>,
  ): Promise<Answer> {
    const url = urls[chainId]
    if (url === undefined) throw new Refusal('chain-unconfigured')
    const call = caller(url, AbortSignal.timeout(DEADLINE_MS))
    try {
      if (!proven.has(chainId)) await proveChain(call, chainId)
      proven.add(chainId)
      return await answer(call)
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw Object.assign(new Refusal('chain-unavailable'), { cause: error })
    }
  }

  return {
    verifySignature: async (signed) => {
      if (isSignedByKey(signed)) return true
      if (urls[signed.chainId] !== undefined)
        return await read(signed.chainId, (call) => isAcceptedByContract(call, signed))
      if (isKeySignature(signed.signature)) return false
      throw new Refusal('wallet-signature-invalid', {
        field: 'signature',
        sentence: t(
          "We can't check contract wallets on this network. Choose another network or wallet.",
        ),
      })
    },
    balanceOf: ({ address, chainId }) =>
      read(chainId, async (call) => BigInt(await call('eth_getBalance', address, 'latest'))),
  }
}

function caller(address: string, deadline: AbortSignal): Call {
  const { href, headers } = splitCredentials(address)
  const attempt: Call = async (method, ...params) => {
    const response = await fetch(href, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.any([deadline, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    // The status is ignored, because some servers send a contract's error with 400 or 500.
    const answer = ANSWER.safeParse(await response.json().catch(() => undefined)).data
    if (answer && 'error' in answer) throw failureOf(answer.error)
    if (!answer || !response.ok)
      throw new Error(`${method}: no answer of JSON-RPC, HTTP status ${response.status}`)
    return answer.result
  }
  return async (method, ...params) => {
    for (let failures = 0; ; failures += 1)
      try {
        return await attempt(method, ...params)
      } catch (error) {
        if (error instanceof CallFailed || failures === RETRIES) throw error
        await delay(RETRY_DELAY_MS, undefined, { signal: deadline })
      }
  }
}

function failureOf({ code, message, data }: { code: number; message: string; data?: unknown }) {
  const text = `JSON-RPC error ${code}: ${message}`
  const hasFailed = FAILED_CODES.includes(code) || FAILED_TEXT.test(`${message} ${String(data)}`)
  return hasFailed ? new CallFailed(text) : new Error(text)
}

/** Moves a name and a password from the URL into a header, because fetch refuses such URLs. */
function splitCredentials(address: string): { href: string; headers: Record<string, string> } {
  const url = new URL(address)
  const headers = { 'content-type': 'application/json' }
  if (url.username === '') return { href: address, headers }
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = url.password = ''
  return {
    href: url.href,
    headers: { ...headers, authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
  }
}

/** Refuses a node of another chain, whose balances would look valid but be wrong. */
async function proveChain(call: Call, wanted: number): Promise<void> {
  const served = Number(await call('eth_chainId'))
  if (served !== wanted)
    throw new Refusal('chain-unavailable', {
      sentence: t('The endpoint configured for chain {wanted} serves chain {served}.', {
        wanted,
        served,
      }),
    })
}

/**
 * Whether a contract accepts the signature (EIP-1271). A wallet that is not deployed yet is
 * deployed only within the call (ERC-6492).
 */
async function isAcceptedByContract(
  call: Call,
  { address, message, signature }: SignedMessage,
): Promise<boolean> {
  const wrapped = unwrapSignature(signature)
  const isDeployed = (await call('eth_getCode', address, 'latest')) !== '0x'
  if (!isDeployed && !wrapped) return false
  const data = validityCall(message, wrapped?.signature ?? signature)
  const request =
    wrapped && !isDeployed
      ? { data: deployThenAsk({ ...wrapped, address, question: data }) }
      : { to: address, data: `0x${data}` }
  try {
    const answer = await call('eth_call', request, 'latest')
    return answer === `0x${IS_VALID_SIGNATURE}`.padEnd(66, '0')
  } catch (error) {
    if (error instanceof CallFailed) return false
    throw error
  }
}

function validityCall(message: string, signature: string): string {
  const bytes = signature.slice(2)
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')
  const words = [hashMessage(message), word(64), word(bytes.length / 2), padded]
  return IS_VALID_SIGNATURE + words.join('')
}

type Deployment = { factory: string; data: string; address: string; question: string }

/**
 * The code of a contract creation that calls the factory with `data`, then the wallet with
 * `question`, and returns the wallet's first word, or 0 if that call failed. The node only computes
 * this, and stores nothing.
 */
function deployThenAsk({ factory, data, address, question }: Deployment): string {
  const push2 = (value: number) => `61${value.toString(16).padStart(4, '0')}`
  const copy = (length: number, from: number) => `${push2(length)}${push2(from)}600039`
  const [dataLength, questionLength] = [data.length / 2, question.length / 2]
  const code = (ownLength: number) =>
    [
      copy(dataLength, ownLength),
      // Call, with no value; its result does not matter.
      `60006000${push2(dataLength)}6000600073${factory}5af150`,
      copy(questionLength, ownLength + dataLength),
      // Makes a static call; the answer replaces the first word of memory.
      `60206000${push2(questionLength)}600073${address.slice(2)}5afa`,
      // Returns the answer, or 0 if the call failed: multiplied by the call's success, 1 or 0.
      '6000510260005260206000f3',
    ].join('')
  return `0x${code(code(0).length / 2)}${data}${question}`
}
