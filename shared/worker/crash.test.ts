import { expect, test } from 'vitest'
import { newSeed, type WorkerSeed } from './testing/seed.ts'

const isWrite = (call: string): boolean => !/^(get|list) /.test(call)

/** A process that dies at its n-th write: from then on nothing of it arrives anywhere. */
const dyingAt = (n: number, when: 'before' | 'after') => {
  let writes = 0
  let dead = false
  const die = () => {
    dead = true
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  }
  return {
    interference: {
      before: (call: string) => {
        if (dead) die()
        if (!isWrite(call)) return
        writes++
        if (when === 'before' && writes === n) die()
      },
      after: () => {
        if (dead || (when === 'after' && writes >= n)) die()
      },
    },
    died: () => dead,
  }
}

/** What is there afterwards, without times, versions and uids. */
const shapeOf = async (seed: WorkerSeed) => ({
  classes: (await seed.machineObjects('MachineClass')).map(({ metadata: { name, labels }, providerSpec }) => ({
    name,
    labels,
    providerSpec,
  })),
  secrets: (await seed.classSecrets()).map(({ metadata: { name, labels }, data }) => ({ name, labels, data })),
  deployments: (await seed.machineObjects('MachineDeployment')).map(({ metadata: { name, labels }, spec }) => ({
    name,
    labels,
    spec,
  })),
  machines: (await seed.machineObjects('Machine')).map(({ metadata }) => metadata.name),
})

const statusOf = async (seed: WorkerSeed) => {
  const { lastOperation, machineDeployments, providerStatus, inPlaceUpdates } = (await seed.live()).status ?? {}
  return { state: lastOperation?.state, machineDeployments, providerStatus, inPlaceUpdates }
}

const before = [{ zones: ['z1', 'z2'] }, { updateStrategy: 'AutoInPlaceUpdate' as const }]
/** One pool rolls and loses a zone, one is updated in place. */
const after = [
  { zones: ['z1'], providerConfig: { lid: 'oak' }, maximum: 4 },
  { updateStrategy: 'AutoInPlaceUpdate' as const, kubernetesVersion: '1.34.1' },
]

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
      await seed.settle()
      await seed.reconcile(after)
      return seed
    },
    shape: async seed => ({ ...(await shapeOf(seed)), status: await statusOf(seed) }),
  },
  hibernation: {
    prepare: async () => {
      const seed = await newSeed({ pools: before })
      await seed.settle()
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
  deletion: {
    prepare: async () => {
      const seed = await newSeed({ pools: before })
      await seed.settle()
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
)('a process that dies $when any write of a $life is followed by one that ends the same', async ({ prepare, shape, when }) => {
  const whole = await prepare()
  await whole.settle()
  const expected = await shape(whole)
  let n = 0
  for (let died = true; died; ) {
    n++
    const seed = await prepare()
    const dying = dyingAt(n, when)
    seed.interfereWith(dying.interference)
    await seed.settle({ until: dying.died })
    died = dying.died()
    seed.interfereWith({})
    if (!died) break
    await seed.settle()
    expect(await shape(seed), `write ${n}`).toEqual(expected)
  }
  expect(n).toBeGreaterThan(5)
})
