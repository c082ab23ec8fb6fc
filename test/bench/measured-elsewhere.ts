import type { Reference } from './figure.ts'

/** The figure of Knative's ApiServerSource for the same work. */
export const apiServerSource = (value: number): Reference => ({
  name: 'ApiServerSource',
  value,
  source: {
    measured: 'elsewhere',
    where:
      'the ApiServerSource of knative/eventing, in Go, against the same kube-apiserver, on a machine like that of the first ' +
      'figures of the bridge; its version and more of the machine are not on record, so that a ratio is one of sizes',
  },
})
