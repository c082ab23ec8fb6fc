import { describe, expect, test } from 'vitest'
import { asleep, during, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { compareWorlds, worldExceptions } from '../../sandbox/simulation/oracle/oracle.ts'
import { loadSimulatedCode } from '../../sandbox/simulation/simulation.ts'
import { continueWorld, deletedAccount, freshAccount, removeAll } from './continue-world.ts'
import type { StateName } from './record-states.ts'
import { dataFolder, earlier } from './versions.ts'
import { readStates } from './world-file.ts'

const code = await loadSimulatedCode()
const fresh = await freshAccount(code, wholeShoot)
const deleted = await deletedAccount(code, wholeShoot)

describe.each([...earlier])('a shoot of version $name', ({ name }) => {
  const recorded = async (state: StateName) => {
    const found = (await readStates(`${dataFolder}/${name}`)).get(state)
    if (found === undefined) throw new Error(`version ${name} has no state "${state}"`)
    return found
  }

  test.each([
    // Two nodes and a bastion.
    ['created', 3, wholeShoot],
    ['failed', 2, wholeShoot],
    ['hibernated', 0, asleep(wholeShoot)],
  ] as const)(
    'that is %s is reconciled without a write to AWS, with its %i machines',
    async (state, machines, shoot) => {
      const { world } = await recorded(state)
      const seen = await continueWorld(code, world, async one => {
        const before = { machines: one.machines(), classes: one.classes() }
        await one.rest()
        const alone = one.unfinished()
        await one.gardenlet(of => of.reconcile(shoot))
        return {
          before,
          after: { machines: one.machines(), classes: one.classes() },
          alone,
          unfinished: one.unfinished(),
          writes: one.cloudWrites(),
        }
      })
      expect(seen.writes).toEqual({})
      expect(seen.after).toEqual(seen.before)
      expect(seen.before.machines).toHaveLength(machines)
      expect(seen.before.classes).toHaveLength(1)
      expect(seen.alone).toEqual([])
      expect(seen.unfinished).toEqual([])
    },
  )

  test.each([
    'creating the network',
    'waiting for the network',
    'creating the control plane',
    'creating machines',
  ] as const)('that a crash stops while %s ends as a new one does', async state => {
    const { world } = await recorded(state)
    const seen = await continueWorld(code, world, async one => {
      await one.rest()
      const alone = one.unfinished()
      await one.gardenlet(of => of.reconcile(wholeShoot))
      await one.rest()
      return { alone, unfinished: one.unfinished(), account: one.world.cloud.contents() }
    })
    expect(seen.alone).toEqual([])
    expect(seen.unfinished).toEqual([])
    expect(compareWorlds(seen.account, fresh, { exceptions: worldExceptions })).toEqual([])
  })

  test('that is migrated is restored in another seed with its network and its machines', async () => {
    const { world, shootState } = await recorded('migrated')
    if (shootState === undefined) throw new Error('the state has no ShootState')
    const seen = await continueWorld(code, world, async one => {
      const { second } = one.world
      await one.gardenlet(of => of.prepareSeed(), second)
      const before = one.machines()
      one.cloudWrites()
      await one.gardenlet(of => of.restore(during(wholeShoot, 'Restore'), shootState), second)
      return {
        before,
        after: one.machines(),
        writes: one.cloudWrites(),
        unfinished: one.unfinished(second),
      }
    })
    // The names lead to the other seed.
    expect(seen.writes).toEqual({ ChangeResourceRecordSets: 3 })
    expect(seen.after).toEqual(seen.before)
    expect(seen.before).toHaveLength(2)
    expect(seen.unfinished).toEqual([])
  })

  test('whose migration a crash stops is migrated without a write to AWS', async () => {
    const { world } = await recorded('migrating')
    const seen = await continueWorld(code, world, async one => {
      await one.rest()
      const before = one.machines()
      await one.gardenlet(of => of.migrate(during(wholeShoot, 'Migrate')))
      return { before, after: one.machines(), writes: one.cloudWrites() }
    })
    expect(seen.writes).toEqual({})
    expect(seen.after).toEqual(seen.before)
    expect(seen.before).toHaveLength(2)
  })

  test.each(['deleting machines', 'deleting the network'] as const)(
    'that a crash stops while %s leaves nothing in AWS',
    async state => {
      const { world } = await recorded(state)
      const seen = await continueWorld(code, world, async one => {
        await one.rest()
        await removeAll(one, wholeShoot)
        return { account: one.world.cloud.contents(), unfinished: one.unfinished() }
      })
      expect(compareWorlds(seen.account, deleted, { exceptions: worldExceptions })).toEqual([])
      expect(seen.unfinished).toEqual([])
    },
  )
})
