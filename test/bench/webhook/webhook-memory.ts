import { setTimeout as sleep } from 'node:timers/promises'
import { partOf } from '../../../build/programs/programs.ts'
import { kubePrograms } from '../../real/programs/kube-programs.ts'
import { type Benchmark, below, percentile, type Row } from '../figure.ts'
import { bareNode } from '../memory/bare-node.ts'
import { knownUsageOf } from '../process-usage.ts'
import { startWebhookWorld } from './webhook-world.ts'

const files = [
  'controlplane.kube-apiserver',
  'controlplane.kube-controller-manager',
  'controlplane.machine-controller-manager',
  'controlplane.operatingsystemconfig',
] as const
const bursts = [200, 2_000]
/** The wait until the code is compiled and garbage is collected. */
const settlingMs = 5_000

/** Measures the process of all webhooks, idle and after concurrent reviews over 8 connections. */
export const webhookMemory: Benchmark = {
  name: 'webhook-memory',
  run: async () => {
    const programs = await partOf(() => kubePrograms(process.env), false)
    if ('missing' in programs) return [{ name: 'memory of webhooks', missing: programs.missing }]
    const world = await startWebhookWorld(programs, files)
    try {
      const reference = await bareNode(world.environment)
      const resident = { unit: 'MB', target: below(100), reference } as const
      await sleep(settlingMs)
      let { residentMb, cpuMs } = await knownUsageOf(world.pid)
      const rows: Row[] = [{ name: 'webhooks at rest: resident memory', value: residentMb, ...resident }]
      for (const count of bursts) {
        const times = await Promise.all(
          Array.from({ length: count }, (_, index) =>
            world.review(world.bodies[index % world.bodies.length] ?? ''),
          ),
        )
        await sleep(settlingMs)
        const after = await knownUsageOf(world.pid)
        rows.push(
          {
            name: `webhooks after ${count} reviews at once: resident memory`,
            value: after.residentMb,
            ...resident,
            with: `peak ${Math.round(after.peakMb)} MB; all answered after ${Math.round(percentile(times, 1))} ms`,
          },
          {
            name: 'the same: processor time of a review',
            value: (after.cpuMs - cpuMs) / count,
            unit: 'ms CPU',
          },
        )
        cpuMs = after.cpuMs
      }
      return rows
    } finally {
      await world.close()
    }
  },
}
