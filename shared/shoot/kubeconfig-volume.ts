import { accessSecretName } from './access-secrets.ts'

// Types are inferred: client-node's would make every author check its declarations.

const folder = '/var/run/secrets/gardener.cloud/shoot/generic-kubeconfig'

/** The file of the kubeconfig in a container with `kubeconfigMount`. */
export const kubeconfigPath = `${folder}/kubeconfig`

const file = (name: string, key: string) => ({
  secret: { name, items: [{ key, path: key }], optional: false },
})

/**
 * Returns the volume with the generic kubeconfig of the shoot and the token of one component, for a pod in the seed
 * (docs/contract/control-planes.md#shoot-access).
 *
 * @param genericKubeconfig `genericKubeconfigSecretName` of the Cluster
 *
 * @example
 * await ensureAccessSecrets(kubernetes, namespace, ['dns-sync'])
 * const volumes = [kubeconfigVolume(genericKubeconfigSecretName(cluster), 'dns-sync')]
 * const containers = [{ args: [`--kubeconfig=${kubeconfigPath}`], volumeMounts: [kubeconfigMount()] }]
 */
export const kubeconfigVolume = (genericKubeconfig: string, component: string, name = 'kubeconfig') => ({
  name,
  projected: {
    // Read-only for all but the owner.
    defaultMode: 0o644,
    sources: [file(genericKubeconfig, 'kubeconfig'), file(accessSecretName(component), 'token')],
  },
})

/**
 * Returns the mount of `kubeconfigVolume`. The generic kubeconfig names the token by its path in this folder.
 *
 * @example
 * const container = { name: 'dns-sync', volumeMounts: [kubeconfigMount()] }
 */
export const kubeconfigMount = (name = 'kubeconfig') => ({ name, mountPath: folder, readOnly: true })
