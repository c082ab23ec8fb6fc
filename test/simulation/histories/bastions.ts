import { kinds } from '../../../shared/contract/kinds.ts'
import { changeAccount } from './accounts.ts'
import { aliveRows } from './alive-rows.ts'
import { type AwsLife, awsHistories, beginShoot, infrastructureOf } from './aws-history.ts'
import { type History, mustHold } from './history.ts'
import { minute, type OwnObject } from './life.ts'

export const bastion = (
  life: AwsLife,
  { cidr = '198.51.100.0/24', script = '#!/bin/bash\n' } = {},
): OwnObject => ({
  kind: 'Bastion',
  key: { name: 'lookout', namespace: life.world.cloud.shoot.status.technicalID },
  spec: {
    type: 'aws',
    userData: Buffer.from(script).toString('base64'),
    ingress: [{ ipBlock: { cidr } }],
  },
})

export const bastionHistory = (
  title: string,
  course: (life: AwsLife) => Promise<void>,
  points?: History['points'],
): History =>
  awsHistories('Bastion')(
    title,
    ['aws-bastion'],
    async life => {
      await beginShoot(life)
      await life.untilSucceeded(infrastructureOf(life))
      await course(life)
    },
    points,
  )

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
  bastionHistory(
    'a deletion that EC2 answers with the past leaks no group',
    async life => {
      await life.apply(bastion(life))
      life.world.cloud.aws.faults.add({
        service: 'ec2',
        action: 'DeleteSecurityGroup',
        times: 1,
        effect: { kind: 'error', code: 'InvalidGroup.NotFound', status: 400 },
      })
      await life.drop(bastion(life))
      await life.untilGone(bastion(life))
      const left = aliveRows(life.world.cloud, 'securityGroups').filter(({ name }) =>
        /lookout/.test(String(name)),
      )
      mustHold(left.length === 0, 'the group is leaked')
    },
    'stale',
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
