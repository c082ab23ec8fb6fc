import { afterAll, beforeAll, expect, test } from 'vitest'
import { annotations } from '../../shared/contract/constants.ts'
import { newAccount, poolOf } from './shoot.ts'
import { startWorkerSeed, type WorkerSeed } from './worker-seed.ts'

let seed: WorkerSeed
beforeAll(async () => {
  seed = await startWorkerSeed(newAccount())
  await seed.makeShoot()
  await seed.makeUserData('a')
  await seed.createWorker(await seed.makeInfrastructure(), [poolOf()])
  await seed.untilReady()
})
afterAll(() => seed.close())

test('a forced deletion completes without a machine controller, and leaves the machines and their resources', async () => {
  const kinds = ['Machine', 'MachineSet', 'MachineDeployment', 'MachineClass'] as const
  const present = () => kinds.flatMap(kind => seed.machineObjects(kind).map(({ metadata }) => metadata.name))
  const before = present()
  const instances = (await seed.instances()).map(({ InstanceId }) => InstanceId)
  await seed.scaleController(0)
  await seed.changeShoot({ metadata: { annotations: { [annotations.forceDeletionConfirmation]: 'true' } } })
  await seed.remove()
  await seed.untilGone()
  expect(present()).toEqual(before)
  expect(seed.classSecrets()).toHaveLength(1)
  expect((await seed.instances()).map(({ InstanceId }) => InstanceId)).toEqual(instances)
})
