import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingBundle } from './bundle.ts'
import { type Benchmark, below, type Figure, here, percentile } from './figure.ts'
import { firstAnswerMs } from './process-start.ts'
import { dnsRecords, type StartOptions, startWorld } from './start-world.ts'

const runs = 9
const programs = fileURLToPath(new URL('programs', import.meta.url))

/**
 * Measures the time from the start of a process to the answer to its first event: a new record, created in Route 53 and
 * written to the status.
 */
export const firstEvent: Benchmark = {
  name: 'start',
  run: async () => {
    const missing = await missingBundle([dnsRecords.bundle])
    if (missing !== undefined) return [{ name: 'process start → first event answered', missing }]
    const world = await startWorld(dnsRecords)
    try {
      const cache = { NODE_COMPILE_CACHE: join(world.folder, 'compile-cache') }
      const functionStart = async (options: StartOptions): Promise<number> => {
        const { message, checkSucceeded } = await world.newObject()
        const { ms } = await world.startFunction(message, options)
        await checkSucceeded()
        return ms
      }
      const bareStart = async (): Promise<number> => {
        const { message } = await world.newObject()
        return firstAnswerMs({ args: [join(programs, 'bare-http.cjs')], env: cache, message })
      }

      // Fills the caches and warms up the servers.
      await functionStart({ plain: true, env: cache })
      await bareStart()
      const image: number[] = []
      const primed: number[] = []
      const cold: number[] = []
      const bare: number[] = []
      // The processes take turns, so that other load on the machine affects all equally.
      for (let run = 0; run < runs; run++) {
        image.push(await functionStart({}))
        primed.push(await functionStart({ plain: true, env: cache }))
        cold.push(await functionStart({ plain: true }))
        bare.push(await bareStart())
      }
      const circumstances = `${runs} runs; Kubernetes by TLS with a service account, AWS by HTTP, both on 127.0.0.1`
      return [
        figure(
          'process start → first event answered, median',
          image,
          bare,
          0.5,
          below(300),
          `startup snapshot; ${circumstances}`,
        ),
        figure('process start → first event answered, best', image, bare, 0),
        figure('the same with a compile cache instead, median', primed, bare, 0.5),
        figure('the same without either, median', cold, bare, 0.5),
        figure('the same without either, best', cold, bare, 0),
      ]
    } finally {
      await world.close()
    }
  },
}

const figure = (
  name: string,
  values: readonly number[],
  bare: readonly number[],
  fraction: number,
  target?: Figure['target'],
  circumstances?: string,
): Figure => ({
  name,
  value: percentile(values, fraction),
  unit: 'ms',
  reference: { name: 'bare node:http', value: percentile(bare, fraction), source: here },
  ...(target && { target }),
  ...(circumstances !== undefined && { with: circumstances }),
})
