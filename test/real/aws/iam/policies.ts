import { type Behaviour, codeOf } from '../behaviour.ts'
import { uniqueName } from '../unique-name.ts'
import { ofRole, permissions } from './world.ts'

const putting = (document: string): Behaviour['see'] => ofRole(({ put }) => codeOf(put(document)))

const statement = (parts: object): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', ...parts }] })

/** Inline and attached policies of roles. */
export const policyBehaviours: readonly Behaviour[] = [
  {
    title: 'a policy of a role comes back URL-encoded, as it was given',
    see: ofRole(async ({ iam, RoleName, put }) => {
      const document = permissions()
      await put(document)
      const { PolicyDocument } = await iam.getRolePolicy({ RoleName, PolicyName: 'machines' })
      return [PolicyDocument?.slice(0, 3), decodeURIComponent(PolicyDocument ?? '') === document]
    }),
    aws: ['%7B', true],
  },
  {
    title: 'a policy of a role is replaced',
    see: ofRole(async ({ iam, RoleName, put }) => {
      await put()
      await put(permissions('ec2:DescribeVpcs'))
      const { PolicyNames } = await iam.listRolePolicies({ RoleName })
      const { PolicyDocument } = await iam.getRolePolicy({ RoleName, PolicyName: 'machines' })
      return [PolicyNames, decodeURIComponent(PolicyDocument ?? '') === permissions('ec2:DescribeVpcs')]
    }),
    aws: [['machines'], true],
  },
  {
    title: 'a policy that is no JSON is refused',
    see: putting('nonsense'),
    aws: 'MalformedPolicyDocumentException 400',
  },
  {
    title: 'a policy without an action is refused',
    see: putting(statement({ Resource: '*' })),
    aws: 'MalformedPolicyDocumentException 400',
  },
  {
    title: 'a policy without a resource is refused',
    see: putting(statement({ Action: 'ec2:DescribeVpcs' })),
    aws: 'MalformedPolicyDocumentException 400',
  },
  {
    title: 'an action without the name of its service is refused',
    see: putting(permissions('DescribeVpcs')),
    aws: 'MalformedPolicyDocumentException 400',
  },
  {
    title: 'a policy of a role with a principal is refused',
    see: putting(
      statement({ Action: 'ec2:DescribeVpcs', Resource: '*', Principal: { Service: 'ec2.amazonaws.com' } }),
    ),
    aws: 'MalformedPolicyDocumentException 400',
    moto: 'done',
  },
  {
    title: 'an unknown policy of a role is not found',
    see: ofRole(({ iam, RoleName }) => codeOf(iam.getRolePolicy({ RoleName, PolicyName: 'none' }))),
    aws: 'NoSuchEntityException 404',
  },
  {
    title: 'a policy of a role is deleted once',
    see: ofRole(async ({ iam, RoleName, put }) => {
      await put()
      const remove = () => codeOf(iam.deleteRolePolicy({ RoleName, PolicyName: 'machines' }))
      return [await remove(), await remove()]
    }),
    aws: ['done', 'NoSuchEntityException 404'],
  },
  {
    title: 'an unknown role takes no policy',
    see: ({ iam }) =>
      codeOf(
        iam.putRolePolicy({ RoleName: uniqueName('none'), PolicyName: 'p', PolicyDocument: permissions() }),
      ),
    aws: 'NoSuchEntityException 404',
  },
  {
    title: 'a role with a policy in it cannot be deleted',
    see: ofRole(async ({ put, remove }) => [await codeOf(put()), await codeOf(remove())]),
    aws: ['done', 'DeleteConflictException 409'],
  },
]
