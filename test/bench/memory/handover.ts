import { setTimeout as sleep } from 'node:timers/promises'
import { annotations } from '../../../shared/contract/constants.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { parseStepAnnotation } from '../../../shared/contract/step-annotation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { sampleObject } from '../../lifecycle/sample-objects.ts'
import { until } from '../bridge/pace.ts'
import { above, atMost, type Benchmark, below, percentile } from '../figure.ts'
import { namespace } from '../shoot.ts'
import { drainMs, startHandoverWorld } from './handover-world.ts'

type SlowKind = 'Network' | 'ContainerRuntime'

/** The duration of a step in seconds: one that ends within its process, and one that cannot. */
const lengths = [3, 15] as const
const each = 10
/** Objects created while the leading bridge ends, and the duration of their steps, in seconds. */
const made = 100
const madeTakes = 1
/** The interval between two of them, in ms. */
const madeEveryMs = 30
/** The time for all objects to succeed: steps that are handed back start again. */
const patienceMs = 45_000

/** Ends processes during work: the one with all functions of a provider, and the leader of two bridges. */
export const handover: Benchmark = {
  name: 'memory-handover',
  run: async () => {
    const world = await startHandoverWorld()
    /** The times at which an object was handed back and claimed again, by its name. */
    const handedBack = new Map<string, number>()
    const claimedAgain = new Map<string, number>()
    const claimed = new Set<string>()
    const succeeded = new Set<string>()
    world.onObject((_, { entry: { object } }) => {
      const { name } = object.metadata
      if (!name.startsWith('slow-')) return
      if (stateOf(object) === 'Succeeded') succeeded.add(name)
      const step = parseStepAnnotation(object.metadata.annotations?.[annotations.step])
      if (step?.phase === 'claimed') claimed.add(name)
      if (step?.phase === 'waiting' && !handedBack.has(name)) handedBack.set(name, performance.now())
      if (step?.phase === 'claimed' && handedBack.has(name) && !claimedAgain.has(name))
        claimedAgain.set(name, performance.now())
    })
    const create = (kind: SlowKind, name: string) =>
      world.kubernetes.create(kinds[kind].resource, slowObject(kind, name))
    const lost = async (all: readonly string[]): Promise<number> => {
      const began = performance.now()
      while (performance.now() - began < patienceMs && !all.every(name => succeeded.has(name)))
        await sleep(50)
      return all.filter(name => !succeeded.has(name)).length
    }
    try {
      const leader = await world.bridge()
      await until('the first bridge to lead', leader.leads)
      await world.bridge()

      const steps = lengths.flatMap(seconds =>
        Array.from({ length: each }, (_, index) => `slow-${index}-takes-${seconds}`),
      )
      await Promise.all(
        steps.map((name, index) => create(index % 2 === 0 ? 'Network' : 'ContainerRuntime', name)),
      )
      // Some steps may succeed before the last one is claimed.
      await until('all to be claimed', () => steps.every(name => claimed.has(name)))
      const began = performance.now()
      await world.endFunctions()
      const endedMs = performance.now() - began
      const back = [...handedBack.keys()]
      const lostOfFunctions = await lost(steps)
      const again = back.map(name => (claimedAgain.get(name) ?? Number.NaN) - (handedBack.get(name) ?? 0))

      const names = Array.from({ length: made }, (_, index) => `slow-${index}-made-${madeTakes}`)
      let ended: Promise<unknown> = Promise.resolve()
      for (const [index, name] of names.entries()) {
        await create(index % 2 === 0 ? 'Network' : 'ContainerRuntime', name)
        if (index === made / 4) ended = leader.end('SIGTERM')
        await sleep(madeEveryMs)
      }
      await ended
      const lostOfBridge = await lost(names)
      return [
        {
          name: `SIGTERM of a compact process with ${steps.length} steps: until it has ended`,
          value: endedMs / 1_000,
          unit: 's',
          target: below(30),
          with: `given ${drainMs / 1_000} s; steps of ${lengths.join(' and ')} s; bridge, broker and functions`,
        },
        { name: 'the same: handed back', value: back.length, unit: 'events', target: above(0) },
        {
          name: 'the same: handed back → claimed by another process, slowest',
          value: again.length === 0 ? Number.NaN : percentile(again, 1),
          unit: 'ms',
          target: below(2_000),
          with: 'that process starts meanwhile, from its sources',
        },
        { name: 'the same: lost', value: lostOfFunctions, unit: 'events', target: atMost(0) },
        {
          name: `SIGTERM of the leader of two bridges while ${made} objects are created: lost`,
          value: lostOfBridge,
          unit: 'events',
          target: atMost(0),
          with: 'until Succeeded',
        },
      ]
    } finally {
      await world.close()
    }
  },
}

const slowObject = (kind: SlowKind, name: string): KubernetesObject => {
  const sample = sampleObject(kind, { annotation: 'reconcile', namespace })
  return {
    ...sample,
    metadata: { ...sample.metadata, name },
    spec: { ...Object(sample.spec), type: 'bench-slow' },
  }
}

const stateOf = ({ status }: KubernetesObject): unknown =>
  (status as { readonly lastOperation?: { readonly state?: string } } | undefined)?.lastOperation?.state
