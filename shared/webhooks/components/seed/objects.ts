import { CodedError } from '../../../contract/errors.ts'
import { clusterKind } from '../../../contract/kinds.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { FunctionPermission } from '../../../runtime/runtime.ts'
import type { Lookup } from '../../admission/admission.ts'
import { cloudproviderName } from '../pod/workload-identity.ts'

/** Objects that webhooks read from the seed. */
const secretsResource: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  namespaced: true,
}

export const clusterPermission: FunctionPermission = {
  resource: clusterKind.resource,
  verbs: ['get'],
  why: "The Cluster of a shoot's namespace.",
}

export const cloudproviderPermission: FunctionPermission = {
  resource: secretsResource,
  verbs: ['get'],
  why: 'Credentials of the shoot for its cloud: a key or a token.',
}

/** Returns the Secret `cloudprovider` of a shoot's namespace. Throws a `CodedError` if it is missing. */
export const readCloudprovider = async (lookup: Lookup, namespace: string): Promise<KubernetesObject> => {
  const secret = await lookup.get(secretsResource, { namespace, name: cloudproviderName })
  if (secret !== undefined) return secret
  throw new CodedError(`failed getting cloudprovider secret: secrets "${cloudproviderName}" not found`, {
    codes: [],
  })
}
