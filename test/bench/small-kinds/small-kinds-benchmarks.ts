import { missingBundle } from '../bundle.ts'
import type { Unchanged } from '../bundle-world.ts'
import { rewriteAsYaml } from '../controlplane/rewrite-as-yaml.ts'
import { atMost, type Benchmark, below, type Figure, percentile, type Row } from '../figure.ts'
import { goSmallKinds } from '../measured-elsewhere.ts'
import { bundleOf, reconciles, startKindWorld } from './kind-world.ts'
import { manyConfigs } from './many-configs.ts'
import { type Subject, subjects } from './subjects.ts'

const rounds = 5

/**
 * Measures a reconcile without a change, and a deletion from its request to its end. One failure ends the benchmark.
 */
const benchmarkOf = (subject: Subject): Benchmark => ({
  name: `small-${subject.name}`,
  run: async () => {
    const missing = await missingBundle([bundleOf(subject.name)])
    if (missing !== undefined) return [{ name: `unchanged ${subject.name}`, missing }]
    const world = await startKindWorld(subject.name, subject.examples)
    try {
      await world.create(world.sample)
      const unchanged = await world.unchanged()
      const rows: Row[] = [...unchangedFigures(subject, unchanged, '')]
      if (subject.name === 'calico-network') {
        await rewriteAsYaml(world.seed.kubernetes, world.key.namespace ?? '', 'managedresource-')
        const taken = await world.unchanged()
        rows.push(...unchangedFigures(subject, taken, ' created by the Go extension'))
      }
      const created: number[] = []
      const deleted = [await world.remove(world.key)]
      for (let round = 1; round < rounds; round++) {
        created.push(await world.create(world.sample))
        // Work that resource manager and provider cluster still do is not part of the next measurement.
        await new Promise(resolve => setTimeout(resolve, 500))
        deleted.push(await world.remove(world.key))
      }
      return [
        ...rows,
        timeOf(`new ${subject.name}: annotation → Succeeded`, created, undefined),
        timeOf(`${subject.name}: deletion → gone`, deleted, subject.go?.deletionMs),
      ]
    } finally {
      await world.close()
    }
  },
})

const unchangedFigures = (
  { name, go }: Subject,
  { requests, writes, cpuMs }: Unchanged,
  which: string,
): readonly Figure[] => [
  {
    name: `unchanged ${name}${which}: requests`,
    value: requests,
    unit: 'requests',
    ...(go && { reference: goSmallKinds(go.requests) }),
  },
  {
    name: `unchanged ${name}${which}: writes`,
    value: writes,
    unit: 'requests',
    target: atMost(3),
    ...(go && { reference: goSmallKinds(go.writes) }),
    with: 'all of the object itself: the claim, and the status',
  },
  ...(cpuMs === undefined
    ? []
    : [
        {
          name: `unchanged ${name}${which}: processor time of the function`,
          value: cpuMs,
          unit: 'ms CPU',
          ...(go && { target: atMost(0.5 * go.cpuMs), reference: goSmallKinds(go.cpuMs) }),
          with: `warm bundle with bridge and broker; ${reconciles} of them`,
        } as const,
      ]),
]

const timeOf = (name: string, took: readonly number[], goMs: number | undefined): Figure => ({
  name,
  value: percentile(took, 0.5),
  unit: 'ms',
  target: below(1_000),
  ...(goMs !== undefined && { reference: goSmallKinds(goMs) }),
  with: `whole path with bridge and broker; others answer at once; median of ${took.length}, longest ${Math.round(Math.max(...took))} ms`,
})

/** The cost of small kinds and of kinds without a cloud, compared with the Go extensions. */
export const smallKindsBenchmarks: readonly Benchmark[] = [...subjects.map(benchmarkOf), manyConfigs]
