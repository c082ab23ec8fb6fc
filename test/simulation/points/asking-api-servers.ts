import { withAuthenticator } from '../../../functions/oidc/extension/api-server/oidc.ts'
import type { WorldBackup } from '../../../sandbox/simulation/simulation.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** Any Secret: no webhook changes it here, and the extension accepts every bundle after its patch. */
const bundle = 'ca-oidc-webhook-authenticator'

/** Returns the objects with API servers of shoots as the webhook of `shoot-oidc-service` changes them, rolled out. */
export const withAskingApiServers = ({ objects, ...backup }: WorldBackup['first']): WorldBackup['first'] => ({
  ...backup,
  objects: new Map(
    [...objects].map(([resource, entries]) => [
      resource,
      resource !== 'deployments.apps'
        ? entries
        : new Map(
            [...entries].map(([key, revision]) => {
              if (!key.endsWith('/kube-apiserver')) return [key, revision]
              const object = asking(revision.object)
              return [key, { ...revision, object, json: () => JSON.stringify(object) }]
            }),
          ),
    ]),
  ),
})

const asking = (object: KubernetesObject): KubernetesObject => {
  const spec = Object(object.spec)
  const container = { name: 'kube-apiserver', image: 'kube-apiserver', args: [] }
  const { metadata } = Object(spec.template)
  const template = withAuthenticator({ metadata, spec: { containers: [container] } }, bundle)
  const one = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
  return { ...object, spec: { ...spec, template }, status: { observedGeneration: 1_000, ...one } }
}
