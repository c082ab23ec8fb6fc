import {
  CreateSecurityGroupCommand,
  DeleteSecurityGroupCommand,
  ImportKeyPairCommand,
} from '@aws-sdk/client-ec2'
import { personInEc2 } from './accounts.ts'
import { aliveRows } from './alive-rows.ts'
import { bastion, bastionHistory } from './bastions.ts'
import { type History, mustHold } from './history.ts'
import { minute } from './life.ts'
import { created, infrastructure, networkHistory } from './networks.ts'

const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f other@test'

/** Others create a resource with the name of ours, after a step has read that there is none. */
export const namesakeHistories: readonly History[] = [
  networkHistory('a key pair that another landscape creates meanwhile is not taken', async life => {
    await created(life)
    await life.drop(infrastructure(life))
    await life.untilGone(infrastructure(life))
    const { namespace } = infrastructure(life).key as { readonly namespace: string }
    const KeyName = `${namespace}-ssh-publickey`
    const person = personInEc2(life.world.cloud)
    let isMade = false
    const create = async (): Promise<void> => {
      await person.send(
        new ImportKeyPairCommand({
          KeyName,
          PublicKeyMaterial: Buffer.from(otherKey),
          TagSpecifications: [
            {
              ResourceType: 'key-pair',
              Tags: [{ Key: `kubernetes.io/cluster/${namespace}`, Value: 'owned' }],
            },
          ],
        }),
      )
      isMade = true
    }
    life.fault({
      of: /aws-infrastructure/,
      about: /ImportKeyPair/,
      fate: { kind: 'pass', beforeMs: 2_000 },
      meet: () => void create(),
    })
    await life.request(infrastructure(life))
    await life.sleep(10 * minute)
    mustHold(isMade, 'the other landscape has no key pair')
    await life.drop(infrastructure(life))
    await life.untilGone(infrastructure(life))
    const left = aliveRows(life.world.cloud, 'keyPairs').map(({ name }) => name)
    mustHold(left.includes(KeyName), 'the key pair of another landscape is deleted')
  }),
  bastionHistory('a group that a user creates meanwhile is not taken', async life => {
    const { namespace } = bastion(life).key as { readonly namespace: string }
    const GroupName = `${namespace}-lookout-bsg`
    const VpcId = String(
      aliveRows(life.world.cloud, 'securityGroups').find(({ name }) => /-nodes$/.test(String(name)))?.vpcId,
    )
    const person = personInEc2(life.world.cloud)
    let made: string | undefined
    const create = () =>
      void person
        .send(new CreateSecurityGroupCommand({ GroupName, Description: 'of a user', VpcId }))
        .then(({ GroupId }) => {
          made = GroupId
        })
    life.fault({
      of: /aws-bastion/,
      about: /CreateSecurityGroup/,
      fate: { kind: 'pass', beforeMs: 2_000 },
      meet: create,
    })
    await life.request(bastion(life))
    await life.sleep(20 * minute)
    mustHold(made !== undefined, 'the user has no group')
    const group = aliveRows(life.world.cloud, 'securityGroups').find(({ id }) => id === made)
    mustHold(
      !JSON.stringify(group).includes('198.51.100.0/24'),
      'the group of a user has a rule of the Bastion',
    )
    await person.send(new DeleteSecurityGroupCommand({ GroupId: made }))
    await life.apply(bastion(life))
  }),
]
