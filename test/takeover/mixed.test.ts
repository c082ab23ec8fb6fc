import { describe, expect, test } from 'vitest'
import { stepsOver } from '../../functions/aws/infrastructure/testing/steps.ts'
import { recordedLife } from '../../functions/aws/worker/testing/recorded-life.ts'
import { recordedShoots } from '../../sandbox/providers/aws/simulator/ec2/testing/recording.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import { recordedObject } from '../infrastructure/recorded-shoot.ts'
import { recordedWorker } from '../recorded/workers.ts'

interface NetworkStatus {
  readonly vpc: {
    readonly subnets: readonly { readonly id: string; readonly purpose: string; readonly zone: string }[]
    readonly securityGroups: readonly { readonly id: string }[]
  }
  readonly iam: { readonly instanceProfiles: readonly { readonly name: string }[] }
  readonly ec2: { readonly keyName: string }
}

describe('of an Infrastructure and a Worker, one by the Go extension and one by Trellis', () => {
  test('the Worker of Trellis has machines in the network that the Go extension tells of', async () => {
    const { input } = recordedWorker('minimal')
    const theirs = recordedObject('n1').status?.providerStatus as unknown as NetworkStatus
    const { worker } = input
    const life = await recordedLife({
      input: {
        ...input,
        worker: {
          ...worker,
          spec: {
            ...worker.spec,
            infrastructureProviderStatus: theirs as never,
            pools: worker.spec.pools.map(pool => ({ ...pool, zones: ['eu-west-1a'] })),
          },
        },
      },
    })
    await life.play({ action: 'create', lastOperations: [], writes: [] } as never)
    const { items } = await life.kubernetes.list(machineKinds.MachineClass.resource)
    const subnet = theirs.vpc.subnets.find(({ purpose }) => purpose === 'nodes')
    expect(items.length).toBeGreaterThan(0)
    for (const { providerSpec } of items as unknown as { providerSpec: object }[])
      expect(providerSpec).toMatchObject({
        keyName: theirs.ec2.keyName,
        iam: { name: theirs.iam.instanceProfiles[0]?.name },
        networkInterfaces: [
          { subnetID: subnet?.id, securityGroupIDs: theirs.vpc.securityGroups.map(({ id }) => id) },
        ],
      })
  })

  test.each(recordedShoots.map(name => name.replace('infrastructure/', '')))(
    'the Infrastructure %s of Trellis tells of its network as the Go extension does, for its Workers and ControlPlanes',
    async file => {
      const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
      const { metadata, spec, status: recorded } = recordedObject(file)
      const { until, status } = stepsOver(shuffledAws({ clock }).requestHandler, clock, { metadata, spec })
      await until('reconcile')
      expect(shapeOf(status())).toEqual(shapeOf(recorded))
    },
  )
})

/** Returns the status without the ids that AWS assigned, in a fixed order. */
const shapeOf = (status: Infrastructure['status']): unknown => {
  const network = JSON.parse(
    JSON.stringify(status?.providerStatus).replace(/\b(vpc|subnet|sg|fs)-[0-9a-f]+/g, '$1-…'),
  ) as NetworkStatus
  const subnets = network.vpc.subnets.toSorted((one, other) =>
    `${one.zone} ${one.purpose}` < `${other.zone} ${other.purpose}` ? -1 : 1,
  )
  return { ...network, vpc: { ...network.vpc, subnets } }
}
