import { inProcessFunctions, type StartFunction } from '../../sandbox/seed/seed.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'

/** How long a step holds its claim, in ms: what dies with a process goes on after so long. */
const limits = { stepMs: 3_000, marginMs: 500 }

/** Does a request of a process, unless that is dead; it may die of a write. */
export type Call = <T>(work: () => Promise<T>, isWrite: boolean) => Promise<T>

export interface MortalOptions {
  readonly clock: Clock
  readonly settings: Readonly<Record<string, unknown>>
  /** What functions are created with, every request of which goes through the call. */
  readonly connection: (call: Call) => unknown
}
export type MortalFunctions = ReturnType<typeof mortalFunctions>

/**
 * Functions of which the first process dies with its n-th write, by `deaths`: that arrives, and its answer does not.
 * Nothing of it arrives anywhere from then on.
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
      const die = (): never => {
        if (!dead) {
          dead = true
          died.push(fn.name)
          end()
        }
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
      }
      const call: Call = async (work, isWrite) => {
        if (dead) die()
        const dies = isWrite && left !== undefined && --left === 0
        const answer = await work()
        if (dead || dies) die()
        return answer
      }
      const running = await inProcessFunctions({
        kubernetes: mortalKubernetes(kubernetes, call),
        connection: connection(call),
        clock,
        log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
        settings,
        limits,
      })(fn)
      void ended.then(running.close)
      return { ...running, ended }
    }
  return { start, died: (): readonly string[] => died }
}

export const mortalKubernetes = (kubernetes: Kubernetes, call: Call): Kubernetes => ({
  ...kubernetes,
  get: (...input) => call(() => kubernetes.get(...input), false),
  list: (...input) => call(() => kubernetes.list(...input), false),
  create: (...input) => call(() => kubernetes.create(...input), true),
  patch: (...input) => call(() => kubernetes.patch(...input), true),
  replace: (...input) => call(() => kubernetes.replace(...input), true),
  apply: (...input) => call(() => kubernetes.apply(...input), true),
  delete: (...input) => call(() => kubernetes.delete(...input), true),
})
