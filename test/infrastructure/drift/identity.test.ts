import { DeleteKeyPairCommand, ImportKeyPairCommand } from '@aws-sdk/client-ec2'
import {
  AddRoleToInstanceProfileCommand,
  CreateRoleCommand,
  DeleteInstanceProfileCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  ListRolePoliciesCommand,
  PutRolePolicyCommand,
  RemoveRoleFromInstanceProfileCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam'
import { describe, expect } from 'vitest'
import { namespace } from '../../../functions/aws/infrastructure/testing/objects.ts'
import type { Hands } from '../made-shoot.ts'
import { testDrifts, usual } from './drift.ts'

const name = `${namespace}-nodes`
const role = { RoleName: name }
const policy = { ...role, PolicyName: name }
const inProfile = { InstanceProfileName: name, ...role }
const KeyName = `${namespace}-ssh-publickey`
const allowing = (Action: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action, Resource: '*' }],
  })
const trusting = (Service: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service }, Action: 'sts:AssumeRole' }],
  })
const emptyProfile = ({ iam }: Hands) => iam.send(new RemoveRoleFromInstanceProfileCommand(inProfile))

describe('on the identity of the nodes, an operator', () => {
  testDrifts(usual, [
    {
      what: "lets the role's policy allow more",
      done: ({ iam }) => iam.send(new PutRolePolicyCommand({ ...policy, PolicyDocument: allowing('ec2:*') })),
      repaired: ['PutRolePolicy'],
    },
    {
      what: "deletes the role's policy",
      done: ({ iam }) => iam.send(new DeleteRolePolicyCommand(policy)),
      repaired: ['PutRolePolicy'],
    },
    {
      what: 'gives the role one policy more, which stays',
      done: ({ iam }) =>
        iam.send(
          new PutRolePolicyCommand({
            ...role,
            PolicyName: 'backup',
            PolicyDocument: allowing('s3:PutObject'),
          }),
        ),
      repaired: [],
      survives: async ({ iam }) =>
        expect((await iam.send(new ListRolePoliciesCommand(role))).PolicyNames).toContain('backup'),
    },
    {
      what: 'a user lets another service assume the role',
      done: ({ iam }) =>
        iam.send(
          new UpdateAssumeRolePolicyCommand({ ...role, PolicyDocument: trusting('lambda.amazonaws.com') }),
        ),
      repaired: ['UpdateAssumeRolePolicy'],
    },
    {
      what: 'takes the role out of the profile',
      done: emptyProfile,
      repaired: ['AddRoleToInstanceProfile'],
    },
    {
      what: 'puts another role into the profile',
      done: async hands => {
        const AssumeRolePolicyDocument = trusting('ec2.amazonaws.com')
        await hands.iam.send(new CreateRoleCommand({ RoleName: 'other', AssumeRolePolicyDocument }))
        await emptyProfile(hands)
        await hands.iam.send(new AddRoleToInstanceProfileCommand({ ...inProfile, RoleName: 'other' }))
      },
      repaired: ['RemoveRoleFromInstanceProfile', 'AddRoleToInstanceProfile'],
    },
    {
      what: 'deletes the profile',
      done: async hands => {
        await emptyProfile(hands)
        await hands.iam.send(new DeleteInstanceProfileCommand({ InstanceProfileName: name }))
      },
      repaired: ['CreateInstanceProfile', 'AddRoleToInstanceProfile'],
    },
    {
      what: 'deletes the role',
      done: async hands => {
        await emptyProfile(hands)
        await hands.iam.send(new DeleteRolePolicyCommand(policy))
        await hands.iam.send(new DeleteRoleCommand(role))
      },
      repaired: ['CreateRole', 'PutRolePolicy', 'AddRoleToInstanceProfile'],
    },
    {
      what: 'deletes the key pair',
      done: ({ ec2 }) => ec2.send(new DeleteKeyPairCommand({ KeyName })),
      repaired: ['ImportKeyPair'],
    },
    {
      what: 'puts another key in place of it',
      done: async ({ ec2 }) => {
        await ec2.send(new DeleteKeyPairCommand({ KeyName }))
        await ec2.send(new ImportKeyPairCommand({ KeyName, PublicKeyMaterial: otherKey }))
      },
      repaired: ['DeleteKeyPair', 'ImportKeyPair'],
    },
  ])
})

const otherKey = Buffer.from(
  `ssh-ed25519 ${Buffer.concat([
    Buffer.from([0, 0, 0, 11]),
    Buffer.from('ssh-ed25519'),
    Buffer.from([0, 0, 0, 32]),
    Buffer.alloc(32, 7),
  ]).toString('base64')}`,
)
