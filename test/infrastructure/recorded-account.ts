import { accountContents } from '../../functions/aws/infrastructure/testing/account-contents.ts'
import type { Aws, Ec2State } from '../../sandbox/providers/aws/simulator/aws.ts'
import {
  createContext,
  type Ec2,
  type IamState,
  keyOf,
  resolveSettings,
} from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { Infrastructure } from '../../shared/contract/objects.ts'
import { loadNetwork, loadRouting, resource } from './recorded-network.ts'
import { type RecordedResources, recordedResourcesOf } from './recorded-resources.ts'
import { recordedObject } from './recorded-shoot.ts'

const region = 'eu-west-1'

/**
 * Loads an account as recorded after the Go extension created a shoot (`n1`, `n3-s3`), with the recorded ids and
 * attributes, and the recorded object.
 */
export const recordedAccount = async (file: string) => {
  const object = recordedObject(file)
  const clock = virtualClock(Date.parse('2026-11-21T03:00:00Z'))
  const aws = shuffledAws({ clock })
  // The first calls create the default contents of an account, which a recording lacks.
  const fresh = await accountContents(aws.requestHandler)
  load(aws, recordedResourcesOf(file), object)
  return { aws, clock, object, fresh }
}

const load = (aws: Aws, recorded: RecordedResources, object: Infrastructure): void => {
  const account = aws.account()
  const snapshot = account.snapshot()
  const { [`ec2/${region}`]: state, iam } = snapshot.services
  const ec2 = contextOf(aws, state as Ec2State, Date.parse(object.metadata.creationTimestamp ?? ''))
  loadNetwork(ec2, recorded)
  loadRouting(ec2, recorded)
  loadKeyPairs(ec2, recorded, object)
  loadIdentity(iam as IamState, recorded)
  account.restore(aws.readSnapshot(JSON.parse(JSON.stringify(snapshot))))
}

/** The EC2 state at the time when the shoot was created. Ids that are not recorded are numbers. */
const contextOf = (aws: Aws, state: Ec2State, made: number): Ec2 => {
  let count = 0
  const newId = (length: number) => {
    count += 1
    return count.toString(16).padStart(length, '0')
  }
  const scope = { state, region, clock: virtualClock(made), accountId: aws.account().id, newId }
  return createContext(scope, resolveSettings({}))
}

const loadKeyPairs = (ec2: Ec2, { KeyPairs }: RecordedResources, { spec }: Infrastructure): void => {
  for (const { KeyPairId, KeyName, KeyType, KeyFingerprint, CreateTime, Tags } of KeyPairs) {
    ec2.tables.keyPairs.put({
      ...resource(ec2, KeyPairId, Tags, CreateTime),
      name: KeyName,
      type: KeyType,
      // The emulator computes fingerprints differently. The state contains the same one.
      fingerprint: KeyFingerprint,
      // EC2 returns the key only on request, which the recording did not make.
      publicKey: Buffer.from(spec.sshPublicKey ?? '', 'base64').toString(),
    })
  }
}

const loadIdentity = (iam: IamState, { Role, RolePolicies, InstanceProfile }: RecordedResources): void => {
  iam.roles[keyOf(Role.RoleName)] = {
    name: Role.RoleName,
    id: Role.RoleId,
    path: Role.Path,
    createdAt: Date.parse(Role.CreateDate),
    trust: JSON.stringify(Role.AssumeRolePolicyDocument),
    description: undefined,
    maxSession: Role.MaxSessionDuration,
    boundary: undefined,
    tags: [],
    policies: Object.entries(RolePolicies).map(([name, document]) => ({
      name,
      document: JSON.stringify(document),
    })),
    attached: [],
  }
  iam.profiles[keyOf(InstanceProfile.InstanceProfileName)] = {
    name: InstanceProfile.InstanceProfileName,
    id: InstanceProfile.InstanceProfileId,
    path: InstanceProfile.Path,
    createdAt: Date.parse(InstanceProfile.CreateDate),
    role: InstanceProfile.Roles[0]?.RoleName,
    tags: [],
  }
}
