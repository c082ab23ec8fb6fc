import { readFileSync } from 'node:fs'
import { applyPatch, type Operation } from 'rfc6902'
import { besidePath } from '../../../../test/beside/beside.ts'
import type { KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { ReviewOperation } from '../review.ts'

/** One review that the Go extension was asked, and its answer. */
export interface RecordedReview {
  readonly name: string
  readonly operation: ReviewOperation
  /** The namespace whose Cluster was there, of webhooks in the seed. */
  readonly cluster?: string
  readonly object: KubernetesObject
  readonly oldObject?: KubernetesObject
  readonly response: {
    readonly allowed: boolean
    readonly status?: { readonly code: number; readonly message: string }
    readonly patch?: readonly Operation[]
  }
  /** `no change`, or the patch, when the patched object was sent once more as an update of the original. */
  readonly again?: string | readonly Operation[]
  /** The message has a random order. */
  readonly unstable?: boolean
  /** Of webhooks of a shoot: what was there besides. */
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

/** A file of recorded reviews, `webhooks/cloudprovider`. Only where `isBeside('golden')`. */
export const readRecording = (file: string): Recording => ({
  clusters: {},
  secrets: {},
  ...(JSON.parse(readFileSync(besidePath('golden', `${file}.json`), 'utf8')) as Pick<Recording, 'cases'>),
})

/** What was in the garden while its reviews were recorded. */
export const recordedGarden = (): readonly KubernetesObject[] =>
  (
    JSON.parse(readFileSync(besidePath('golden', 'admission/fixtures.json'), 'utf8')) as {
      readonly objects: readonly KubernetesObject[]
    }
  ).objects

/** The object as it became by a patch; as it was without one. */
export const patched = (
  object: KubernetesObject,
  patch: readonly Operation[] | undefined,
): KubernetesObject => {
  const after = structuredClone(object)
  for (const problem of applyPatch(after, [...(patch ?? [])])) if (problem) throw problem
  return after
}

/** The object as the Go extension made it. */
export const recordedResult = ({ object, response }: RecordedReview): KubernetesObject =>
  patched(object, response.patch)
