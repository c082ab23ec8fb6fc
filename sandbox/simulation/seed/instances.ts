import type { Clock } from '../../../shared/clock/clock.ts'
import type { HttpMessage } from '../../../shared/events/events.ts'
import { refusedConnection } from '../process/simulated-post.ts'
import type { Random } from '../random.ts'
import type { FunctionInstance } from './function-instance.ts'

export interface InstancesOptions {
  /** Starts the n-th instance of a Service, from 1. Undefined: there is no such Service. */
  readonly start: (service: string, number: number) => FunctionInstance | undefined
  readonly clock: Clock
  readonly random: Random
  /** The most instances of a Service at a time. */
  readonly most: number
  /** Time of a cold start in ms. */
  readonly coldMs: () => number
  /** An instance ends after this time without events, in ms. Undefined: never. */
  readonly idleMs: number | undefined
}

/** The instances of Knative Services: started by events, several of one Service at a time, ended when idle. */
export interface Instances {
  /** Returns the URL of an instance for one request, and starts one if needed. */
  resolve(service: string): Promise<string>
  answer(url: string, message: HttpMessage, gone: AbortSignal): ReturnType<FunctionInstance['answer']>
  /** Returns the running instances. */
  running(): readonly FunctionInstance[]
}

export const createInstances = (options: InstancesOptions): Instances => {
  const { start, clock, random, most, coldMs, idleMs } = options
  const byHost = new Map<string, FunctionInstance>()
  const ofService = new Map<string, Set<string>>()
  const cancelIdle = new Map<string, () => void>()
  let started = 0

  const open = async (service: string): Promise<string> => {
    const number = ++started
    const host = `${service}-${number}`
    const instance = start(service, number)
    if (instance === undefined) throw new Error(`there is no Service ${service}`)
    const hosts = ofService.get(service) ?? new Set()
    ofService.set(service, hosts.add(host))
    const forget = () => {
      hosts.delete(host)
      byHost.delete(host)
      cancelIdle.get(host)?.()
    }
    void instance.process.ended.then(forget)
    await clock.sleep(coldMs())
    if (instance.process.isAlive()) byHost.set(host, instance)
    return host
  }

  const endWhenIdle = (host: string, instance: FunctionInstance): void => {
    cancelIdle.get(host)?.()
    if (idleMs === undefined || instance.inFlight() > 0) return
    cancelIdle.set(
      host,
      clock.after(idleMs, () => {
        if (instance.inFlight() === 0) instance.process.kill()
      }),
    )
  }

  return {
    resolve: async service => {
      const hosts = [...(ofService.get(service) ?? [])].filter(host => !byHost.get(host)?.isStopping())
      // A Service with less than its most instances grows now and then, as with concurrent events.
      const grows = hosts.length === 0 || (hosts.length < most && random.chance(0.5))
      return `http://${grows ? await open(service) : random.pick(hosts)}/`
    },
    answer: async (url, message, gone) => {
      const { hostname } = new URL(url)
      const instance = byHost.get(hostname)
      if (instance === undefined) throw refusedConnection()
      cancelIdle.get(hostname)?.()
      try {
        return await instance.answer(url, message, gone)
      } finally {
        endWhenIdle(hostname, instance)
      }
    },
    running: () => [...byHost.values()],
  }
}
