import { CodedError } from '../../../shared/contract/errors.ts'
import type { SelfHostedShootExposure } from '../../../shared/contract/objects.ts'
import { decodeSecret, type StepKubernetes, secrets } from '../../../shared/lifecycle/lifecycle.ts'

export const purpose = 'could not create provider client'

const problem = (message: string): CodedError =>
  new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })

/**
 * Returns the key of an exposure's Secret. It must be in the exposure's namespace: permission to write an exposure
 * there must not give access to other namespaces. Throws a `CodedError`.
 */
export const credentialsOf = ({ spec: { credentialsRef }, metadata }: SelfHostedShootExposure) => {
  const { name, namespace: given, kind = 'Secret' } = credentialsRef ?? {}
  const { namespace = '' } = metadata
  if (!name)
    throw problem(
      'credentialsRef is required for the provider-local SelfHostedShootExposure implementation but is not set',
    )
  if (kind !== 'Secret') throw problem('spec.credentialsRef.kind: expected Secret, found another kind')
  if ((given ?? namespace) !== namespace)
    throw problem(`spec.credentialsRef.namespace: expected ${namespace}, the namespace of the exposure`)
  return { name, namespace }
}

/** Throws a `CodedError` that names the Secret and never a value. */
export const kubeconfigOf = async (
  kubernetes: Pick<StepKubernetes, 'get'>,
  exposure: SelfHostedShootExposure,
): Promise<string | undefined> => {
  const ref = credentialsOf(exposure)
  const found = await kubernetes.get(secrets, ref)
  if (found === undefined)
    throw problem(`${purpose}: could not retrieve provider secret: Secret "${ref.name}" not found`)
  return decodeSecret(found, ref, ' of spec.credentialsRef').data.kubeconfig
}
