import { DeleteRolePolicyCommand, GetRolePolicyCommand, PutRolePolicyCommand } from '@aws-sdk/client-iam'
import type { CallContext, Found, Observation, ResourceType } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import { isDoneWith, type Purpose } from '../tags.ts'
import { ifFound } from '../with-error-codes.ts'
import { canonicalPolicy } from './policy-document.ts'
import { roleNameKey } from './recorded.ts'
import { type KnownRole, mustFit, type RoleOutcome } from './role.ts'

/** `document`: in canonical form. */
export type PolicyAttributes = { readonly document: string }
export const policyNameKey = 'IAMRolePolicyName'
const what = 'IAM role policy'

/** Reads its document in canonical form. */
const policyObservation = (name: string, purpose: Purpose): Observation<AwsCloud, string | undefined> => ({
  name: what,
  observe: async ({ cloud, state, signal }) => {
    if (isDoneWith(state, purpose, { what, keys: [policyNameKey, roleNameKey] })) return undefined
    const command = new GetRolePolicyCommand({ RoleName: name, PolicyName: name })
    const answer = await ifFound(cloud.iam.send(command, { abortSignal: signal }))
    return answer?.PolicyDocument === undefined ? undefined : canonicalPolicy(answer.PolicyDocument)
  },
})

/** The inline policy of the role, with the role's name. `text`: the document to write. */
export const policyType = (
  name: string,
  text: string,
  role: Observation<AwsCloud, KnownRole | undefined>,
  purpose: Purpose,
  observation = policyObservation(name, purpose),
): ResourceType<AwsCloud, PolicyAttributes, Record<never, never>, { readonly role: RoleOutcome }> => ({
  what,
  list: async ({ read }) => {
    const [document, known] = await Promise.all([read(observation), read(role)])
    const foreign = known?.foreign === true
    if (foreign && !purpose.destroying) mustFit(`the inline policy of IAM role ${name}`, document, text)
    return document === undefined ? [] : [foundPolicy(name, document, foreign)]
  },
  create: async ({ name, attributes, ...call }) => {
    await put(call, name, text)
    return foundPolicy(name, attributes.document, false)
  },
  update: async ({ found, ...call }) => {
    await put(call, found.id, text)
    return undefined
  },
  remove: async ({ cloud, found: { id }, signal }) => {
    await cloud.iam.send(new DeleteRolePolicyCommand({ RoleName: id, PolicyName: id }), {
      abortSignal: signal,
    })
    return 'gone'
  },
  // It is deleted with the role.
  replaces: ['role'],
})

const put = async ({ cloud, signal }: CallContext<AwsCloud>, name: string, text: string): Promise<void> => {
  await cloud.iam.send(new PutRolePolicyCommand({ RoleName: name, PolicyName: name, PolicyDocument: text }), {
    abortSignal: signal,
  })
}

const foundPolicy = (
  name: string,
  document: string,
  foreign: boolean,
): Found<PolicyAttributes, Record<never, never>> => ({
  id: name,
  key: name,
  status: 'ready',
  attributes: { document },
  outcome: {},
  ...(foreign ? { foreign } : { ours: 'proved' }),
})
