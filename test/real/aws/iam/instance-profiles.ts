import { type Behaviour, codeOf } from '../behaviour.ts'
import { withMachines } from '../ec2/machine.ts'
import { uniqueName } from '../unique-name.ts'
import { freshRole, ofRole, trust } from './world.ts'

export const instanceProfileBehaviours: readonly Behaviour[] = [
  {
    title: 'a profile holds the role that was added to it',
    see: ofRole(async ({ iam, RoleName, InstanceProfileName, profile, add }) => {
      await profile()
      await add()
      const { InstanceProfile } = await iam.getInstanceProfile({ InstanceProfileName })
      const { InstanceProfiles } = await iam.listInstanceProfilesForRole({ RoleName })
      return [
        InstanceProfile?.Roles?.map(role => role.RoleName === RoleName),
        InstanceProfile?.InstanceProfileId?.startsWith('AIPA'),
        InstanceProfiles?.map(each => each.InstanceProfileName === InstanceProfileName),
      ]
    }),
    aws: [[true], true, [true]],
    moto: [[true], false, [true]],
  },
  {
    title: 'a name of a profile is given once',
    see: ofRole(async ({ profile }) => [await codeOf(profile()), await codeOf(profile())]),
    aws: ['done', 'EntityAlreadyExistsException 409'],
  },
  {
    // "IAM and STS quotas", IAM user guide: one role in an instance profile; not adjustable.
    title: 'a profile holds one role',
    see: ofRole(async ({ iam, InstanceProfileName, profile, add }) => {
      await profile()
      await add()
      const RoleName = uniqueName('second')
      await iam.createRole({ RoleName, AssumeRolePolicyDocument: trust })
      return codeOf(iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName }))
    }),
    aws: 'LimitExceededException 409',
  },
  {
    title: 'an unknown role is not added to a profile',
    see: ofRole(async ({ iam, InstanceProfileName, profile }) => {
      await profile()
      return codeOf(iam.addRoleToInstanceProfile({ InstanceProfileName, RoleName: uniqueName('none') }))
    }),
    aws: 'NoSuchEntityException 404',
  },
  {
    title: 'a role in a profile cannot be deleted, nor can the profile',
    see: ofRole(async ({ iam, InstanceProfileName, profile, add, takeOut, remove }) => {
      await profile()
      await add()
      return [
        await codeOf(remove()),
        await codeOf(iam.deleteInstanceProfile({ InstanceProfileName })),
        await codeOf(takeOut()),
        await codeOf(takeOut()),
        await codeOf(remove()),
        await codeOf(iam.deleteInstanceProfile({ InstanceProfileName })),
        await codeOf(iam.getInstanceProfile({ InstanceProfileName })),
      ]
    }),
    aws: [
      'DeleteConflictException 409',
      'DeleteConflictException 409',
      'done',
      'NoSuchEntityException 404',
      'done',
      'done',
      'NoSuchEntityException 404',
    ],
    moto: [
      'DeleteConflictException 409',
      'DeleteConflictException 409',
      'done',
      'Error 500',
      'done',
      'done',
      'NoSuchEntityException 404',
    ],
  },
  {
    title: 'an unknown profile is not found',
    see: ({ iam }) => codeOf(iam.getInstanceProfile({ InstanceProfileName: uniqueName('none') })),
    aws: 'NoSuchEntityException 404',
  },
  {
    // "Changes that I make are not always immediately visible", IAM user guide.
    title: 'machines take a profile some seconds after it was made, not at once',
    see: withMachines(async machines => {
      const { InstanceProfileName, profile, add } = await freshRole(machines)
      await profile()
      await add()
      const launch = () => codeOf(machines.run({ IamInstanceProfile: { Name: InstanceProfileName } }))
      const first = await launch()
      await machines.waitLong()
      return [first, await launch()]
    }),
    aws: ['InvalidParameterValue 400', 'done'],
    moto: ['done', 'done'],
  },
  {
    title: 'machines do not take an unknown profile',
    see: withMachines(({ run }) => codeOf(run({ IamInstanceProfile: { Name: uniqueName('none') } }))),
    aws: 'InvalidParameterValue 400',
    moto: 'NoSuchEntity 404',
  },
]
