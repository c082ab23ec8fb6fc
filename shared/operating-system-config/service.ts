/** The Knative Service settings of a function for these configs, for its definition. */
export const operatingSystemConfigService = {
  maxScale: {
    value: 2,
    why: 'One process serves hundreds of configs per second; a second process helps at a large start.',
  },
  concurrency: { value: 100, why: 'Steps wait for the API server most of the time.' },
}
