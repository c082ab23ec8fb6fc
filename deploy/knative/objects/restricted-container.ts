import type { V1SecurityContext } from '@kubernetes/client-node'
import type { Json } from '../../../shared/kubernetes/kubernetes.ts'

/** What the `restricted` pod security standard asks of a container, and a root file system that nobody writes. */
export const restrictedContainer: Json<V1SecurityContext> = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}
