/** Of `/metrics` and the probes. */
export const metricsPort = 8080

const resources = 'networking.resources.gardener.cloud'

/** Of a Service in the namespace of an extension: lets the Prometheus of the seed, in `garden`, scrape its pods. */
export const scrapedAnnotations: Readonly<Record<string, string>> = {
  [`${resources}/from-all-seed-scrape-targets-allowed-ports`]: JSON.stringify([
    { port: metricsPort, protocol: 'TCP' },
  ]),
  [`${resources}/namespace-selectors`]: JSON.stringify([
    { matchLabels: { 'kubernetes.io/metadata.name': 'garden' } },
  ]),
  [`${resources}/pod-label-selector-namespace-alias`]: 'extensions',
}
