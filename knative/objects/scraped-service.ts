/** The port of `/metrics` and the probes. */
export const metricsPort = 8080

const resources = 'networking.resources.gardener.cloud'

/**
 * Annotations of a Service in the namespace of an extension: they allow the Prometheus of the seed, in `garden`, to
 * scrape its pods.
 */
export const scrapedAnnotations: Readonly<Record<string, string>> = {
  [`${resources}/from-all-seed-scrape-targets-allowed-ports`]: JSON.stringify([
    { port: metricsPort, protocol: 'TCP' },
  ]),
  [`${resources}/namespace-selectors`]: JSON.stringify([
    { matchLabels: { 'kubernetes.io/metadata.name': 'garden' } },
  ]),
  [`${resources}/pod-label-selector-namespace-alias`]: 'extensions',
}
