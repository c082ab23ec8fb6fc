import { createHash } from 'node:crypto'
import type { CoreV1Event } from '@kubernetes/client-node'
import type { GroupVersionResource, KubernetesObject } from './port.ts'
import type { Rendered } from './rendered.ts'

export const eventResource: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'events',
  namespaced: true,
}

/** A Kubernetes Event about an object. */
export interface ObjectEvent {
  readonly about: {
    readonly apiVersion: string
    readonly kind: string
    readonly name: string
    /** Undefined: the object has no namespace. */
    readonly namespace: string | undefined
    readonly uid: string
  }
  readonly type: 'Warning' | 'Normal'
  /** One word in UpperCamelCase. */
  readonly reason: string
  readonly message: string
  /** Events of one object with the same reason and topic have the same name. */
  readonly topic: string
  /** The writer. */
  readonly component: string
  /** RFC 3339, in whole seconds. */
  readonly at: string
  /** Default: 1. */
  readonly count?: number
}

/** The 253 characters of a name, minus the hash. */
const longestName = 236

/** Builds an Event like client-go's recorder; Events of an object without a namespace are in `default`. */
export const objectEvent = ({
  about: { apiVersion, kind, name, namespace, uid },
  type,
  reason,
  message,
  topic,
  component,
  at,
  count = 1,
}: ObjectEvent): KubernetesObject => {
  const hash = createHash('sha256').update(`${uid} ${reason} ${topic}`).digest('hex').slice(0, 16)
  // The declarations of the library must not need those of the Kubernetes client, which need more packages.
  const event: Rendered<CoreV1Event> = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${startOf(name)}.${hash}`, namespace: namespace ?? 'default' },
    involvedObject: { apiVersion, kind, name, uid, ...(namespace !== undefined && { namespace }) },
    type,
    reason,
    message,
    source: { component },
    reportingComponent: component,
    reportingInstance: '',
    firstTimestamp: at,
    lastTimestamp: at,
    count,
  }
  return event
}

/** Cuts a name to the available length; a part of a name ends with a letter or a digit. */
const startOf = (name: string): string => name.slice(0, longestName).replace(/[^a-z0-9]{1,63}$/, '')
