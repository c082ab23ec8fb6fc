import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

/** Where the recordings are not what is done here, by the defects of docs/contract/small-kinds.md#defects; the rest is equal. */
export const fixes = [
  {
    why: 'S12: what watches Calico is written where it differs; S13: no operation is told before its end',
    action: 'idle',
    fewerWrites: 5,
  },
  // After a restore the Go extension works a second time.
  { why: 'S12, S13', action: 'restore', fewerWrites: 11 },
  { why: 'S11: what was made is deleted', action: 'delete', fewerWrites: 0 },
] as const

/** S11: a ScrapeConfig of an exporter that the shoot does not have. */
export const isNotWatched = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'ScrapeConfig' && metadata.name === 'shoot-calico-bird'
