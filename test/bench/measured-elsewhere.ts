import type { Reference, Source } from './figure.ts'

/** The recorded extension: see the yardstick in the recordings' README, and docs/contract/aws-calls.md. */
const goRun: Source = {
  measured: 'elsewhere',
  where:
    'gardener-extension-provider-aws 2ff8d818 (v1.74-dev), unpatched, with kube-apiserver 1.36.3 and moto 5.2.1, on ' +
    '2026-11-21; of its machine nothing is on record, so that a ratio of times says little, one of requests all',
}

/** See docs/contract/aws-calls.md. Reads are Describe*, Get* and List*; each page is one call. */
const goTrace: Source = {
  measured: 'elsewhere',
  where:
    'gardener-extension-provider-aws 2ff8d818 (v1.74-dev), counted along its source; confirmed by a run with moto 5.2.1 ' +
    'for standard, gateway endpoint (create), file system and dual stack with one zone, not run for the others',
}

const sourceRun: Source = {
  measured: 'elsewhere',
  where:
    'the ApiServerSource of knative/eventing, in Go, against the same kube-apiserver, on a machine like that of the first ' +
    'figures of the bridge; its version and more of the machine are not on record, so that a ratio is one of sizes',
}

/** The Go extension's measured time or traffic; `what` adds to its name. */
export const goExtension = (value: number, what?: string): Reference => ({
  name: what === undefined ? 'Go extension' : `Go extension, ${what}`,
  value,
  source: goRun,
})

/** The minimum number of AWS calls of the Go extension: no waits, no throttling, one page for each list. */
export const goCalls = (value: number, what: string): Reference => ({
  name: `Go extension, ${what}`,
  value,
  source: goTrace,
})

/** The figure of Knative's ApiServerSource for the same work. */
export const apiServerSource = (value: number): Reference => ({
  name: 'ApiServerSource',
  value,
  source: sourceRun,
})

/** docs/contract/webhooks.md#measured. */
const goWebhooks: Source = {
  measured: 'elsewhere',
  where:
    'gardener-extension-provider-aws 2ff8d818, unmodified, with kube-apiserver 1.36.4, 2 cores, TLS over connections that stay; ' +
    'of its machine nothing more is on record, so that a ratio of times says little',
}

/** The Go extension's figure for reviews. */
export const goReviews = (value: number, what: string): Reference => ({
  name: `Go extension, ${what}`,
  value,
  source: goWebhooks,
})

/** See docs/contract/small-kinds.md#measured and docs/contract/provider-local.md#measured. */
const goSmall: Source = {
  measured: 'elsewhere',
  where:
    'os-gardenlinux bdea3804, os-suse-chost and os-ubuntu of that time, networking-calico b3fba3af, runtime-gvisor 0f375df3, and ' +
    'provider-local, all unmodified, with kube-apiserver 1.36.4, 2 cores, ManagedResources answered at once; of its machine nothing ' +
    'more is on record, so that a ratio of times says little',
}

/** The figure of Gardener's own extension for a kind. */
export const goSmallKinds = (value: number): Reference => ({ name: 'Go extension', value, source: goSmall })
