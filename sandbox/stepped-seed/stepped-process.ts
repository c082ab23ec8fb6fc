import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { PassCall, TestCall } from './cloud/cloud-under-test.ts'
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

/** The API server and the cloud for a process that can crash at any write and at any call of the cloud. */
export interface SteppedProcess {
  /** Returns a client for a new process. The client of the previous process still fails if that has crashed. */
  readonly start: () => Kubernetes
  /** Passes on the calls of the current process to the cloud. */
  readonly call: PassCall
  /** Requests of all processes. The caller may empty it. */
  readonly requests: SteppedRequest[]
  /** Calls of all processes to the cloud. The caller may empty it. */
  readonly calls: TestCall[]
  readonly dieAt: (action: number, when: 'before' | 'after') => void
  /** True if the current process has crashed. */
  readonly hasDied: () => boolean
}

/** Requests of a crashed process have no effect and get no response. */
export const createSteppedProcess = (kubernetes: Kubernetes, hooks: () => RequestHooks): SteppedProcess => {
  const requests: SteppedRequest[] = []
  const calls: TestCall[] = []
  let death: { actionsLeft: number; readonly when: 'before' | 'after' } | undefined
  let current: Life | undefined

  const start = (): Kubernetes => {
    const life: Life = { isOver: false }
    current = life
    death = undefined
    return interceptedKubernetes(kubernetes, (request, work) =>
      live(life, isWriteRequest(request), async () => {
        await hooks().before?.(request)
        requests.push(request)
        const answer = await work().catch(async (error: unknown) => {
          await hooks().failed?.(request, error)
          throw error
        })
        await hooks().after?.(request)
        return answer
      }),
    )
  }
  /** `counts`: true if the process can crash at this action. */
  const live = async <T>(life: Life, counts: boolean, work: () => Promise<T>): Promise<T> => {
    if (life.isOver) throw crashed()
    if (counts && death !== undefined) death.actionsLeft -= 1
    const dies = counts && death?.actionsLeft === 0 ? death.when : undefined
    if (dies !== undefined) {
      death = undefined
      // The process is dead for its other requests from now on.
      life.isOver = true
    }
    if (dies === 'before') throw crashed()
    const answer = await work()
    if (life.isOver) throw crashed()
    return answer
  }
  return {
    start,
    call: (call, work) =>
      live(current ?? { isOver: false }, true, () => {
        calls.push(call)
        return work()
      }),
    requests,
    calls,
    dieAt: (actionsLeft, when) => {
      death = { actionsLeft, when }
    },
    hasDied: () => current?.isOver ?? false,
  }
}

interface Life {
  isOver: boolean
}

const crashed = (): Error => new Error('the process has crashed')
