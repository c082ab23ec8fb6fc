import type { V1SecurityContext } from '@kubernetes/client-node'
import type { Json } from '../../shared/kubernetes/kubernetes.ts'

/** The requirements of the `restricted` pod security standard for a container, and a read-only root file system. */
export const restrictedContainer: Json<V1SecurityContext> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}
