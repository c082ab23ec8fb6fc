import { ensureItem } from '../change/named-items.ts'
import type { PodSpec, ReviewedContainer } from './pod-template.ts'

/*
 * How a pod gets the token by which a workload identity signs in: the Secret `cloudprovider` holds it, and is renewed
 * (docs/contract/webhooks.md#controlplane).
 */

/** The Secret with which components sign in to the cloud, in each shoot's namespace. */
export const cloudproviderName = 'cloudprovider'

/** The folder of the token, in containers. */
export const tokenFolder = '/var/run/secrets/gardener.cloud/workload-identity'

const volumeName = 'workload-identity'

/** Whether the credentials of a Secret `cloudprovider` are a token that is exchanged. */
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
