import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { runSimulation, simulationArguments } from '../../simulation/runner/run-simulation.ts'
import { above, type Benchmark } from '../figure.ts'
import type { WorldHours } from './world-hours.ts'

const processes = 2
const seconds = 120
const conditions = `${processes} processes on ${availableParallelism()} cores for ${seconds} s`

/** Measures how many points of all functions are tested in a minute. */
const points: Benchmark = {
  name: 'simulation-points',
  run: async () => {
    const flags = { for: seconds, seed: '1', set: ['points'], jobs: processes } as const
    const { tally, broken, minutes } = await runSimulation(flags, console.error)
    const { intermediate, stale, unobserved, failures } = tally.total()
    if (failures > 0 || broken.length > 0) throw new Error(`${failures + broken.length} points failed`)
    return [
      {
        name: 'simulation: points of all functions per minute',
        value: (intermediate + stale + unobserved) / minutes,
        unit: 'points',
        target: above(2_000),
        with: `${conditions}, with the start`,
      },
    ]
  },
}

const program = new URL('./world-hours.ts', import.meta.url).pathname
const run = promisify(execFile)

/** Measures how fast time passes in a seed with 100 objects. */
const hours: Benchmark = {
  name: 'simulation-hours',
  run: async () => {
    const worlds = await Promise.all(
      Array.from({ length: processes }, async (_, index) => {
        const args = [...simulationArguments, program, String(index + 1), String(seconds)]
        return JSON.parse((await run(process.execPath, args)).stdout) as WorldHours
      }),
    )
    const objects = Math.min(...worlds.map(world => world.objects))
    const crashes = worlds.reduce((sum, world) => sum + world.crashes, 0)
    return [
      {
        name: `simulation: virtual hours of a seed with ${objects} objects per minute`,
        value: worlds.reduce((sum, world) => sum + (world.hours / world.seconds) * 60, 0),
        unit: 'hours',
        target: above(200),
        with: `${conditions}, a reconciliation of a whole shoot each hour, ${crashes} crashes`,
      },
    ]
  },
}

export const simulationBenchmarks: readonly Benchmark[] = [points, hours]
