import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { interceptedKubernetes, isWriteRequest, type SteppedRequest } from './intercepted-kubernetes.ts'

/** Hooks around the requests of a function. If a hook throws, the function gets its error instead of the response. */
export interface RequestHooks {
  /** Called before the request takes effect. */
  readonly before?: (request: SteppedRequest) => void | Promise<void>
  /** Called after the request took effect. */
  readonly after?: (request: SteppedRequest) => void | Promise<void>
  /** Called after the API server refused the request. */
  readonly failed?: (request: SteppedRequest, error: unknown) => void | Promise<void>
}

/** The API server for a process that can crash at any of its writes. */
export interface SteppedProcess {
  /** Returns a client for a new process. The client of the previous process still fails if that has crashed. */
  readonly start: () => Kubernetes
  /** Requests of all processes. The caller may empty it. */
  readonly requests: SteppedRequest[]
  readonly dieAt: (write: number, when: 'before' | 'after') => void
  /** True if the current process has crashed. */
  readonly hasDied: () => boolean
}

/** Requests of a crashed process have no effect and get no response. */
export const createSteppedProcess = (kubernetes: Kubernetes, hooks: () => RequestHooks): SteppedProcess => {
  const requests: SteppedRequest[] = []
  let death: { writesLeft: number; readonly when: 'before' | 'after' } | undefined
  let hasDied = false

  const start = (): Kubernetes => {
    let dead = false
    hasDied = false
    death = undefined
    const die = (): never => {
      dead = true
      throw new Error('the process has crashed')
    }
    const send = async <T>(request: SteppedRequest, work: () => Promise<T>): Promise<T> => {
      if (dead) die()
      const writes = isWriteRequest(request)
      if (writes && death !== undefined) death.writesLeft -= 1
      const dies = writes && death?.writesLeft === 0 ? death.when : undefined
      if (dies !== undefined) {
        death = undefined
        hasDied = true
      }
      if (dies === 'before') die()
      // The process is dead for its other requests from now on.
      if (dies === 'after') dead = true
      await hooks().before?.(request)
      requests.push(request)
      const answer = await work().catch(async (error: unknown) => {
        await hooks().failed?.(request, error)
        throw error
      })
      await hooks().after?.(request)
      return dead ? die() : answer
    }
    return interceptedKubernetes(kubernetes, send)
  }
  return {
    start,
    requests,
    dieAt: (writesLeft, when) => {
      death = { writesLeft, when }
    },
    hasDied: () => hasDied,
  }
}
