import { inProcessFunctions, type SeedFunction, type StartFunction } from '../../sandbox/seed/seed.ts'
import { interceptedKubernetes, isWriteRequest } from '../../sandbox/stepped-seed/stepped-seed.ts'
import { type Clock, formatMilliseconds } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation, parseStepAnnotation } from '../../shared/contract/step-annotation.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

/** Makes a request of a process, unless that is dead. The process may die at a write. */
export type Call = <T>(work: () => Promise<T>, isWrite: boolean) => Promise<T>

export interface MortalOptions {
  readonly clock: Clock
  readonly settings: Readonly<Record<string, unknown>>
  /** Creates the connection of functions. All its requests use the call. */
  readonly connection: (call: Call) => unknown
}
export type MortalFunctions = ReturnType<typeof mortalFunctions>

/**
 * Starts functions. The first process of each dies at its n-th write, by `deaths`: the write arrives, its answer does
 * not. No later request of it arrives.
 */
export const mortalFunctions = (deaths: Readonly<Record<string, number>>) => {
  const died: string[] = []
  const start =
    ({ clock, settings, connection }: MortalOptions) =>
    (kubernetes: Kubernetes): StartFunction =>
    async fn => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      let left = died.includes(fn.name) ? undefined : deaths[fn.name]
      let dead = false
      const underWay = new Set<Promise<unknown>>()
      const die = (): never => {
        if (!dead) {
          dead = true
          died.push(fn.name)
          // A request that was sent before still arrives.
          void Promise.allSettled(underWay).then(() => endClaims(kubernetes, fn, clock).then(end, end))
        }
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      }
      const call: Call = async (work, isWrite) => {
        if (dead) die()
        const dies = isWrite && left !== undefined && --left === 0
        const working = work()
        underWay.add(working)
        try {
          const answer = await working
          if (dead || dies) die()
          return answer
        } finally {
          underWay.delete(working)
        }
      }
      const running = await inProcessFunctions({
        kubernetes: mortalKubernetes(kubernetes, call),
        connection: connection(call),
        clock,
        log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
        settings,
      })(fn)
      void ended.then(running.close)
      return { ...running, ended }
    }
  return { start, died: (): readonly string[] => died }
}

/**
 * Ends the claims of a process that died, as if they had expired. So a test neither waits for that time nor limits the
 * time of a step on a slow machine.
 */
const endClaims = async (
  kubernetes: Kubernetes,
  { kind, types }: Pick<SeedFunction, 'kind' | 'types'>,
  clock: Clock,
): Promise<void> => {
  const { resource } = kinds[kind]
  for (const { spec, metadata } of (await kubernetes.list(resource)).items) {
    const { name, namespace, resourceVersion } = metadata
    const step = parseStepAnnotation(metadata.annotations?.[annotations.step])
    if (step?.phase !== 'claimed' || !types.includes(Object(spec).type)) continue
    const ended = formatStepAnnotation({ ...step, until: formatMilliseconds(clock.now()), durationMs: 0 })
    await kubernetes.patch(
      resource,
      { name, ...(namespace !== undefined && { namespace }) },
      { metadata: { resourceVersion, annotations: { [annotations.step]: ended } } },
    )
  }
}

export const mortalKubernetes = (kubernetes: Kubernetes, call: Call): Kubernetes =>
  interceptedKubernetes(kubernetes, (request, work) => call(work, isWriteRequest(request)))
