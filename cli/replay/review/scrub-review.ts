import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { createScrub } from '../scrub.ts'
import type { ReplayedReview } from './replayed-review.ts'

/** Removes secret values: all those of the Secrets involved, and every text that contains one of them. */
export const scrubReview = (review: ReplayedReview, others: readonly KubernetesObject[]): ReplayedReview => {
  const { before, after } = review
  const secrets = [before, after, ...others].filter(({ kind }) => kind === 'Secret')
  const scrub = createScrub(secrets.flatMap(secret => Object.values(dataOf(secret))))
  if (before.kind !== 'Secret') return scrub(review)
  const values = dataOf(before)
  return scrub({
    ...review,
    patch: review.patch.map(operation =>
      /^\/(data|stringData)(\/|$)/.test(operation.path) && 'value' in operation
        ? { ...operation, value: '[redacted]' }
        : operation,
    ),
    before: withData(before, () => '[redacted]'),
    after: withData(after, (name, value) =>
      name in values && values[name] !== value ? '[redacted, another one]' : '[redacted]',
    ),
  })
}

const dataOf = ({ data }: KubernetesObject): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(Object(data)).map(([name, value]) => [name, String(value)]))

const withData = (
  secret: KubernetesObject,
  shown: (name: string, value: string) => string,
): KubernetesObject => {
  const { data: _data, stringData: _stringData, ...rest } = secret
  const data = Object.entries(dataOf(secret)).map(([name, value]) => [name, shown(name, value)])
  const { annotations, ...metadata } = secret.metadata
  const shownAnnotations = Object.entries(annotations ?? {}).map(([name, text]) => [
    name,
    // kubectl writes the whole object there.
    name === 'kubectl.kubernetes.io/last-applied-configuration' ? '[redacted]' : text,
  ])
  return {
    ...(rest as KubernetesObject),
    metadata: { ...metadata, ...(annotations && { annotations: Object.fromEntries(shownAnnotations) }) },
    data: Object.fromEntries(data),
  }
}
