import type { V1Volume } from '@kubernetes/client-node'
import type { Json } from '../../shared/kubernetes/kubernetes.ts'
import { reportAudience, reportTokenFolder } from '../../shared/runtime/runtime.ts'

/** A token with which a function proves its reports to the bridge. It is of no use at the API server. */
export const reportTokenVolume: Json<V1Volume> = {
  name: 'report-token',
  projected: {
    defaultMode: 420,
    sources: [{ serviceAccountToken: { audience: reportAudience, expirationSeconds: 3600, path: 'token' } }],
  },
}

export const reportTokenMount = {
  name: reportTokenVolume.name,
  mountPath: reportTokenFolder,
  readOnly: true,
} as const
