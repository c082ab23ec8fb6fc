import { patchObject } from '../../../shared/kubernetes/keep-object.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { StepKubernetes } from '../../../shared/lifecycle/lifecycle.ts'
import { deploymentSchema } from '../../../shared/webhooks/components/webhooks.ts'
import { asksAuthenticator } from './api-server/oidc.ts'

export const deployments: GroupVersionResource = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
}

/**
 * Has the webhook change the Deployment of the API server, by a patch that changes nothing itself, where the webhook has
 * something to do. An API server that is not there yet will be shown to the webhook when it is made.
 *
 * @param bundle the Secret with the certificates by which the authenticator is known
 * @returns the Deployment as it is now; undefined: there is none
 */
export const changeApiServer = async (
  kubernetes: StepKubernetes,
  key: { readonly namespace: string; readonly name: string },
  bundle: string,
): Promise<KubernetesObject | undefined> => {
  const present = await kubernetes.get(deployments, key)
  if (present === undefined || present.metadata.deletionTimestamp !== undefined) return undefined
  if (asks(present, bundle)) return present
  const changed = await patchObject(kubernetes, deployments, present, {})
  // It is gone, or another one by now: both are shown to the webhook when they are made.
  if (changed === undefined || asks(changed)) return changed
  throw new Error(
    `the Deployment ${key.namespace}/${key.name} does not ask the OIDC authenticator: no webhook of shoot-oidc-service has changed it`,
  )
}

const asks = (deployment: KubernetesObject, bundle?: string): boolean => {
  const { data } = deploymentSchema.safeParse(deployment)
  return data !== undefined && asksAuthenticator(data.spec.template, bundle)
}

/** Whether all pods of a Deployment are of its present template. */
export const isRolledOut = ({ metadata, spec, status }: KubernetesObject): boolean => {
  const { replicas = 1 } = Object(spec)
  const {
    observedGeneration = 0,
    updatedReplicas = 0,
    availableReplicas = 0,
    replicas: all = 0,
  } = Object(status)
  return (
    observedGeneration >= (metadata.generation ?? 0) &&
    updatedReplicas === replicas &&
    all === replicas &&
    availableReplicas >= replicas
  )
}
