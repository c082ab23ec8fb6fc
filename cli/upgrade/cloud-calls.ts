import type { Provider } from '../../sandbox/providers/provider.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import type {
  CloudHttpAnswer,
  CloudHttpRequest,
  SendCloudHttp,
} from '../../terraform-free-infra/cloud/http-sender.ts'
import type { CloudCallRequest, SendForPlan } from '../plan/process/messages.ts'

export interface CloudCallsOptions {
  readonly providers: readonly Pick<Provider, 'name' | 'reads'>[]
  readonly send: SendCloudHttp
  readonly clock: Clock
  /** Requests per second to a host with one account. Default: those of the provider, or 10. */
  readonly perSecond?: number
}

/** The requests to clouds of all plans of a command. */
export interface CloudCalls {
  /** The number of requests that were sent. */
  readonly count: () => number
  /** Starts the plans of one object, which share all answers. */
  readonly forObject: () => ObjectCalls
}

export interface ObjectCalls {
  /**
   * Sends a read, or returns the answer that an equal one of either version has got. Rejects for a request that may
   * change something.
   */
  readonly send: SendForPlan
  /** The requests that may change something. A plan that ignores their rejection is wrong. */
  readonly refused: () => readonly string[]
  /** True if the last attempt of a request had no answer, or one that says nothing about its subject. */
  readonly hasUnanswered: () => boolean
}

/**
 * Creates the only way from the processes of two versions to the clouds: reads, at a limited rate. So the code of
 * another version changes nothing, and an answer that changes with time is no difference between the versions.
 */
export const createCloudCalls = ({ providers, send, clock, perSecond }: CloudCallsOptions): CloudCalls => {
  const next = new Map<string, number>()
  let count = 0

  const waitForRate = async ({ provider, request }: CloudCallRequest, signal: AbortSignal) => {
    const url = new URL(request.url)
    const rate = perSecond ?? rulesOf(provider).perSecond(url)
    const key = `${url.host} ${accountOf(request)}`
    const now = clock.now()
    const at = Math.max(now, next.get(key) ?? 0)
    next.set(key, at + 1000 / rate)
    if (at > now) await clock.sleep(Math.ceil(at - now), signal)
  }
  const rulesOf = (name: string) => providers.find(one => one.name === name)?.reads ?? usualReads

  return {
    count: () => count,
    forObject: () => {
      const answers = new Map<string, Promise<CloudHttpAnswer>>()
      const refused: string[] = []
      const unanswered = new Set<string>()
      return {
        refused: () => refused,
        hasUnanswered: () => unanswered.size > 0,
        send: async (call, signal) => {
          const { provider, request } = call
          if (!rulesOf(provider).isRead(request)) {
            const { origin, pathname } = new URL(request.url)
            const action = new URLSearchParams(request.body).get('Action')
            refused.push(
              `sends ${request.method} ${origin}${pathname}${action === null ? '' : ` (${action})`}`,
            )
            throw new Error('refused: a plan must not change anything')
          }
          const key = keyOf(call)
          const known = answers.get(key)
          if (known !== undefined) return known
          const sent = waitForRate(call, signal).then(() => {
            count += 1
            return send({ ...request, signal })
          })
          answers.set(key, sent)
          const judge = (status: number) => {
            // A retry of a failed request gets an answer of its own.
            if (status >= 400) answers.delete(key)
            if (status === 429 || status >= 500) unanswered.add(key)
            else unanswered.delete(key)
          }
          sent.then(
            ({ status }) => judge(status),
            () => judge(599),
          )
          return sent
        },
      }
    },
  }
}

const usualReads = {
  isRead: ({ method }: CloudHttpRequest) => method === 'GET' || method === 'HEAD',
  perSecond: () => 10,
}

/** Headers that differ between two equal requests, and between versions of an SDK. */
const ignoredHeaders =
  /^(?:authorization|host|content-length|user-agent|x-amz-(?:date|user-agent|content-sha256|security-token)|amz-sdk-.*|x-openstack-request-id)$/i

const keyOf = ({ provider, request }: CloudCallRequest): string => {
  const { method, url, headers, body, tls } = request
  const counted = Object.entries(headers)
    .filter(([name]) => !ignoredHeaders.test(name))
    .map(([name, value]) => [name.toLowerCase(), value])
    .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))
  return JSON.stringify([provider, method, url, counted, body, tls, accountOf(request)])
}

/** The access key of a signed request, or the token. */
const accountOf = ({ headers }: CloudHttpRequest): string => {
  const value = (wanted: string) =>
    Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
  return /Credential=([^/]+)/.exec(value('authorization'))?.[1] ?? value('x-auth-token')
}
