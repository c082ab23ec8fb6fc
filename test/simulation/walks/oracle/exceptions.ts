import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { Configuration } from '../space/walk-space.ts'

/** A difference between a walked and a new world that is documented. */
export interface Exception {
  readonly space: string
  readonly why: string
  /** The document with the reason. */
  readonly source: string
  /** Returns the configuration of the new world that the walked one must equal. */
  readonly fresh?: (configuration: Configuration, walked: KubernetesObject) => Configuration
  /** Matches a difference. */
  readonly difference?: RegExp
}

/** All of them. */
export const exceptions: readonly Exception[] = [
  {
    space: 'aws/dnsrecord',
    why: 'a record without spec.zone stays in the zone of its status',
    source: 'docs/contract/provider-aws.md#hosted-zone',
    fresh: ({ spec, ...rest }, { status }) => ({
      ...rest,
      spec: { ...spec, zone: spec.zone ?? Object(status).zone },
    }),
  },
]
