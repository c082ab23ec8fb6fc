import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { RecordedControlPlane } from '../../../../test/recorded/control-planes.ts'
import { digested } from '../../../../test/recorded/digests.ts'
import { withoutChecksums } from '../../../../test/recorded/reduce.ts'
import { desiredControlPlane } from '../aws-control-plane.ts'
import { imageTable } from '../images/image-table.ts'
import { controlPlaneValues } from '../input/control-plane-values.ts'
import { fixes } from './fixes.ts'

export const bundle = 'certificates'

/** The ManagedResources of Trellis for a recorded ControlPlane. */
export const desiredOf = ({ input }: RecordedControlPlane) =>
  desiredControlPlane({
    values: controlPlaneValues({
      controlPlane: input.controlPlane,
      cluster: input.cluster,
      secretLabels:
        input.cloudproviderLabels === 'workload identity'
          ? { 'security.gardener.cloud/purpose': 'workload-identity-token-requestor' }
          : {},
    }),
    images: imageTable,
    generated: {
      cloudControllerServer: 'cloud-controller-manager-server-<hash8>',
      loadBalancerWebhookServer: 'aws-load-balancer-controller-webhook-service-<hash8>',
      caBundle: bundle,
    },
    cloudproviderData: { credentialsFile: 'W2RlZmF1bHRdCg==' },
    replicas: 1,
  })

/** Replaces the certificates with the placeholder of the recordings. */
export const withPlaceholders = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  JSON.parse(
    JSON.stringify(objects).replaceAll(Buffer.from(bundle).toString('base64'), '<base64 of the CA bundle>'),
  )

/** Returns the objects as the Go extension renders them: with its defects, and the placeholders of the recordings. */
export const recordedForm = (
  resource: string,
  objects: readonly KubernetesObject[],
): readonly KubernetesObject[] => {
  const defective = fixes.reduce(
    (changed, fix) => (fix.resource === resource ? fix.undo(changed) : changed),
    objects,
  )
  return withoutChecksums(withPlaceholders(defective))
}

/** Returns the digests of the objects as the Go extension renders them. */
export const digestsOf = (
  resource: string,
  objects: readonly KubernetesObject[],
): readonly KubernetesObject[] => recordedForm(resource, objects).map(digested)
