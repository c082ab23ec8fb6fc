import { backupBuckets, backupEntries } from './backup/backups.ts'
import { bastions } from './bastion/bastions.ts'
import { missingBundle } from './bundle.ts'
import { startedControlPlanes } from './controlplane/started-control-planes.ts'
import { atMost, type Benchmark, type Figure, here, percentile } from './figure.ts'
import { dnsRecords, startWorld } from './start-world.ts'
import { startedWorkers } from './worker/started-workers.ts'

const runs = 15
const others = [backupBuckets, backupEntries, bastions, startedWorkers, startedControlPlanes]

/**
 * Measures the time from the start of a process to the answer to its first event, for a new object, compared with a new
 * DNS record.
 */
export const firstEventOfKinds: Benchmark = {
  name: 'start-kinds',
  run: async () => {
    const all = [dnsRecords, ...others]
    const missing = await missingBundle(all.map(({ bundle }) => bundle))
    if (missing !== undefined) return [{ name: 'process start → first event of each kind answered', missing }]
    const started = await Promise.all(
      all.map(async of => ({ kind: of.kind, world: await startWorld(of), took: [] as number[] })),
    )
    try {
      // The first run is a warm-up. The processes take turns, so that other load on the machine affects all equally.
      for (let run = 0; run <= runs; run++) {
        for (const { world, took } of started) {
          const { message, checkSucceeded } = await world.newObject()
          const { ms } = await world.startFunction(message)
          await checkSucceeded()
          if (run > 0) took.push(ms)
        }
      }
    } finally {
      for (const { world } of started) await world.close()
    }
    const [record = 0, ...medians] = started.map(({ took }) => percentile(took, 0.5))
    return medians.map(
      (median, index): Figure => ({
        name: `${others[index]?.kind}: process start → first event answered`,
        value: median,
        unit: 'ms',
        target: atMost(Math.round(record * 1.1)),
        reference: { name: 'aws-dnsrecord', value: record, source: here },
        with: `median of ${runs} runs in turn; startup snapshot`,
      }),
    )
  },
}
