import { messageOf } from '../../../shared/text/message-of.ts'
import type { Regctl } from '../layout/regctl.ts'
import { registryProblem } from './registry-problem.ts'

export interface PushOptions {
  /** The OCI layout, with a tag for each program. */
  readonly layout: string
  /** Host and path of the images in a registry, without a trailing slash. */
  readonly registry: string
  /** Tag of the pushed images. They are used by digest. */
  readonly tag: string
  /** Digests by program. */
  readonly digests: Readonly<Record<string, string>>
}

/** References by program, `{ "<program>": "<registry>/<program>@sha256:…" }`: the format of the chart. */
export const imageReferences = (
  registry: string,
  digests: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(digests).map(([program, digest]) => [program, `${registry}/${program}@${digest}`]),
  )

/** Pushes each image. At the first one that the registry refuses, rejects with one line of advice. */
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
