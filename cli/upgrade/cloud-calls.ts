import type { CloudReads, Provider } from '../../sandbox/providers/provider.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import type { CloudHttpAnswer, SendCloudHttp } from '../../terraform-free-infra/cloud/http-sender.ts'
import type { CloudCallRequest, SendForPlan } from '../plan/process/messages.ts'

export interface CloudCallsOptions {
  readonly providers: readonly Pick<Provider, 'name' | 'reads'>[]
  readonly send: SendCloudHttp
  readonly clock: Clock
  /** The address that the user gave for all clouds. Default: those of their owners. */
  readonly endpoint?: string
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
export const createCloudCalls = ({
  providers,
  send,
  clock,
  endpoint,
  perSecond,
}: CloudCallsOptions): CloudCalls => {
  const next = new Map<string, number>()
  let count = 0

  const waitForRate = async ({ provider, request }: CloudCallRequest, signal: AbortSignal) => {
    const url = new URL(request.url)
    const rules = rulesOf(provider)
    const rate = perSecond ?? rules.perSecond(url)
    const key = `${url.host} ${rules.accountOf(request.headers)}`
    const now = clock.now()
    const at = Math.max(now, next.get(key) ?? 0)
    next.set(key, at + 1000 / rate)
    if (at > now) await clock.sleep(Math.ceil(at - now), signal)
  }
  const isPermitted = (name: string, url: URL) =>
    providers.some(one => one.name === name) &&
    // Nothing of a cloud has a link-local address but the credentials of this machine.
    !/^(?:169\.254\.|\[fe80:)/.test(url.hostname) &&
    (endpoint !== undefined || (rulesOf(name).isOwner?.(url) ?? true))
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
          const url = new URL(request.url)
          if (!isPermitted(provider, url) || !rulesOf(provider).isRead(request)) {
            const { origin, pathname } = url
            const action = new URLSearchParams(request.body).get('Action')
            refused.push(
              `sends ${request.method} ${origin}${pathname}${action === null ? '' : ` (${action})`}`,
            )
            throw new Error('refused: a plan must not change anything')
          }
          const key = keyOf(call, rulesOf(provider))
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

const usualReads: CloudReads = {
  isRead: ({ method }) => method === 'GET' || method === 'HEAD',
  perSecond: () => 10,
  accountOf: () => '',
  ignored: /^$/,
}

/** Headers that differ between two equal requests to any cloud. */
const ignoredHeaders = /^(?:authorization|host|content-length|user-agent)$/

const keyOf = ({ provider, request }: CloudCallRequest, { accountOf, ignored }: CloudReads): string => {
  const { method, url, headers, body, tls } = request
  const counted = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !ignoredHeaders.test(name) && !ignored.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([provider, method, url, counted, body, tls, accountOf(headers)])
}
