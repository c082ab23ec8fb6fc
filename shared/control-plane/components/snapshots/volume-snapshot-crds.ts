import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import crds from './volume-snapshots.json' with { type: 'json' }

/**
 * The kinds of volume snapshots in the shoot. The texts are those of kubernetes-csi/external-snapshotter (controller-gen
 * v0.15.0), as shipped with Gardener's extensions for AWS v1.74 and OpenStack v1.58, under the Apache License 2.0.
 */
export const volumeSnapshotCrds: readonly KubernetesObject[] = crds
