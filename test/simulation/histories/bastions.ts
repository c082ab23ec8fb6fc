import { type AwsSide, createAwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { changeAccount } from './accounts.ts'
import { aliveRows } from './alive-rows.ts'
import { type History, type HistoryOptions, history, mustHold } from './history.ts'
import { type Life, minute, type OwnObject } from './life.ts'

type AwsLife = Life<AwsSide>

const bastion = (life: AwsLife, { cidr = '198.51.100.0/24', script = '#!/bin/bash\n' } = {}): OwnObject => ({
  kind: 'Bastion',
  key: { name: 'lookout', namespace: life.world.cloud.shoot.status.technicalID },
  spec: {
    type: 'aws',
    userData: Buffer.from(script).toString('base64'),
    ingress: [{ ipBlock: { cidr } }],
  },
})

const bastionHistory = (
  title: string,
  course: (life: AwsLife) => Promise<void>,
  points?: HistoryOptions<AwsSide>['points'],
): History =>
  history({
    name: `aws-bastion: ${title}`,
    functions: ['aws-bastion'],
    kinds: ['Bastion'],
    ...(points && { points }),
    cloud: createAwsSide,
    course: async life => {
      const { shoot } = life.world.cloud
      const infrastructure: OwnObject = {
        kind: 'Infrastructure',
        key: { name: shoot.metadata.name, namespace: shoot.status.technicalID },
        spec: {},
      }
      const end = new AbortController()
      const began = life.seed
        .gardenlet(end.signal)
        .reconcile(shoot)
        .catch(() => {})
      await life.until('the Infrastructure', async () => (await life.live(infrastructure)) !== undefined)
      await life.untilSucceeded(infrastructure)
      end.abort(new Error('the rest of the shoot does not matter'))
      await began
      await course(life)
    },
  })

const instancesOf = (life: AwsLife) =>
  aliveRows(life.world.cloud, 'instances').filter(({ tags }) => /lookout/.test(JSON.stringify(tags)))

const leaksNothing = (life: AwsLife): void => {
  const left = instancesOf(life).map(({ id }) => id)
  mustHold(left.length === 0, `an instance is leaked: ${left.join(', ')}`)
}

export const bastionHistories: readonly History[] = [
  bastionHistory(
    'a late request starts no second instance',
    async life => {
      const kill = (name: string) =>
        life.seed
          .instances()
          .find(({ process }) => process.name === name)
          ?.process.kill()
      life.fault({
        of: /aws-bastion/,
        about: /RunInstances/,
        fate: { kind: 'pass', beforeMs: 3 * minute },
        meet: kill,
      })
      await life.apply(bastion(life))
      await life.sleep(10 * minute)
      mustHold(instancesOf(life).length === 1, `expected one instance, found ${instancesOf(life).length}`)
    },
    'intermediate',
  ),
  bastionHistory('a range that is no longer allowed is revoked', async life => {
    await life.apply(bastion(life))
    await life.apply(bastion(life, { cidr: '203.0.113.0/24' }))
    const groups = JSON.stringify(aliveRows(life.world.cloud, 'securityGroups'))
    mustHold(!groups.includes('198.51.100.0/24'), 'the former range is still allowed')
  }),
  bastionHistory(
    'a deletion with the credentials of another account leaks nothing',
    async life => {
      await life.apply(bastion(life))
      const { namespace } = bastion(life).key as { readonly namespace: string }
      const restore = await changeAccount(life, { name: 'cloudprovider', namespace })
      await life.drop(bastion(life))
      await life.sleep(10 * minute)
      await restore()
      await life.untilGone(bastion(life))
      leaksNothing(life)
    },
    'unobserved',
  ),
  bastionHistory('a Bastion does not adopt the instance of its predecessor', async life => {
    await life.apply(bastion(life))
    const [former] = instancesOf(life)
    const { resource } = kinds.Bastion
    for (const { process } of life.seed.bridges()) process.kill()
    await life.drop(bastion(life))
    await life.seed.kubernetes.patch(resource, bastion(life).key, { metadata: { finalizers: null } })
    for (const replica of [0, 1]) life.seed.restart(replica)
    await life.apply(bastion(life, { script: '#!/bin/sh\n' }))
    await life.sleep(10 * minute)
    mustHold(
      instancesOf(life).every(({ id }) => id !== former?.id) && instancesOf(life).length === 1,
      'the Bastion has the instance of its predecessor',
    )
  }),
]
