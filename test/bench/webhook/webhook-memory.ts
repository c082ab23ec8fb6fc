import { setTimeout as sleep } from 'node:timers/promises'
import { partOf } from '../../../build/programs/programs.ts'
import { kubePrograms } from '../../real/programs/kube-programs.ts'
import { type Benchmark, below, percentile, type Row } from '../figure.ts'
import { bareNode } from '../memory/bare-node.ts'
import { usageOf } from '../process-usage.ts'
import { reviewClient } from './review-client.ts'
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
  run: async (): Promise<readonly Row[]> => {
    const programs = await partOf(() => kubePrograms(process.env), false)
    if ('missing' in programs) return [{ name: 'memory of webhooks', missing: programs.missing }]
    const world = await startWebhookWorld(programs, files)
    try {
      const reference = await bareNode(world.environment)
      const served = await world.start()
      const usage = async () => {
        await sleep(settlingMs)
        const now = await usageOf(served.pid)
        if (now === undefined) throw new Error('the system does not tell what a process takes')
        return now
      }
      const target = below(100)
      const atRest = await usage()
      const rows: Row[] = [
        {
          name: 'webhooks at rest: resident memory',
          value: atRest.residentMb,
          unit: 'MB',
          target,
          reference,
        },
      ]
      const bodies = files.flatMap(world.bodies)
      const path = await world.path()
      const { post, close } = reviewClient((await served.ports).port)
      let cpuMs = atRest.cpuMs
      for (const count of bursts) {
        const times = await Promise.all(
          Array.from({ length: count }, (_, index) => post(path, bodies[index % bodies.length] ?? '')),
        )
        const after = await usage()
        rows.push(
          {
            name: `webhooks after ${count} reviews at once: resident memory`,
            value: after.residentMb,
            unit: 'MB',
            target,
            reference,
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
      close()
      return rows
    } finally {
      await world.close()
    }
  },
}
