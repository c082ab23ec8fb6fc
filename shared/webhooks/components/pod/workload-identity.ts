import { ensureItem } from '../change/edits.ts'
import type { PodSpec, ReviewedContainer } from './pod-template.ts'

/*
 * Gives a pod the token with which a workload identity signs in. The token is in the Secret `cloudprovider` and is
 * renewed there (docs/contract/webhooks.md#controlplane).
 */

/** The Secret in each shoot's namespace with which components sign in to the cloud. */
export const cloudproviderName = 'cloudprovider'

/** The folder of the token in containers. */
export const tokenFolder = '/var/run/secrets/gardener.cloud/workload-identity'

const volumeName = 'workload-identity'

/** Returns true if the credentials in a Secret `cloudprovider` are a token for exchange. */
export const hasWorkloadIdentity = (labels: Readonly<Record<string, string>> | null | undefined): boolean =>
  labels?.['security.gardener.cloud/purpose'] === 'workload-identity-token-requestor'

export const withTokenVolume = (pod: PodSpec): PodSpec => ({
  ...pod,
  volumes: [
    ...ensureItem(pod.volumes, 'name', {
      name: volumeName,
      projected: {
        sources: [{ secret: { name: cloudproviderName, items: [{ key: 'token', path: 'token' }] } }],
      },
    }),
  ],
})

export const withTokenMount = (container: ReviewedContainer): ReviewedContainer => ({
  ...container,
  volumeMounts: [...ensureItem(container.volumeMounts, 'name', { name: volumeName, mountPath: tokenFolder })],
})
