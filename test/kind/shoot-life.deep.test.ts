import { expect, test } from 'vitest'
import { linesOf, wholeAccount } from '../../sandbox/providers/aws/demo/whole-account.ts'
import { wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { startWorld } from '../shoot/whole-shoot-world.ts'
import { shootLife } from './shoot-life.ts'

test('a shoot without machines lives in the sandbox as in a real account', async () => {
  const world = await startWorld()
  try {
    const contents = async () => linesOf(await wholeAccount(world.aws))
    const life = shootLife({ gardenlet: world.first.gardenlet, shoot: wholeShoot, contents })
    for (const { run, title } of life) {
      await run()
      const { RunInstances = 0 } = world.cloudWrites()
      expect(RunInstances, title).toBe(title.includes('bastion') ? 1 : 0)
    }
  } finally {
    await world.close()
  }
})
