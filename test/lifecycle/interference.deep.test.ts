import { describe, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { formatStepAnnotation } from '../../shared/contract/step-annotation.ts'
import {
  ConnectionError,
  type Kubernetes,
  type KubernetesObject,
} from '../../shared/kubernetes/kubernetes.ts'
import { type Actuator, done } from '../../shared/lifecycle/lifecycle.ts'
import { type Harness, harness } from './harness.ts'
import type { Sample } from './sample-objects.ts'

/** A step's work and its request. Another client may interfere at each of its writes. */
interface Scenario {
  readonly kind: KindName
  readonly sample: Sample
  readonly actuator?: Partial<Actuator>
  readonly prepare?: (seed: Harness) => Promise<unknown>
  readonly secret?: null
}

const own = (kind: KindName) => [kinds[kind].finalizer()]
const remove = (seed: Harness) => seed.remove()
const throws = async () => {
  throw new Error('no')
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'a reconcile': { kind: 'Network', sample: { annotation: 'reconcile' } },
  'a reconcile that saves its state twice at once': {
    kind: 'Network',
    sample: { annotation: 'reconcile' },
    actuator: {
      reconcile: async ({ saveStatus }) => {
        await Promise.all([saveStatus({ state: { a: 1 } }), saveStatus({ state: { b: 2 } })])
        return done({ providerStatus: { c: 3 } })
      },
    },
  },
  'a reconcile that fails': {
    kind: 'DNSRecord',
    sample: { annotation: 'reconcile' },
    actuator: { reconcile: throws },
  },
  'a reconcile that continues': {
    kind: 'Network',
    sample: { annotation: 'reconcile' },
    actuator: {
      reconcile: async () => ({ kind: 'continue', afterMs: 5_000, progress: 40, description: 'Waiting' }),
    },
  },
  'a reconcile that requests another run': {
    kind: 'Network',
    sample: { annotation: 'reconcile' },
    actuator: { reconcile: async () => ({ kind: 'done', againAfterMs: 60_000 }) },
  },
  'a reconcile that waits without a status': {
    kind: 'BackupBucket',
    sample: { annotation: 'reconcile' },
    secret: null,
  },
  'a second reconcile within a second': {
    kind: 'Network',
    sample: { annotation: 'reconcile' },
    prepare: async seed => {
      for (let round = 0; round < 2; round++) {
        await seed.step()
        await seed.patch({ metadata: { annotations: { [annotations.operation]: 'reconcile' } } })
      }
    },
  },
  'a restore that consumes its annotation first': {
    kind: 'Infrastructure',
    sample: { annotation: 'restore' },
  },
  'a restore that consumes its annotation last': { kind: 'Network', sample: { annotation: 'restore' } },
  'a migrate that drops all finalizers': {
    kind: 'Network',
    sample: { annotation: 'migrate', finalizers: [...own('Network'), 'other/one'] },
  },
  'a migrate that drops its own finalizer': {
    kind: 'Worker',
    sample: { annotation: 'migrate', finalizers: [...own('Worker'), 'other/one'] },
  },
  'a delete': { kind: 'Network', sample: { finalizers: own('Network') }, prepare: remove },
  'a delete that is skipped': {
    kind: 'DNSRecord',
    sample: { finalizers: own('DNSRecord') },
    prepare: async seed => {
      const condition = { type: 'Created', status: 'False', reason: 'Error', message: 'm' }
      const times = { lastTransitionTime: '2026-01-01T00:00:00Z', lastUpdateTime: '2026-01-01T00:00:00Z' }
      await seed.patch({ status: { conditions: [{ ...condition, ...times }] } }, 'status')
      await seed.remove()
    },
  },
  'a delete with a finalizer on the Secret': {
    kind: 'BackupBucket',
    sample: { finalizers: own('BackupBucket') },
    prepare: remove,
  },
}

const started = async ({ kind, sample, actuator, prepare, secret }: Scenario) => {
  const seed = await harness(kind, {
    ...(actuator && { actuator }),
    ...(secret === null && { secret }),
  })
  await seed.create(sample)
  await prepare?.(seed)
  seed.requests.length = 0
  return seed
}

/** Returns the port of a step with an interference before write number `at`. The claim is number 0. */
const interrupted = (
  seed: Harness,
  at: number,
  meddle: () => Promise<unknown>,
  answerLost = false,
): Kubernetes => {
  const { plural } = kinds[seed.backend.kind].resource
  let writes = 0
  return {
    ...seed.observed,
    patch: async (resource, key, patch, options) => {
      const isIt = resource.plural === plural && writes++ === at
      if (isIt && !answerLost) await meddle()
      const patched = await seed.observed.patch(resource, key, patch, options)
      if (!isIt || !answerLost) return patched
      await meddle()
      throw new ConnectionError('reset', { cause: undefined, sent: true })
    },
  }
}

const writesOf = async (scenario: Scenario): Promise<number> => {
  const seed = await started(scenario)
  await seed.step()
  const { plural } = kinds[scenario.kind].resource
  return seed.requests.filter(request => request.verb !== 'get' && request.resource.startsWith(plural)).length
}

/** `copied`: with the annotations of the former object, as after a restore from a backup. */
const remade = async (seed: Harness, sample: Sample, copied: boolean): Promise<KubernetesObject> => {
  const old = copied && !(await seed.isGone()) ? (await seed.live()).metadata.annotations : {}
  if (!(await seed.isGone())) await seed.patch({ metadata: { finalizers: null } })
  if (!(await seed.isGone())) await seed.remove()
  return seed.create({ ...sample, annotations: { ...old, fresh: 'yes' } })
}

const others = formatStepAnnotation({
  phase: 'claimed',
  operation: 'reconcile',
  attempt: 0,
  until: '2026-11-21T12:01:40.000Z',
  event: 'another',
  request: '',
  generation: 1,
  was: '',
})

describe.each(Object.entries(scenarios))('%s', (_, scenario) => {
  /** Runs once for every write after the claim. */
  const eachWrite = async (run: (at: number) => Promise<void>) => {
    const count = await writesOf(scenario)
    expect(count, 'writes').toBeGreaterThan(1)
    for (let at = 1; at < count; at++) await run(at)
  }

  test.each([
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ])(
    'writes nothing to a recreated object, whichever write it precedes (answer lost: %s, claim copied: %s)',
    async (answerLost, copied) => {
      await eachWrite(async at => {
        const seed = await started(scenario)
        let fresh: KubernetesObject | undefined
        const meddle = async () => {
          fresh ??= await remade(seed, scenario.sample, copied)
        }
        const outcome = await seed.step({}, interrupted(seed, at, meddle, answerLost))
        expect(fresh, `write ${at}`).toBeDefined()
        expect(await seed.live(), `write ${at}`).toEqual(fresh)
        if (!answerLost) expect(outcome, `write ${at}`).toEqual({ kind: 'recorded', how: 'superseded' })
      })
    },
  )

  test('writes nothing once another step has the claim', async () => {
    await eachWrite(async at => {
      const seed = await started(scenario)
      let claimed: KubernetesObject | undefined
      const meddle = async () => {
        claimed = await seed.patch({ metadata: { annotations: { [annotations.step]: others } } })
      }
      const outcome = await seed.step({}, interrupted(seed, at, meddle))
      expect(await seed.live(), `write ${at}`).toEqual(claimed)
      expect(outcome, `write ${at}`).toEqual({ kind: 'recorded', how: 'superseded' })
    })
  })

  test('writes nothing once its claim was removed', async () => {
    await eachWrite(async at => {
      const seed = await started(scenario)
      let taken: KubernetesObject | undefined
      const meddle = async () => {
        taken = await seed.patch({ metadata: { annotations: { [annotations.step]: null } } })
      }
      await seed.step({}, interrupted(seed, at, meddle))
      expect(await seed.live(), `write ${at}`).toEqual(taken)
    })
  })

  test('ends normally and reverts nothing if gardenlet and a health check write in between', async () => {
    const undisturbed = await started(scenario)
    const expected = await undisturbed.step()
    await eachWrite(async at => {
      const seed = await started(scenario)
      const healthy = {
        type: 'Healthy',
        status: 'True',
        reason: 'R',
        message: 'M',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        lastUpdateTime: '2026-01-01T00:00:00Z',
      }
      const meddle = async () => {
        const metadata = {
          labels: { written: 'meanwhile' },
          annotations: {
            [annotations.operation]: 'reconcile',
            [annotations.timestamp]: '2026-11-21T12:00:09Z',
          },
        }
        await seed.patch({ metadata })
        const { conditions = [] } = (await seed.live()).status ?? {}
        const all = [healthy, ...(conditions as { type: string }[]).filter(({ type }) => type !== 'Healthy')]
        await seed.patch({ status: { conditions: all } }, 'status')
      }
      const outcome = await seed.step({}, interrupted(seed, at, meddle))
      expect(outcome, `write ${at}`).toEqual(expected)
      const isGone = await seed.isGone()
      expect(isGone, `write ${at}`).toBe(await undisturbed.isGone())
      if (isGone) return
      const live = await seed.live()
      expect(live.metadata.labels, `write ${at}`).toEqual({ written: 'meanwhile' })
      expect(live.metadata.annotations, `write ${at}`).toMatchObject({
        [annotations.operation]: 'reconcile',
        [annotations.timestamp]: '2026-11-21T12:00:09Z',
      })
      expect(live.status?.conditions, `write ${at}`).toContainEqual(healthy)
      const { status } = await undisturbed.live()
      expect(live.status?.lastOperation, `write ${at}`).toEqual(status?.lastOperation)
      expect(live.metadata.finalizers, `write ${at}`).toEqual((await undisturbed.live()).metadata.finalizers)
    })
  })
})
