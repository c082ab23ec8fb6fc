import { afterEach, expect, test } from 'vitest'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { newAccount, poolOf } from './shoot.ts'
import { startWorkerSeed, type WorkerSeed } from './worker-seed.ts'

const seeds: WorkerSeed[] = []
afterEach(async () => {
  for (const seed of seeds.splice(0)) await seed.close()
})

/** Starts processes of the function. One of them dies on request: no later request of it arrives. */
const mortal = () => {
  let left: number | undefined
  let writes = 0
  const through = (kubernetes: Kubernetes, death: () => void): Kubernetes => {
    let dead = false
    const die = () => {
      dead = true
      death()
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    }
    const call = async <T>(work: () => Promise<T>, isWrite: boolean): Promise<T> => {
      if (dead) die()
      if (isWrite) writes++
      const dies = isWrite && left !== undefined && --left === 0
      if (dies) left = undefined
      const answer = await work()
      if (dead || dies) die()
      return answer
    }
    return {
      ...kubernetes,
      get: (...input) => call(() => kubernetes.get(...input), false),
      list: (...input) => call(() => kubernetes.list(...input), false),
      create: (...input) => call(() => kubernetes.create(...input), true),
      patch: (...input) => call(() => kubernetes.patch(...input), true),
      apply: (...input) => call(() => kubernetes.apply(...input), true),
      replace: (...input) => call(() => kubernetes.replace(...input), true),
      delete: (...input) => call(() => kubernetes.delete(...input), true),
    }
  }
  return {
    through,
    dieAfter: (write: number) => {
      left = write
    },
    hasDied: () => left === undefined,
    /** Returns the number of writes since the last call. */
    writes: () => {
      const count = writes
      writes = 0
      left = undefined
      return count
    },
  }
}

const before = [poolOf({ minimum: 1, maximum: 1 }), poolOf({ name: 'b', minimum: 1, maximum: 1 })]
/** One pool rolls and one is deleted. */
const after = [poolOf({ minimum: 1, maximum: 1, image: '1877.4.0' })]

const shapeOf = async (seed: WorkerSeed) => ({
  classes: seed
    .machineObjects('MachineClass')
    .map(({ metadata, providerSpec }) => [metadata.name, providerSpec]),
  deployments: seed.machineObjects('MachineDeployment').map(({ metadata, spec }) => [metadata.name, spec]),
  secrets: seed.classSecrets().map(({ metadata }) => metadata.name),
  machines: seed.machineObjects('Machine').length,
  instances: (await seed.instances()).map(({ ImageId }) => ImageId),
  status: seed.live()?.status?.machineDeployments,
})

/** Returns true if the class Secrets, which are deleted last, match the classes. */
const isClean = (seed: WorkerSeed) =>
  seed.classSecrets().length === seed.machineObjects('MachineClass').length

/**
 * Runs three phases: a Worker is created, one pool rolls while the other is deleted, and everything is deleted.
 * `deathIn` returns the write of a phase at which the process dies.
 */
const live = async (
  { seed, process, infrastructure }: Awaited<ReturnType<typeof setUp>>,
  deathIn: (chapter: number) => number | undefined,
) => {
  const shapes: unknown[] = []
  const writes: number[] = []
  const chapters = [
    () => seed.createWorker(infrastructure, before),
    () => seed.ask('reconcile', after),
    () => seed.remove(),
  ]
  for (const [index, begin] of chapters.entries()) {
    const write = deathIn(index)
    process.writes()
    if (write !== undefined) process.dieAfter(write)
    await begin()
    await (index === 2 ? seed.untilGone() : seed.untilHealed())
    if (write !== undefined) expect(process.hasDied(), `chapter ${index}`).toBe(true)
    await seed.until('the Secrets of what is gone to go', () => isClean(seed))
    writes.push(process.writes())
    shapes.push(await shapeOf(seed))
  }
  return { shapes, writes }
}

const setUp = async () => {
  const process = mortal()
  const seed = await startWorkerSeed({ ...newAccount(), through: process.through })
  seeds.push(seed)
  await seed.makeShoot()
  await seed.makeUserData('a', 'b')
  return { seed, process, infrastructure: await seed.makeInfrastructure() }
}

/**
 * Writes during claims, Secrets, classes, deployments, waits and deletions. The flow's own tests die after each single
 * write.
 */
const deaths = [2, 4, 7, 11, 18]

test('a Worker reaches the same end after any write at which its process dies', async () => {
  const world = await setUp()
  const { shapes, writes } = await live(world, () => undefined)
  expect(world.seed.functionStarts.filter(name => name === 'aws-worker')).toHaveLength(1)
  for (const write of deaths) {
    const disturbed = await live(world, chapter => Math.min(write, writes[chapter] ?? 1))
    expect(disturbed.shapes, `after write ${write}`).toEqual(shapes)
  }
  // Each killed process got a successor.
  expect(world.seed.functionStarts.filter(name => name === 'aws-worker')).toHaveLength(1 + 3 * deaths.length)
})
