import { type PatchStep, patched } from '../../../../sandbox/reviews/reviews.ts'
import { readStored } from '../../../../test/recorded/stored.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { ReviewOperation } from '../review.ts'

/** A review that the Go extension answered, and its answer. */
export interface RecordedReview {
  readonly name: string
  readonly operation: ReviewOperation
  /** Namespace of the Cluster that existed. For webhooks of the seed. */
  readonly cluster?: string
  readonly object: KubernetesObject
  readonly oldObject?: KubernetesObject
  readonly response: {
    readonly allowed: boolean
    readonly status?: { readonly code: number; readonly message: string }
    readonly patch?: readonly PatchStep[]
  }
  /** The answer when the patched object was sent again as an update of the original: `no change`, or the patch. */
  readonly again?: string | readonly PatchStep[]
  /** The order of the message is random. */
  readonly unstable?: boolean
  /** Other objects that existed. For webhooks of a shoot. */
  readonly state?: {
    readonly callerKnown: boolean
    readonly kubeconfig: boolean
    /** `ipFamilies` of Service `kube-system/kube-dns`; null: missing. */
    readonly kubeDNS: readonly string[] | null
  }
}

export interface Recording {
  readonly cases: readonly RecordedReview[]
  /** By namespace. */
  readonly clusters: Readonly<Record<string, KubernetesObject>>
  /** Labels and keys of Secret `cloudprovider`, by namespace. */
  readonly secrets: Readonly<
    Record<
      string,
      { readonly labels: Readonly<Record<string, string>>; readonly keys: readonly string[] } | undefined
    >
  >
}

/** Reads a file of recorded reviews, such as `webhooks/cloudprovider`. */
export const readRecording = (file: string): Recording => ({
  clusters: {},
  secrets: {},
  ...(readStored(`${file}.json`) as Pick<Recording, 'cases'>),
})

/** Returns the objects of the garden during the recording. */
export const recordedGarden = (): readonly KubernetesObject[] =>
  (
    readStored('admission/fixtures.json') as {
      readonly objects: readonly KubernetesObject[]
    }
  ).objects

/** Returns the object after the change of the Go extension. */
export const recordedResult = ({ object, response }: RecordedReview): KubernetesObject =>
  patched(object, response.patch)
