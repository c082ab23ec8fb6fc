import { type Behaviour, codeOf } from '../behaviour.ts'
import { uniqueName } from '../unique-name.ts'
import { ofRole, permissions, trust } from './world.ts'

const creating =
  (AssumeRolePolicyDocument: string, RoleName = uniqueName('role')): Behaviour['see'] =>
  ({ iam }) =>
    codeOf(iam.createRole({ RoleName, AssumeRolePolicyDocument }))

const decoded = (document: string | undefined): unknown => JSON.parse(decodeURIComponent(document ?? ''))

/** Roles. */
export const roleBehaviours: readonly Behaviour[] = [
  {
    title: 'a role has an ARN, an id and its trust policy, URL-encoded',
    see: ofRole(async ({ iam, RoleName }) => {
      const { Role } = await iam.getRole({ RoleName })
      return [
        Role?.Arn === `arn:aws:iam::123456789012:role/${RoleName}`,
        Role?.RoleId?.slice(0, 4),
        Role?.AssumeRolePolicyDocument?.slice(0, 3),
        decoded(Role?.AssumeRolePolicyDocument),
      ]
    }),
    aws: [true, 'AROA', '%7B', JSON.parse(trust)],
  },
  {
    title: 'a name of a role is given once',
    see: ofRole(({ iam, RoleName }) => codeOf(iam.createRole({ RoleName, AssumeRolePolicyDocument: trust }))),
    aws: 'EntityAlreadyExistsException 409',
  },
  {
    title: 'an unknown role is not found',
    see: ({ iam }) => codeOf(iam.getRole({ RoleName: uniqueName('none') })),
    aws: 'NoSuchEntityException 404',
  },
  {
    title: 'a role is deleted, and gone',
    see: ofRole(async ({ iam, RoleName, remove }) => [
      await codeOf(remove()),
      await codeOf(iam.getRole({ RoleName })),
      await codeOf(remove()),
    ]),
    aws: ['done', 'NoSuchEntityException 404', 'NoSuchEntityException 404'],
  },
  {
    title: 'a trust policy that is no JSON is refused',
    see: creating('nonsense'),
    aws: 'MalformedPolicyDocumentException 400',
    moto: 'done',
  },
  {
    title: 'a trust policy without a principal is refused',
    see: creating(permissions('sts:AssumeRole')),
    aws: 'MalformedPolicyDocumentException 400',
    moto: 'done',
  },
  {
    // "Identifiers", IAM user guide: letters, digits and + = , . @ _ -
    title: 'a name with a space is refused',
    see: creating(trust, 'a role'),
    aws: 'ValidationError 400',
    moto: 'done',
  },
  {
    // "IAM and STS quotas", IAM user guide: role names have 64 characters at most.
    title: 'a name of 65 characters is refused',
    see: creating(trust, 'r'.repeat(65)),
    aws: 'ValidationError 400',
    moto: 'done',
  },
  {
    title: 'the trust policy of a role is replaced',
    see: ofRole(async ({ iam, RoleName }) => {
      const PolicyDocument = trust.replace('ec2.amazonaws.com', 'lambda.amazonaws.com')
      await iam.updateAssumeRolePolicy({ RoleName, PolicyDocument })
      const { Role } = await iam.getRole({ RoleName })
      return decoded(Role?.AssumeRolePolicyDocument)
    }),
    aws: JSON.parse(trust.replace('ec2.amazonaws.com', 'lambda.amazonaws.com')),
  },
  {
    title: 'roles are listed by path, in pages',
    see: async ({ iam }) => {
      const Path = `/${uniqueName('path')}/`
      for (const name of ['a', 'b', 'c']) {
        await iam.createRole({ RoleName: uniqueName(name), Path, AssumeRolePolicyDocument: trust })
      }
      const first = await iam.listRoles({ PathPrefix: Path, MaxItems: 2 })
      const second = await iam.listRoles({
        PathPrefix: Path,
        MaxItems: 2,
        ...(first.Marker ? { Marker: first.Marker } : {}),
      })
      const counts = [first, second].map(({ Roles }) => Roles?.length)
      return [first.IsTruncated, counts, second.IsTruncated]
    },
    aws: [true, [2, 1], false],
  },
]
