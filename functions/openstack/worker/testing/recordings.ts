import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster, Worker } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

/*
 * The results of the unpatched gardener-extension-provider-openstack 97400dd0 (v1.58.0-dev) for Workers, with
 * kube-apiserver 1.36, real servers of Keystone and Nova, and an imitated machine-controller-manager. Only what is
 * compared; the uid of the shoot is completed from the names of its server groups.
 */

type BareObject = Omit<KubernetesObject, 'apiVersion' | 'kind'>

export interface RecordedMachinesStep {
  readonly action: string
  /** A merge patch of the Worker before the step. */
  readonly patch?: object
  readonly lastError?: { readonly description: string; readonly codes?: readonly string[] }
  /** Calls about server groups. */
  readonly calls: readonly { readonly method: string; readonly path: string; readonly body?: unknown }[]
  readonly result: {
    /** Null: the Worker is gone. */
    readonly status: Readonly<Record<string, unknown>> | null
    readonly machineClasses: readonly BareObject[]
    readonly machineDeployments: readonly BareObject[]
    readonly machineClassSecrets: readonly BareObject[]
  }
}

export interface RecordedMachines {
  readonly case: string
  readonly about: string
  readonly input: {
    readonly cluster: Cluster
    readonly existing: readonly KubernetesObject[]
    readonly worker: Worker
  }
  readonly steps: readonly RecordedMachinesStep[]
}

const folder = join(import.meta.dirname, 'recorded')

export const recordedCases: readonly string[] = readdirSync(folder).map(file => file.replace('.json', ''))

export const recordedMachines = (name: string): RecordedMachines =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as RecordedMachines
