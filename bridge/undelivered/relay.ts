import { Agent } from 'node:http'
import type { Clock } from '../../shared/clock/clock.ts'
import { createPost, type HttpHeaders, type Post } from '../../shared/events/events.ts'

/** Passes the headers of a dead letter on. Returns the status of the bridge that answered, or undefined. */
export type Relay = (headers: HttpHeaders) => Promise<number | undefined>

/** Counts the bridges that a message has passed. */
const passesHeader = 'trellis-passes'
/**
 * Each pass is a new connection to the Service, which chooses one of its pods. With two pods, one message in 64 does
 * not reach the bridge that leads, and the broker repeats it.
 */
const mostPasses = 6
const relayTimeoutMs = 5_000

/**
 * Creates a relay to the Service of all replicas: only the broker knows the Service, and only the API server the pod
 * that leads. The dispatcher of RabbitMQ's dead letters has one worker, so each refusal would delay all others by
 * seconds.
 *
 * @param url the address of the Service, with the path
 */
export const createRelay = (options: {
  readonly url: string
  readonly clock: Clock
  readonly post?: Post
}): Relay => {
  const { url, clock } = options
  const agent = new Agent({ keepAlive: false })
  const post = options.post ?? createPost({ agent, timeoutMs: relayTimeoutMs, clock })
  const { signal } = new AbortController()
  return async given => {
    const passes = Number(given[passesHeader]?.toString() ?? 0)
    if (!(passes >= 0 && passes < mostPasses)) return undefined
    const headers: Record<string, string> = { [passesHeader]: String(passes + 1) }
    for (const [name, value] of Object.entries(given))
      if (name.startsWith('ce-') && value !== undefined) headers[name] = value.toString()
    try {
      return (await post(url, { headers, body: new Uint8Array() }, signal)).status
    } catch {
      return undefined
    }
  }
}
