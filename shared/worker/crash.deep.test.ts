import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { newSeed, type WorkerSeed } from './testing/seed.ts'
import { shapeOf } from './testing/shape-of.ts'

const statusOf = async (seed: WorkerSeed) => {
  const { lastOperation, machineDeployments, providerStatus, inPlaceUpdates } =
    (await seed.live()).status ?? {}
  return { state: lastOperation?.state, machineDeployments, providerStatus, inPlaceUpdates }
}

const before = [{ zones: ['z1', 'z2'] }, { updateStrategy: 'AutoInPlaceUpdate' as const }]
/** One pool is rolled and loses a zone, another is updated in place. */
const after = [
  { zones: ['z1'], providerConfig: { lid: 'oak' }, maximum: 4 },
  { updateStrategy: 'AutoInPlaceUpdate' as const, kubernetesVersion: '1.34.1' },
]

/** One machine of the first zone, with its current class. */
const movedState = (() => {
  const name = 'shoot--p--x-a-z1'
  const machineDeployments = {
    [name]: {
      replicas: 1,
      machineSets: [{ metadata: { name: `${name}-old`, labels: { name } }, spec: {} }],
      machines: [{ metadata: { name: `${name}-old-0`, labels: { name } }, spec: { providerID: 'box:///0' } }],
    },
  }
  return { state: gzipSync(JSON.stringify({ machineDeployments })).toString('base64') }
})()

interface Life {
  readonly prepare: () => Promise<WorkerSeed>
  readonly shape: (seed: WorkerSeed) => Promise<unknown>
}

const lives: Readonly<Record<string, Life>> = {
  creation: {
    prepare: () => newSeed({ pools: before }),
    shape: async seed => ({ ...(await shapeOf(seed)), status: await statusOf(seed) }),
  },
  roll: {
    prepare: async () => {
      const seed = await newSeed({ pools: before })
      await seed.converge()
      await seed.reconcile(after)
      return seed
    },
    shape: async seed => ({ ...(await shapeOf(seed)), status: await statusOf(seed) }),
  },
  hibernation: {
    prepare: async () => {
      const seed = await newSeed({ pools: before })
      await seed.converge()
      await seed.changeShoot({ spec: { hibernation: { enabled: true } } })
      await seed.reconcile()
      return seed
    },
    shape: async seed => ({
      ...(await shapeOf(seed)),
      status: await statusOf(seed),
      controller: await seed.controllerReplicas(),
    }),
  },
  restore: {
    prepare: () =>
      newSeed({ pools: before, operation: 'restore', controllerReplicas: 0, status: { state: movedState } }),
    shape: async seed => ({
      ...(await shapeOf(seed)),
      status: await statusOf(seed),
      controller: await seed.controllerReplicas(),
    }),
  },
  deletion: {
    prepare: async () => {
      const seed = await newSeed({ pools: before })
      await seed.converge()
      await seed.remove()
      return seed
    },
    shape: async seed => ({ ...(await shapeOf(seed)), isGone: await seed.isGone() }),
  },
}

test.each(
  Object.entries(lives).flatMap(([life, { prepare, shape }]) =>
    (['before', 'after'] as const).map(when => ({ life, when, prepare, shape })),
  ),
)(
  'if a process dies $when any write of a $life, the next process reaches the same result',
  async ({ prepare, shape, when }) => {
    const whole = await prepare()
    await whole.converge()
    const expected = await shape(whole)
    let n = 0
    for (let died = true; died; ) {
      n++
      const seed = await prepare()
      seed.dieAt(n, when)
      await seed.converge({ until: seed.hasDied })
      died = seed.hasDied()
      if (!died) break
      await seed.converge()
      expect(await shape(seed), `write ${n}`).toEqual(expected)
    }
    expect(n).toBeGreaterThan(5)
  },
)
