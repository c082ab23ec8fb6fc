import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { RecordedNetworkStep } from '../../../../test/recorded/networks.ts'

/**
 * The number of writes that a step saves, with the defect in docs/contract/small-kinds.md#defects-of-networks. The
 * other writes are equal, except for `isNotWatched`.
 */
export const fixes: Readonly<
  Record<RecordedNetworkStep['action'], { readonly why: string; readonly fewerWrites: number }>
> = {
  create: {
    why: 'S11: no bird is watched that is not there; S13: no end is told before the end; one claim',
    fewerWrites: 3,
  },
  idle: { why: 'S12: what watches Calico is written where it differs; S13', fewerWrites: 5 },
  migrate: { why: 'as recorded', fewerWrites: 0 },
  restore: { why: 'S11, S12, S13, and nothing is done a second time', fewerWrites: 10 },
  delete: { why: 'as recorded', fewerWrites: 0 },
}

/** S11: a ScrapeConfig of an exporter that the shoot does not have. */
export const isNotWatched = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'ScrapeConfig' && metadata.name === 'shoot-calico-bird'
