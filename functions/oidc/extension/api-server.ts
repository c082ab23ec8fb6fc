import {
  deployments,
  type KubernetesObject,
  patchObject,
  type StepKubernetes,
} from '../../../build/library/trellis.ts'
import { deploymentSchema } from '../../../build/library/webhooks.ts'
import { asksAuthenticator } from './api-server/oidc.ts'

/**
 * Triggers the webhook for the Deployment of the API server with an empty patch, if it needs a change. If the API
 * server does not exist yet, the webhook reviews it on creation.
 *
 * @param bundle the Secret with the certificates that verify the authenticator
 * @returns the current Deployment, or undefined if none exists
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
  // It was deleted or recreated. The webhook reviews a Deployment on creation.
  if (changed === undefined || asks(changed)) return changed
  throw new Error(
    `the Deployment ${key.namespace}/${key.name} does not use the OIDC authenticator: no webhook of shoot-oidc-service has changed it`,
  )
}

const asks = (deployment: KubernetesObject, bundle?: string): boolean => {
  const { data } = deploymentSchema.safeParse(deployment)
  return data !== undefined && asksAuthenticator(data.spec.template, bundle)
}

/** Returns true if all pods of a Deployment have its current template. */
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
