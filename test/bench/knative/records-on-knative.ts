import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KnativeSeed } from '../../real/knative/life/knative-seed.ts'
import { podsOf } from '../../real/knative/life/pods.ts'
import { untilPasses } from '../../real/until-passes.ts'
import { atMost, type Benchmark, percentile, type Row } from '../figure.ts'
import { cpuFigures, memoryFigures, usageByContainer } from './usage.ts'
import { withKnative } from './with-knative.ts'

const name = 'aws-dnsrecord'
const title = 'real Knative'
const sequential = 200
const together = 200
const slow = 60
const slowMs = 22_000

/** Measures DNSRecords on Knative's own programs: latency, start from zero, bursts, and the memory of every pod. */
export const recordsOnKnative: Benchmark = {
  name: 'knative',
  run: () => withKnative(title, { functions: [name] }, measure),
}

const measure = async (seed: KnativeSeed): Promise<readonly Row[]> => {
  const { records, kubernetes } = seed
  const load = () => `tokens (OIDC); load of the machine ${loadavg()[0]?.toFixed(0)}`
  const atZero = () =>
    untilPasses(async () => {
      if ((await podsOf(kubernetes, name)).length > 0) throw new Error(`${name} does not scale to zero`)
    })
  await records.create('single', address(0))
  for (let nth = 1; nth <= 20; nth++) await records.change('single', address(nth))

  const before = await usageByContainer(seed)
  const single: number[] = []
  for (let nth = 1; nth <= sequential; nth++) single.push(await records.change('single', address(100 + nth)))
  const during = load()
  const after = await usageByContainer(seed)

  const burst = await timed(() => createAll(seed, 'burst', together))
  const memory = await usageByContainer(seed)

  // A call of 22 s would exceed the time limit of an attempt. New records share three calls, and wait for one more.
  seed.aws.faults.add({
    service: 'route53',
    times: null,
    effect: { kind: 'delay', milliseconds: slowMs / 4 },
  })
  const steps = await timed(() => createAll(seed, 'slow', slow))
  seed.aws.faults.clear()

  const cold: number[] = []
  for (let nth = 0; nth < 2; nth++) {
    await atZero()
    cold.push(await records.change('single', address(1_000 + nth)))
  }
  await atZero()
  await sleep(10_000)
  const rest = await usageByContainer(seed)

  return [
    {
      name: `${title}: annotation → Succeeded, p50`,
      value: percentile(single, 0.5),
      unit: 'ms',
      target: atMost(35),
      with: `${sequential} changes of a record, one after the other; ${during}`,
    },
    { name: 'the same: p99', value: percentile(single, 0.99), unit: 'ms', target: atMost(100) },
    ...cpuFigures(before, after, sequential, 'of one such change'),
    {
      name: `${title}: from zero, best of ${cold.length}`,
      value: Math.min(...cold) / 1000,
      unit: 's',
      target: atMost(0.5),
      with: load(),
    },
    { name: `${title}: ${together} new records at once`, value: burst / 1000, unit: 's', target: atMost(4) },
    {
      name: `${title}: ${slow} steps of ${slowMs / 1000} s at once`,
      value: steps / 1000,
      unit: 's',
      target: atMost(27),
    },
    ...memoryFigures(memory, `after ${together} records`),
    ...memoryFigures(rest, 'at rest'),
  ]
}

const createAll = (seed: KnativeSeed, prefix: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => seed.records.create(`${prefix}-${index}`, address(index))),
  )

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const address = (nth: number): string => `10.0.${nth >> 8}.${nth & 255}`
