import { messageOf } from '../../../shared/contract/message-of.ts'
import type { Regctl } from '../layout/regctl.ts'
import { registryProblem } from './registry-problem.ts'

export interface PushOptions {
  /** The OCI layout, with a tag for each program. */
  readonly layout: string
  /** Host and path of the images in a registry, without a slash at the end. */
  readonly registry: string
  /** Tag that the images get there; they are used by digest. */
  readonly tag: string
  /** Digests by program. */
  readonly digests: Readonly<Record<string, string>>
}

/** References by program, `{ "<program>": "<registry>/<program>@sha256:…" }`: what the chart takes. */
export const imageReferences = (
  registry: string,
  digests: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(digests).map(([program, digest]) => [program, `${registry}/${program}@${digest}`]),
  )

/** Pushes each image. Rejects with one line that says what to do, at the first that the registry refuses. */
export const pushImages = async (
  regctl: Regctl,
  { layout, registry, tag, digests }: PushOptions,
): Promise<void> => {
  for (const [program, digest] of Object.entries(digests)) {
    const target = `${registry}/${program}:${tag}`
    try {
      await regctl('image', 'copy', `ocidir://${layout}@${digest}`, target)
    } catch (error) {
      throw new Error(registryProblem(target, messageOf(error)), { cause: error })
    }
  }
}
