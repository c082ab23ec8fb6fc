import * as iam from '@aws-sdk/client-iam'
import { test } from 'vitest'
import { expectRefusal, type Refusal, type World } from '../testing/refusal.ts'

const document = (statement: object) =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...statement }] })
const trust = document({ Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' })
const clientOf = ({ settings }: World) => new iam.IAMClient(settings)
const newRole = (world: World, RoleName = 'nodes') =>
  clientOf(world).send(new iam.CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust }))
const names = { RoleName: 'nodes', InstanceProfileName: 'nodes' }
const newProfile = async (world: World) => {
  await newRole(world)
  await clientOf(world).send(new iam.CreateInstanceProfileCommand(names))
  await clientOf(world).send(new iam.AddRoleToInstanceProfileCommand(names))
}

const refusals: readonly Refusal[] = [
  [
    'a role that there is not',
    world => clientOf(world).send(new iam.GetRoleCommand(names)),
    'NoSuchEntityException',
    404,
    'The role with name nodes cannot be found.',
  ],
  [
    'a role of a name that there is, in whatever case',
    async world => [await newRole(world), await newRole(world, 'NODES')],
    'EntityAlreadyExistsException',
    409,
    'Role with name NODES already exists.',
  ],
  [
    'deleting a role in a profile',
    async world => {
      await newProfile(world)
      return clientOf(world).send(new iam.DeleteRoleCommand(names))
    },
    'DeleteConflictException',
    409,
    'Cannot delete entity, must remove roles from instance profile first.',
  ],
  [
    'deleting a role with a policy',
    async world => {
      await newRole(world)
      const PolicyDocument = document({ Action: 'ec2:DescribeInstances', Resource: '*' })
      await clientOf(world).send(
        new iam.PutRolePolicyCommand({ ...names, PolicyName: 'nodes', PolicyDocument }),
      )
      return clientOf(world).send(new iam.DeleteRoleCommand(names))
    },
    'DeleteConflictException',
    409,
    'Cannot delete entity, must delete policies first.',
  ],
  [
    'deleting a profile with a role',
    async world => {
      await newProfile(world)
      return clientOf(world).send(new iam.DeleteInstanceProfileCommand(names))
    },
    'DeleteConflictException',
    409,
    'Cannot delete entity, must remove roles from instance profile first.',
  ],
  [
    'a second role in a profile',
    async world => {
      await newProfile(world)
      await newRole(world, 'other')
      return clientOf(world).send(new iam.AddRoleToInstanceProfileCommand({ ...names, RoleName: 'other' }))
    },
    'LimitExceededException',
    409,
    /InstanceSessionsPerInstanceProfile: 1/,
  ],
  [
    'a policy that is no JSON',
    async world => {
      await newRole(world)
      return clientOf(world).send(
        new iam.PutRolePolicyCommand({ ...names, PolicyName: 'nodes', PolicyDocument: '{' }),
      )
    },
    'MalformedPolicyDocumentException',
    400,
    'This policy contains invalid Json',
  ],
]

test.each(refusals)('IAM refuses %s', expectRefusal)
