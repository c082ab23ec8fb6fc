import { createHash } from 'node:crypto'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** JSON with sorted keys and without null, which means the same as no field. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([, field]) => field !== null)
            .toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : inner,
  )

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Replaces texts of several lines, and long ones, with their digests. */
export const withoutTexts = <V>(value: V): V =>
  JSON.parse(
    JSON.stringify(value, (_, inner) =>
      typeof inner === 'string' && (inner.includes('\n') || inner.length > 200)
        ? `sha256:${sha256(inner)}`
        : inner,
    ),
  )

/** Reduces a rendered object to its key and the digest of its canonical JSON. */
export const digested = (object: KubernetesObject): KubernetesObject => {
  const { apiVersion, kind, metadata } = object
  const { name, namespace } = metadata
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    sha256: sha256(canonical(object)),
  }
}

/** Returns the object of each digest. Throws if it is not among the candidates. */
export const wholeObjects = (
  digests: readonly KubernetesObject[],
  candidates: readonly KubernetesObject[],
): readonly KubernetesObject[] => {
  const byDigest = new Map(candidates.map(object => [digested(object).sha256, object]))
  return digests.map(object => {
    const found = object.sha256 === undefined ? object : byDigest.get(object.sha256)
    if (found === undefined)
      throw new Error(
        `${object.kind} ${object.metadata.name} differs from the recorded one. Compare them first.`,
      )
    return found
  })
}

/** Matches a digest in a file: `sha256:<digest> v1 ConfigMap <namespace>/<name>`. */
const line = /^sha256:([0-9a-f]{64}) (\S+) (\S+) (\S*)\/(\S+)$/

/** Writes a digest as one line. Leaves any other value. */
export const toLine = (value: unknown): unknown => {
  const { apiVersion, kind, metadata, sha256: digest } = Object(value) as KubernetesObject
  return digest === undefined || metadata === undefined || Object.keys(Object(value)).length > 4
    ? value
    : `sha256:${digest} ${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`
}

/** Reads the line of a digest. Leaves any other value. */
export const fromLine = (value: unknown): unknown => {
  const [, digest, apiVersion, kind, namespace, name] = line.exec(String(value)) ?? []
  return digest === undefined
    ? value
    : { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) }, sha256: digest }
}
