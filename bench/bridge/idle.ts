import { setTimeout as sleep } from 'node:timers/promises'
import { machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { definitions } from '../../test/real/real-cluster.ts'
import { below } from '../figure.ts'
import { apiServerSource } from '../measured-elsewhere.ts'
import { bareNode } from '../memory/bare-node.ts'
import { bridgeBenchmark } from './bridge-benchmark.ts'
import { settledObjects } from './objects.ts'
import { until } from './pace.ts'
import type { BridgeSeed } from './seed.ts'

const few = 400
const many = 5_000
/** After the first list: until everything is compiled that will be, and collected. */
const settlingMs = 5_000
const watchedMs = 20_000

/** What the bridge takes while nothing happens. */
export const idle = bridgeBenchmark({
  name: 'bridge-idle',
  goals: {
    few: { name: `idle with ${few} objects: resident memory`, unit: 'MB', target: below(70) },
    resident: {
      name: `idle with ${many} objects: resident memory`,
      unit: 'MB',
      target: below(90),
      reference: apiServerSource(189),
    },
    // No function answers here: what checks of health cost that are asked for at the start, and again, is in it.
    share: {
      name: 'the same: share of a core, with checks of health that nobody answers',
      unit: '% of a core',
    },
  },
  measure: async seed => {
    await serveAwaited(seed)
    const bare = await bareNode(seed.environment)
    const small = await idleWith(seed, 'few', few, few)
    const large = await idleWith(seed, 'many', many - few, many)
    return {
      few: { value: small.residentMb, reference: bare },
      resident: large.residentMb,
      share: large.share,
    }
  },
})

/** What steps wait for and health depends on, so that the bridge watches it. */
const serveAwaited = async ({ kubernetes }: BridgeSeed): Promise<void> => {
  for (const crd of [...machineCrds(), ...resourceCrds()]) await kubernetes.create(definitions, crd)
  for (const { resource } of [machineKinds.MachineDeployment, managedResourceKind])
    await until(`kube-apiserver to serve ${resource.plural}`, () =>
      kubernetes.list(resource, { limit: 1 }).then(
        () => true,
        () => false,
      ),
    )
}

const idleWith = async (seed: BridgeSeed, prefix: string, added: number, expected: number) => {
  const sink = await seed.sink()
  await seed.store(settledObjects(prefix, added))
  const bridge = await seed.bridge(sink.url)
  await sleep(settlingMs)
  const before = await bridge.usage()
  await sleep(watchedMs)
  const after = await bridge.usage()
  if ((await bridge.metric('trellis_bridge_watched_objects')) !== expected)
    throw new Error('some are not watched')
  await bridge.end('SIGTERM')
  return { residentMb: after.residentMb, share: ((after.cpuMs - before.cpuMs) / watchedMs) * 100 }
}
