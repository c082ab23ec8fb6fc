import type { GardenShoot, Landscape, SeedFacts } from '../../sandbox/gardenlet/gardenlet.ts'
import { linesOf, wholeAccount } from '../../sandbox/providers/aws/demo/whole-account.ts'
import { landscape, seeds, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { furnishedZone } from '../../sandbox/providers/aws/furnished-zone.ts'
import { type Aws, addHostedZone, createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { cloudWrites } from '../shoot/whole-shoot-world.ts'

/** An account of AWS, and a shoot for it. */
export interface LifeAccount {
  /** The port of the simulator. Undefined: AWS itself. */
  readonly port: number | undefined
  readonly shoot: GardenShoot
  readonly landscape: Landscape
  readonly seed: SeedFacts
  /** The resources in the account, of this run at least. */
  contents(): Promise<readonly string[]>
  /** The writes to the cloud since the last call. Absent: unknown. */
  readonly writes?: () => unknown
  close(): Promise<void>
}

/** The account in which the machine controller starts machines, and, without another one, all the rest. */
export const openSimulatedAccount = async (): Promise<LifeAccount & { readonly aws: Aws }> => {
  const aws = createAws({ clock: systemClock })
  addHostedZone(aws.account(), furnishedZone)
  const listener = await aws.listen()
  return {
    aws,
    port: Number(new URL(listener.url).port),
    ...{ shoot: wholeShoot, landscape, seed: seeds.first },
    contents: async () => linesOf(await wholeAccount(aws)),
    writes: () => cloudWrites(aws),
    close: listener.close,
  }
}
