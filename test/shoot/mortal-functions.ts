import type { FunctionReach } from '../../functions/aws/provider/demo/shoot-seeds.ts'
import { simulatedAws } from '../../sandbox/aws/aws.ts'
import { inProcessFunctions, type StartFunction } from '../../sandbox/seed/seed.ts'

/** How long a step holds its claim, in ms: what dies with a process goes on after so long. */
const limits = { stepMs: 3_000, marginMs: 500 }

const isWrite = ({ method, body }: { readonly method: string; readonly body?: unknown }): boolean =>
  method !== 'GET' && method !== 'HEAD' && !/Action=(?:Describe|Get|List)/.test(String(body))

/**
 * Functions of which the first process dies with its n-th write, by `deaths`: that arrives, and its answer does not.
 * Nothing of it arrives anywhere from then on.
 */
export const mortalFunctions = (deaths: Readonly<Record<string, number>>) => {
  const died: string[] = []
  const start =
    ({ kubernetes, aws, clock, settings }: FunctionReach): StartFunction =>
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
      const call = async <T>(work: () => Promise<T>, isWrite: boolean): Promise<T> => {
        if (dead) die()
        const dies = isWrite && left !== undefined && --left === 0
        const answer = await work()
        if (dead || dies) die()
        return answer
      }
      const running = await inProcessFunctions({
        kubernetes: {
          ...kubernetes,
          get: (...input) => call(() => kubernetes.get(...input), false),
          list: (...input) => call(() => kubernetes.list(...input), false),
          create: (...input) => call(() => kubernetes.create(...input), true),
          patch: (...input) => call(() => kubernetes.patch(...input), true),
          replace: (...input) => call(() => kubernetes.replace(...input), true),
          delete: (...input) => call(() => kubernetes.delete(...input), true),
        },
        connection: simulatedAws({
          ...aws,
          requestHandler: {
            ...aws.requestHandler,
            handle: (...input) => call(() => aws.requestHandler.handle(...input), isWrite(input[0])),
          },
        }).connection,
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
