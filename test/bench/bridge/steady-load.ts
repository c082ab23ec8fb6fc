import type { KindName } from '../../../shared/contract/kinds.ts'
import { kindNames, kinds } from '../../../shared/contract/kinds.ts'
import { keyOf } from '../../../shared/kubernetes/kubernetes.ts'
import { atMost, below } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { createAndReceive, lagsOf } from './lags.ts'
import { type BenchObject, newObject } from './objects.ts'
import { inParallel } from './pace.ts'
import type { BridgeSeed, MeasuredBridge } from './seed.ts'

const objects = 5_000
const perSecond = 430
/** Concurrent deletions between two measurements. */
const deleters = 16

/**
 * Creates as many new objects a second as in the measurement of ApiServerSource, for about twelve seconds. The least
 * program that does a bridge's work has the same load before and after, as a reference for machines of any speed.
 */
export const steadyLoad = bridgeBenchmark({
  name: 'bridge-load',
  goals: {
    cpu: {
      name: `${objects} created at ${perSecond}/s: processor time of the bridge for an object`,
      unit: 'ms CPU',
      target: atMost(0.75),
      reference: apiServerSource(0.74),
      with: 'including the health checks of one in four objects',
    },
    bare: { name: 'the same: a bare watch that only POSTs', unit: 'ms CPU' },
    withChecks: {
      name: 'the same, beside a bare watch that only POSTs',
      unit: '×',
      target: atMost(2.8),
      with: 'health checks of one in four objects; commit 8b8b5bb: 2.0',
    },
    withoutChecks: {
      name: 'DNSRecords only, beside a bare watch',
      unit: '×',
      target: atMost(2),
      with: 'no health checks; commit 8b8b5bb: 2.0',
    },
    behind: {
      name: 'longest delay of an event',
      unit: 'ms',
      target: below(1_000),
      with: "from the API server's answer to the sink",
    },
  },
  measure: async seed => {
    const withoutChecks = ['DNSRecord'] as const
    const bareBefore = await load(seed, 'bare-a', kindNames, sink => seed.bareWatch(sink))
    const all = await load(seed, 'load', kindNames, sink => seed.bridge(sink))
    const records = await load(seed, 'records', withoutChecks, sink => seed.bridge(sink))
    const bareAfter = await load(seed, 'bare-b', kindNames, sink => seed.bareWatch(sink))
    const bare = (bareBefore.cpuMs + bareAfter.cpuMs) / 2
    return {
      cpu: all.cpuMs,
      bare,
      withChecks: all.cpuMs / bare,
      withoutChecks: records.cpuMs / bare,
      behind: Math.max(all.behind, records.behind),
    }
  },
})

/** Measures a program under load. Returns its processor time for an object, and the longest delay of an event. */
const load = async (
  seed: BridgeSeed,
  prefix: string,
  ofKinds: readonly KindName[],
  start: (sink: string) => Promise<MeasuredBridge>,
): Promise<{ readonly cpuMs: number; readonly behind: number }> => {
  const sink = await seed.sink()
  const program = await start(sink.url)
  const created = newObjectsOf(prefix, ofKinds)
  const before = await program.usage()
  const answered = await createAndReceive(seed, sink, created, perSecond)
  const after = await program.usage()
  await program.end('SIGTERM')
  sink.close()
  await inParallel(created, deleters, ({ kind, object }) =>
    seed.kubernetes.delete(kinds[kind].resource, keyOf(object)),
  )
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / objects,
    behind: Math.max(...lagsOf(sink, answered)),
  }
}

const newObjectsOf = (prefix: string, ofKinds: readonly KindName[]): readonly BenchObject[] =>
  Array.from({ length: objects }, (_, index) =>
    newObject(ofKinds[index % ofKinds.length] ?? 'DNSRecord', `${prefix}-${index}`),
  )
