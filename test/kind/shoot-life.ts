import { deepStrictEqual } from 'node:assert/strict'
import type { Gardenlet, GardenShoot } from '../../sandbox/gardenlet/gardenlet.ts'
import { asleep, during } from '../../sandbox/providers/aws/demo/whole-shoot.ts'

export interface LifeStep {
  readonly title: string
  readonly run: () => Promise<void>
}

export interface ShootLifeOptions {
  readonly gardenlet: Gardenlet
  readonly shoot: GardenShoot
  /** The resources in the account, of this shoot at least. */
  readonly contents: () => Promise<readonly string[]>
  /** The writes to the cloud since the last call. Absent: unknown. */
  readonly writes?: () => unknown
  /** The number of running machines. Absent: the shoot sleeps all its life, because machines cost money. */
  readonly machines?: () => number
}

/** The life of a shoot with all kinds of objects, in order. Each step rejects if something is not as it must be. */
export const shootLife = (options: ShootLifeOptions): readonly LifeStep[] => {
  const { gardenlet, contents, writes, machines } = options
  const shoot = machines === undefined ? asleep(options.shoot) : options.shoot
  const desired = shoot.spec.provider.workers.reduce((sum, { minimum }) => sum + minimum, 0)
  let before: readonly string[] = []
  const expectMachines = (count: number) => deepStrictEqual(machines?.() ?? count, count, 'machines')
  const reconcile = (desiredShoot: GardenShoot) => gardenlet.reconcile(desiredShoot)
  return [
    {
      title: 'a seed gets its backup bucket, a shoot is created',
      run: async () => {
        before = await contents()
        await gardenlet.prepareSeed()
        await reconcile(shoot)
        expectMachines(desired)
      },
    },
    {
      title:
        writes === undefined ? 'it is reconciled again' : 'it is reconciled without a write to the cloud',
      run: async () => {
        writes?.()
        const made = await contents()
        await reconcile(shoot)
        deepStrictEqual(writes?.() ?? {}, {}, 'writes')
        deepStrictEqual(await contents(), made)
      },
    },
    {
      title: 'a bastion comes and goes',
      run: async () => {
        const { status } = await gardenlet.openBastion(shoot, { name: 'cli', cidr: '198.51.100.9/32' })
        if (!status?.ingress?.ip) throw new Error('the bastion has no address')
        await gardenlet.closeBastion(shoot, 'cli')
      },
    },
    ...(machines === undefined
      ? []
      : [
          {
            title: 'it sleeps and wakes up',
            run: async () => {
              await reconcile(asleep(shoot))
              expectMachines(0)
              await reconcile(shoot)
              expectMachines(desired)
            },
          },
        ]),
    {
      title: 'it is deleted, and nothing of it is left',
      run: async () => {
        await gardenlet.delete(during(shoot, 'Delete'))
        await gardenlet.removeSeed()
        deepStrictEqual(await contents(), before)
      },
    },
  ]
}
