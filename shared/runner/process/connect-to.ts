import { Agent, get } from 'node:http'
import type { Clock } from '../../clock/clock.ts'
import { createPost } from '../../events/events.ts'
import type { ProgramProcess } from '../program-process.ts'

export type HttpConnection = Pick<ProgramProcess, 'post' | 'responds' | 'disconnect'>

/** The longest time for an answer: longer than a step (`stepLimitMs` and `stepMarginMs`), as in a Trigger. */
const answerMs = 75_000

/** Connects to the host of functions at a URL. */
export const connectTo = (url: string, clock: Clock): HttpConnection => {
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo' })
  const post = createPost({ agent, timeoutMs: answerMs, clock })
  return {
    post: (path, message, signal) => post(new URL(path, url).href, message, signal),
    responds: signal =>
      new Promise(resolve => {
        const request = get(new URL('/health/liveness', url), { agent: false, signal }, response => {
          response.resume()
          resolve(true)
        })
        request.on('error', () => resolve(false))
      }),
    disconnect: () => agent.destroy(),
  }
}
